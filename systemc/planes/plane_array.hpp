// Native routers that run in planes if possible, and in their own kernels otherwise.
#pragma once

#include <memory>

#include "systemc/kernel/router_array.hpp"
#include "systemc/kernel/router_array_host.hpp"
#include "systemc/planes/plane_network.hpp"

namespace annelid::systemc {

/// Either the planes of a whole network, without any router; or routers in their own kernels, whose
/// place planes may take before the first cycle (PlaneAssembly).
class PlaneArray final : public RouterArray {
 public:
  /// `terminals` are the sources and sinks of all nodes. `cut`: null, or that of the slab whose
  /// routers these are.
  PlaneArray(const NetworkConfig& network, RouterArrayHost& host, PlaneBackend backend,
             PlaneTerminals& terminals, Cut* cut);

  const NetworkConfig& network() const override { return network_; }
  std::uint32_t size() const override { return kernels_ != nullptr ? kernels_->size() : 0; }
  bool joined_both_ways(std::uint32_t router, int link) const override {
    return kernels_ == nullptr || kernels_->joined_both_ways(router, link);
  }
  void state(std::uint32_t router, Cycle now, RouterState& state) const override;
  void registers(std::uint32_t router, Cycle now, unsigned ports,
                 RouterState& state) const override;
  unsigned flits_in(std::uint32_t router, Cycle now, Port port, Vc vc) const override;
  bool was_used(std::uint32_t router, Cycle now, Port port, Vc vc) const override;
  [[nodiscard]] std::optional<Fill> fill(Port port, Vc vc) const override;
  std::uint64_t flits_by(std::uint32_t router, Port out) const override;
  std::size_t hot_bytes() const override;
  std::string planes() const override { return planes_ ? planes_->backend() : ""; }

  void report_sent(Cycle now, FabricObserver& observer) override;
  Happened step(Cycle now, FabricObserver* observer, bool reversed) override;
  void wake_all(Cycle at) override;
  std::uint64_t flits_moved() const override;
  void leave(Cycle now) override {
    if (!planes_) running_->leave(now);
  }
  void come(Cycle now) override;
  bool has_sources() const override { return planes_ != nullptr; }
  RepeatingRouters* repeating() override { return planes_ ? nullptr : running_->repeating(); }
  bool count_flits() override;

 private:
  friend class PlaneAssembly;
  PlaneArray(const RouterView& kernels, RouterArrayHost& host);
  void use_planes(PlaneBackend backend, PlaneTerminals& terminals, Cut* cut);
  Happened step_planes(Cycle now, FabricObserver* observer);

  NetworkConfig network_;
  RouterArrayHost& host_;
  const RouterView* kernels_ = nullptr;   // if there are routers
  std::unique_ptr<RouterArray> running_;  // those routers, once they are started
  std::unique_ptr<PlaneNetwork> planes_;  // in place of the kernels
  Cycle flight_cycles_;
};

}  // namespace annelid::systemc
