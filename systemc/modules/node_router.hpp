// A node of the network as others see it, whether it is a native router of the fabric or Verilated
// RTL.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <systemc>

#include "systemc/fabric/fabric.hpp"
#include "systemc/kernel/report_state.hpp"
#include "systemc/network/config.hpp"
#include "systemc/network/link.hpp"
#include "systemc/network/router_state.hpp"

namespace annelid::systemc {

/// The place of a router: its node, and the network and fabric that it belongs to.
struct RouterSite {
  Fabric& fabric;
  NetworkConfig network;
  Address address;
  NodeId node = 0;
};

/// A router's port to the neighbour's end of a link. It is lighter than an sc_port, because each of
/// up to 65,536 routers has eight of them.
class LinkPort {
 public:
  void bind(LinkIf& end) { end_ = &end; }
  /// An export, which may get its interface later, until the end of elaboration.
  void bind(sc_core::sc_export<LinkIf>& end) { export_ = &end; }
  /// Null if it is not bound. May be called from the end of elaboration on.
  [[nodiscard]] LinkIf* get() {
    if (export_ != nullptr) end_ = export_->operator->();
    export_ = nullptr;
    return end_;
  }
  LinkIf* operator->() { return get(); }

 private:
  LinkIf* end_ = nullptr;
  sc_core::sc_export<LinkIf>* export_ = nullptr;
};

/// A router's own end of a link; it replaces an sc_export for the same reason.
class LinkEnd {
 public:
  void bind(LinkIf& end) { end_ = &end; }
  operator LinkIf&() const { return *end_; }  // NOLINT: as sc_export's

 private:
  LinkIf* end_ = nullptr;
};

/// The ports of a router, and a view of its registers.
///
/// A router outside the kernel is also a Clocked component, and has these duties:
///  - it calls Fabric::flit_entered, flit_moved and flit_left as their comments say;
///  - while fabric().observer() is not null, it reports moved() for each flit that its switch
///  sends.
///    In every cycle in which it holds flits it then also reports granted(), allocated(), and
///    blocked() for each front flit that stays (report_grants and report_blocked do so from a
///    RouterState). It reports neither packet() nor injected(), because the NIC does.
class NodeRouter : public sc_core::sc_module {
 public:
  /// By link: external ports, then local ones (RouterConfig). `to_neighbour` reaches the
  /// neighbour's end of the link, which takes our flits and the credits for its flits; at the rim
  /// it stays unbound. `from_neighbour` is our end, to which the neighbour's port is bound.
  std::array<LinkPort, kMaxPorts> to_neighbour;
  std::array<LinkEnd, kMaxPorts> from_neighbour;

  NodeRouter(const sc_core::sc_module_name& name, const RouterSite& site)
      : sc_module(name), site_(site) {
    validate(site.network);
  }

  /// The registers at the start of cycle fabric().now(), and the grants that they imply. To be
  /// called only between cycles: from FabricObserver::cycle(), and while no run is under way. It is
  /// not const, because a router may have to update its registers first.
  virtual void state(RouterState& state) = 0;
  /// The same, but faster, for the ports in the set `ports` (one bit each). Everything else in
  /// `state`, including the grants, may keep its old value.
  virtual void registers(unsigned /*ports*/, RouterState& state) { this->state(state); }
  /// The number of flits in the FIFO of an input VC. To be called as state().
  [[nodiscard]] virtual unsigned flits_in(Port port, Vc vc) {
    RouterState state;
    registers(1u << port, state);
    return state.input[port][vc].count;
  }
  /// Whether that FIFO has ever held a flit. To be called as state().
  [[nodiscard]] virtual bool was_used(Port port, Vc vc) = 0;

  /// The end of a link that crosses the cut; null for a router in a router array, which takes what
  /// comes by itself.
  [[nodiscard]] virtual CutEnd* cut_end(Port /*link*/) { return nullptr; }

  [[nodiscard]] const RouterSite& site() const { return site_; }
  [[nodiscard]] Fabric& fabric() const { return site_.fabric; }
  [[nodiscard]] const RouterConfig& config() const { return site_.network.router; }
  [[nodiscard]] Address address() const { return site_.address; }
  [[nodiscard]] NodeId node() const { return site_.node; }

 private:
  RouterSite site_;
};

/// Makes the router of a site, such as RTL for one node and native routers for the others. An empty
/// one stands for native routers.
using RouterFactory =
    std::function<std::unique_ptr<NodeRouter>(const char* name, const RouterSite& site)>;

inline void report_blocked(const RouterState& state, const RouterSite& site, Cycle cycle,
                           FabricObserver& observer) {
  report_blocked(state, site.network, site.address, site.node, cycle, observer);
}
inline void report_grants(const RouterState& state, const RouterSite& site, Cycle cycle,
                          FabricObserver& observer) {
  report_grants(state, site.network.router, site.node, cycle, observer);
}

}  // namespace annelid::systemc
