// Combines several observers of NICs into one.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "nic/nic_observer.hpp"

namespace annelid::nic {

/// Passes every call to each of its observers, in their order. It does not own them.
class NicObserverTee : public NicObserver {
 public:
  void set_observers(std::vector<NicObserver*> observers) { observers_ = std::move(observers); }

  void called(Cycle now, NodeId node, std::uint16_t ticket) override {
    for (auto* o : observers_) o->called(now, node, ticket);
  }
  [[nodiscard]] bool takes_matches() const override {
    return std::ranges::any_of(observers_, &NicObserver::takes_matches);
  }
  void matched(Cycle now, NodeId node, const MatchInfo& match) override {
    for (auto* o : observers_) o->matched(now, node, match);
  }
  void send_posted(Cycle now, const MessageInfo& info) override {
    for (auto* o : observers_) o->send_posted(now, info);
  }
  void send_started(Cycle now, const MessageInfo& info, Port local) override {
    for (auto* o : observers_) o->send_started(now, info, local);
  }
  void send_completed(Cycle now, const MessageInfo& info) override {
    for (auto* o : observers_) o->send_completed(now, info);
  }
  void received(Cycle now, const MessageInfo& info) override {
    for (auto* o : observers_) o->received(now, info);
  }
  void call_finished(Cycle now, NodeId node, std::uint16_t ticket, std::uint32_t result) override {
    for (auto* o : observers_) o->call_finished(now, node, ticket, result);
  }
  void printed(Cycle now, NodeId node, int descriptor, const std::string& text) override {
    for (auto* o : observers_) o->printed(now, node, descriptor, text);
  }
  void trapped(Cycle now, NodeId node, const Trap& trap) override {
    for (auto* o : observers_) o->trapped(now, node, trap);
  }
  void failed(Cycle now, NodeId node, reg::ErrorCause cause, const std::string& text) override {
    for (auto* o : observers_) o->failed(now, node, cause, text);
  }

 private:
  std::vector<NicObserver*> observers_;
};

}  // namespace annelid::nic
