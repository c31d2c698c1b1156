// A node of the network as everybody else sees it, whatever is inside: a native router of the
// fabric or Verilated RTL.
#pragma once

#include <functional>
#include <memory>
#include <systemc>

#include "systemc/config.hpp"
#include "systemc/fabric.hpp"
#include "systemc/link.hpp"
#include "systemc/router_state.hpp"

namespace annelid {

/// Where a router stands.
struct RouterSite {
  Fabric& fabric;
  NetworkConfig network;
  Address address;
  NodeId node = 0;
};

/// The ports of a router, and a view of its registers.
///
/// A router outside the kernel is a Clocked component too, and has these duties:
///  - it calls Fabric::flit_entered, flit_moved and flit_left as they say;
///  - while fabric().observer() is not null it reports moved() for each grant and blocked() for
///    each front flit that stays (report_blocked does the latter from a RouterState), in every
///    cycle in which it holds flits. It reports neither packet() nor injected(): the NIC does.
class NodeRouter : public sc_core::sc_module {
 public:
  using LinkPort = sc_core::sc_port<LinkIf, 1, sc_core::SC_ZERO_OR_MORE_BOUND>;
  using LinkExport = sc_core::sc_export<LinkIf>;

  /// By port number, docs/microarchitecture.md, section 2. `to_neighbour` reaches the neighbour's
  /// end of the link (our flits, and the credits for its flits) and stays unbound at the rim;
  /// `from_neighbour` is our end, which the neighbour's port is bound to.
  sc_core::sc_vector<LinkPort> to_neighbour;
  sc_core::sc_vector<LinkExport> from_neighbour;

  NodeRouter(const sc_core::sc_module_name& name, const RouterSite& site);

  /// The registers at the start of cycle fabric().now(), and the grants that they imply. Only
  /// between cycles: from FabricObserver::cycle(), and while no run is under way. Not const, as
  /// a router may have to bring its registers up to date.
  virtual void state(RouterState& state) = 0;

  [[nodiscard]] const RouterSite& site() const { return site_; }
  [[nodiscard]] Fabric& fabric() const { return site_.fabric; }
  [[nodiscard]] const RouterConfig& config() const { return site_.network.router; }
  [[nodiscard]] Address address() const { return site_.address; }
  [[nodiscard]] NodeId node() const { return site_.node; }

 private:
  RouterSite site_;
};

/// Makes the router of a site, e.g. RTL for one node and native routers for the rest.
using RouterFactory =
    std::function<std::unique_ptr<NodeRouter>(const char* name, const RouterSite& site)>;

/// Reports the blocked front flits of a cycle: docs/microarchitecture.md, section 8. `state` is the
/// router's at the start of `cycle`.
void report_blocked(const RouterState& state, const RouterSite& site, Cycle cycle,
                    FabricObserver& observer);

}  // namespace annelid
