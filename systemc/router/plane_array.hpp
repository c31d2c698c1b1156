// Native routers that run in planes if possible, and in their own kernels otherwise.
#pragma once

#include <memory>
#include <vector>

#include "systemc/router/plane_network.hpp"
#include "systemc/router/router_array.hpp"

namespace annelid::systemc {

/// It becomes a PlaneNetwork at once if it gets the terminals of a whole network. Otherwise it is
/// an array of kernels before the first cycle, and start() checks how they are connected. If they
/// are all routers of a network that planes cover, and every local port has a terminal that
/// supports planes, they become a PlaneNetwork.
class PlaneArray final : public RouterArray {
 public:
  PlaneArray(const NetworkConfig& network, RouterArrayHost& host, PlaneBackend backend);

  std::uint32_t add(Address address, NodeId node) override;
  std::uint32_t size() const override { return kernels_->size(); }
  void reserve(std::uint32_t routers) override { kernels_->reserve(routers); }
  void join(std::uint32_t router, int link, std::uint32_t neighbour, int its_link) override;
  void join(std::uint32_t router, int link, LinkIf& neighbour) override;
  bool joined_both_ways(std::uint32_t router, int link) const override {
    return kernels_->joined_both_ways(router, link);
  }
  RouterEnd& end(std::uint32_t router, int link) override { return kernels_->end(router, link); }
  bool attach(PlaneTerminals& terminals) override;
  void detach() override;
  bool complete() const override { return whole_ != nullptr; }
  bool has_sources() const override { return planes_ != nullptr; }
  void start() override;

  void set_cut(Cut& cut) override {
    cut_ = &cut;
    kernels_->set_cut(cut);
  }
  void leave(Cycle now) override {
    if (!planes_) kernels_->leave(now);
  }
  void come(Cycle now) override;

  void report_sent(Cycle now, FabricObserver& observer) override;
  Happened step(Cycle now, FabricObserver* observer, bool reversed) override;
  void step_plainly(Cycle now) override;
  void wake_all(Cycle at) override;
  Cycle flight_cycles() const override { return kernels_->flight_cycles(); }

  std::uint64_t flits_moved() const override;
  void state(std::uint32_t router, Cycle now, RouterState& state) const override;
  void registers(std::uint32_t router, Cycle now, unsigned ports,
                 RouterState& state) const override;
  unsigned flits_in(std::uint32_t router, Cycle now, Port port, Vc vc) const override;
  bool was_used(std::uint32_t router, Cycle now, Port port, Vc vc) const override;
  [[nodiscard]] Cycle changed() const override { return planes_ ? kNever : kernels_->changed(); }
  [[nodiscard]] Cycle settling_cycles() const override { return kernels_->settling_cycles(); }
  [[nodiscard]] Path follow(std::uint32_t router, Port link, Vc vc,
                            std::vector<std::uint64_t*>& places) override {
    return kernels_->follow(router, link, vc, places);
  }
  [[nodiscard]] std::optional<Fill> fill(Port port, Vc vc) const override;
  bool count_flits() override;
  std::uint64_t flits_by(std::uint32_t router, Port out) const override;

  const NetworkConfig& network() const override { return kernels_->network(); }
  std::size_t hot_bytes() const override;
  std::string planes() const override { return planes_ ? planes_->backend() : ""; }

 private:
  Happened step_planes(Cycle now, FabricObserver* observer);
  [[nodiscard]] PlaneTerminals* common_terminals() const;

  RouterArrayHost& host_;
  Cut* cut_ = nullptr;
  PlaneBackend backend_;
  std::unique_ptr<RouterArray> kernels_;
  std::unique_ptr<PlaneNetwork> planes_;  // replaces the kernels
  PlaneTerminals* whole_ = nullptr;       // of the whole network, in place of routers
  bool started_ = false;
  bool in_order_ = true;      // router n is node n, and its neighbours are those of the mesh
  std::uint64_t joined_ = 0;  // number of links to neighbours
  Cycle flight_cycles_ = 0;
  std::vector<PlaneEnd*> terminals_;  // by node and local port
};

}  // namespace annelid::systemc
