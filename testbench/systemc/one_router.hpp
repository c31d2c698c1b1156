// One router of any kind with a hand-driven neighbour on every link, and no SystemC around it.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include "systemc/kernel/router_assembly.hpp"

namespace annelid::systemc {

/// Calls between two step()s belong to one cycle. Links: RouterConfig; both kinds of routers have
/// the local links after the external ones.
class OneRouter : private RouterArrayHost {
 public:
  /// At (5, 5, 5), as far as it has these dimensions, of a network of 16 in each.
  explicit OneRouter(const RouterConfig& config)
      : OneRouter(network_of(config), middle(config.dims)) {}
  OneRouter(const NetworkConfig& network, Address address, NodeId node = 7) {
    auto assembly = RouterAssembly::make(network, *this);
    assembly->add(address, node);
    for (int l = 0; l < network.router.links(); ++l) {
      assembly->join(0, l, probes_[static_cast<std::size_t>(l)]);
      ends_[static_cast<std::size_t>(l)] = &assembly->end(0, l);
    }
    router_ = RouterAssembly::start(std::move(assembly));
  }
  OneRouter(const OneRouter&) = delete;
  OneRouter& operator=(const OneRouter&) = delete;

  static Flit head(Address to, Vc vc = 0, bool tail = false, std::uint16_t tag = 0) {
    return {pack(HeadFields{to, {1, 1, 0}, tag}), vc, true, tail};
  }
  static Flit body(Vc vc = 0, std::uint64_t data = 0) { return {data, vc, false, false}; }
  static Flit tail(Vc vc = 0, std::uint64_t data = 0) { return {data, vc, false, true}; }

  /// A flit (credit) that reaches the router by a link in this cycle. Throws std::logic_error for
  /// one that it has no room for.
  void put(int link, const Flit& flit) { ends_[static_cast<std::size_t>(link)]->put_flit(flit); }
  void credit(int link, Vc vc) { ends_[static_cast<std::size_t>(link)]->put_credit(vc); }

  /// Executes the cycle; afterwards sent() and freed() say what left the router in it. `late` may
  /// put() and credit() too: still of this cycle, but after the router's own step. No result may
  /// depend on it.
  void step(FabricObserver* observer = nullptr, const std::function<void()>& late = {}) {
    for (Probe& probe : probes_) probe = {};
    if (observer != nullptr) router_->report_sent(now_, *observer);
    router_->wake_all(now_);
    router_->step(now_, observer, false);
    if (late) late();
    ++now_;
  }
  [[nodiscard]] std::optional<Flit> sent(int link) const { return probe(link).flit; }
  [[nodiscard]] std::optional<Vc> freed(int link) const { return probe(link).credit; }

  /// The registers at the start of the cycle that the next step() executes.
  [[nodiscard]] RouterState state() const {
    RouterState state;
    router_->state(0, now_, state);
    return state;
  }
  [[nodiscard]] Cycle now() const { return now_; }
  [[nodiscard]] const RouterView& array() const { return *router_; }

 private:
  struct Probe final : LinkIf {
    Probe() = default;
    Probe& operator=(const Probe& other) {
      flit = other.flit;
      credit = other.credit;
      return *this;
    }
    void put_flit(const Flit& f) override { flit = f; }
    void put_credit(Vc vc) override { credit = vc; }
    std::optional<Flit> flit;
    std::optional<Vc> credit;
  };

  static NetworkConfig network_of(const RouterConfig& router) {
    return {{16, router.dims > 1 ? 16 : 1, router.dims > 2 ? 16 : 1}, router};
  }
  static Address middle(int dims) {
    return {5, static_cast<std::uint8_t>(dims > 1 ? 5 : 0),
            static_cast<std::uint8_t>(dims > 2 ? 5 : 0)};
  }
  [[nodiscard]] const Probe& probe(int link) const {
    return probes_[static_cast<std::size_t>(link)];
  }

  std::array<Probe, kMaxPorts> probes_;
  std::array<RouterEnd*, kMaxPorts> ends_{};
  std::unique_ptr<RouterArray> router_;
};

}  // namespace annelid::systemc
