// Builds routers in kernels of their own, and puts planes in their place if it can.
#pragma once

#include <memory>
#include <vector>

#include "systemc/kernel/router_assembly.hpp"
#include "systemc/planes/plane_array.hpp"

namespace annelid::systemc {

/// When the routers are started, it checks how they are connected. If they are all routers of a
/// network that planes cover, and every local port has a terminal that supports planes, then planes
/// take their place.
class PlaneAssembly final : public RouterAssembly {
 public:
  PlaneAssembly(const NetworkConfig& network, RouterArrayHost& host, PlaneBackend backend,
                Cut* cut);

  std::uint32_t add(Address address, NodeId node) override;
  void reserve(std::uint32_t routers) override { kernels_->reserve(routers); }
  void join(std::uint32_t router, int link, std::uint32_t neighbour, int its_link) override;
  void join(std::uint32_t router, int link, LinkIf& neighbour) override;
  RouterEnd& end(std::uint32_t router, int link) override { return kernels_->end(router, link); }
  const RouterView& view() const override { return *array_; }

 private:
  std::unique_ptr<RouterArray> finish() override;
  [[nodiscard]] PlaneTerminals* common_terminals() const;

  PlaneBackend backend_;
  Cut* cut_;
  std::unique_ptr<RouterAssembly> kernels_;
  std::unique_ptr<PlaneArray> array_;
  bool in_order_ = true;      // router n is node n, and its neighbours are those of the mesh
  std::uint64_t joined_ = 0;  // number of links to neighbours
  std::vector<PlaneEnd*> terminals_;  // by node and local port
};

}  // namespace annelid::systemc
