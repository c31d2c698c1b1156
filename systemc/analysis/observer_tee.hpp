// Combines several observers into one.
#pragma once

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "systemc/network/observer.hpp"

namespace annelid::systemc {

/// Passes every call to each of its observers, in their order. It does not own them.
class ObserverTee final : public FabricObserver {
 public:
  explicit ObserverTee(std::vector<FabricObserver*> observers) : observers_(std::move(observers)) {}

  void cycle(Cycle t) override {
    for (auto* o : observers_) o->cycle(t);
  }
  void packet(Cycle t, NodeId node, Port local, const PacketInfo& info) override {
    for (auto* o : observers_) o->packet(t, node, local, info);
  }
  void injected(Cycle t, NodeId node, Port local, const Flit& flit) override {
    for (auto* o : observers_) o->injected(t, node, local, flit);
  }
  void allocated(Cycle t, NodeId node, Port in, Vc in_vc, Port out, Vc out_vc) override {
    for (auto* o : observers_) o->allocated(t, node, in, in_vc, out, out_vc);
  }
  void granted(Cycle t, NodeId node, Port in, Vc in_vc, Port out, const Flit& flit) override {
    for (auto* o : observers_) o->granted(t, node, in, in_vc, out, flit);
  }
  void moved(Cycle t, NodeId node, Port in, Vc in_vc, Port out, const Flit& flit) override {
    for (auto* o : observers_) o->moved(t, node, in, in_vc, out, flit);
  }
  void blocked(Cycle t, NodeId node, Port in, Vc in_vc, Port out, BlockCause cause) override {
    for (auto* o : observers_) o->blocked(t, node, in, in_vc, out, cause);
  }
  void all_granted(Cycle t, std::span<const SentFlit> flits) override {
    for (auto* o : observers_) o->all_granted(t, flits);
  }
  void all_moved(Cycle t, std::span<const SentFlit> flits) override {
    for (auto* o : observers_) o->all_moved(t, flits);
  }
  [[nodiscard]] bool takes_repeats() const override {
    return std::ranges::all_of(observers_, &FabricObserver::takes_repeats);
  }
  void repeated(Cycle cycles) override {
    for (auto* o : observers_) o->repeated(cycles);
  }

 private:
  std::vector<FabricObserver*> observers_;
};

}  // namespace annelid::systemc
