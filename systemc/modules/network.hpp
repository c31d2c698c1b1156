// Builds a mesh or torus with one router per node, connected to its neighbours in both directions;
// or builds the ideal network.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "systemc/fabric/fabric.hpp"
#include "systemc/modules/crossbar.hpp"
#include "systemc/modules/node_router.hpp"
#include "systemc/modules/router.hpp"

namespace annelid::systemc {

/// The routers of a mesh or torus, or the crossbar of an ideal network, which ignores
/// `make_router`. Ports at the rim stay unbound. The caller binds the local ports, with attach() or
/// through the ports of router(node).
///
/// Native routers are made when they are first asked for, at the latest when the elaboration ends.
/// A network of which only planes are needed has none: so it takes little time and memory per node.
///
/// If the fabric has a cut, there are only the routers of its slab, and nothing may be asked about
/// other nodes.
class Network : public sc_core::sc_module {
 public:
  Network(const sc_core::sc_module_name& name, Fabric& fabric, const NetworkConfig& config,
          RouterFactory make_router = {});

  [[nodiscard]] Fabric& fabric() const { return fabric_; }
  [[nodiscard]] const NetworkConfig& config() const { return config_; }
  /// Must not be called in an ideal network. Throws std::logic_error if the network runs without
  /// routers; whoever needs them calls this first before the elaboration ends.
  [[nodiscard]] NodeRouter& router(NodeId node) {
    if (routers_.empty()) make_routers();
    return *routers_[node];
  }

  /// Connects local port `local` (0..L-1) of a node to a NIC or generator. `to_router` takes the
  /// endpoint's flits and credits; `from_router` is the endpoint's own end.
  void attach(NodeId node, int local, sc_core::sc_port_b<LinkIf>& to_router,
              sc_core::sc_export<LinkIf>& from_router);
  /// Connects all local ports at once, if the network can run in planes without routers. Otherwise
  /// it returns false, and they are connected one by one.
  [[nodiscard]] bool attach(PlaneTerminals& terminals);

  // ---- After the elaboration --------------------------------------------------------------------

  /// The registers of a node's router, or of its ports in an ideal network. NodeRouter::state says
  /// when these functions may be called.
  void state(NodeId node, RouterState& state);
  /// The nodes that this process steps: all of them, unless the fabric has a cut.
  [[nodiscard]] Slab slab() const;
  /// The registers of some ports: see NodeRouter::registers.
  void registers(NodeId node, unsigned ports, RouterState& state);
  /// Of all nodes; with a cut, those of others are empty.
  [[nodiscard]] std::vector<RouterState> states();
  /// Collective: in process 0 the states of all nodes, in the others nothing. Without a cut,
  /// states().
  [[nodiscard]] std::vector<RouterState> all_states();
  /// The flits in a FIFO: see NodeRouter::flits_in.
  [[nodiscard]] unsigned flits_in(NodeId node, Port port, Vc vc);
  /// Whether that FIFO has ever held a flit: see NodeRouter::was_used. In an ideal network it must
  /// be that of an injection channel.
  [[nodiscard]] bool was_used(NodeId node, Port port, Vc vc);
  /// The flits in the FIFOs of all nodes: see RouterView::fill.
  [[nodiscard]] std::optional<RouterView::Fill> fill(Port port, Vc vc) const;

  /// The kind of processor that the planes were compiled for, if all routers run in planes; else
  /// empty.
  [[nodiscard]] std::string planes() const;
  /// Starts to count the flits of each output. Returns false if the routers do not run in planes.
  bool count_flits();
  /// Flits counted since then.
  [[nodiscard]] std::uint64_t flits_by(NodeId node, Port out) const;

 private:
  void before_end_of_elaboration() override;
  void end_of_elaboration() override;
  void make_routers();
  [[nodiscard]] RouterArray* array() const;
  void join_cut(Cut& cut);

  Fabric& fabric_;
  NetworkConfig config_;
  RouterFactory make_router_;
  PlaneTerminals* terminals_ = nullptr;               // of all nodes, in place of routers
  RouterArray* planes_ = nullptr;                     // with these terminals; none if null
  std::vector<std::unique_ptr<NodeRouter>> routers_;  // with a cut, null for those of others
  std::vector<std::unique_ptr<CutLink>> cut_links_;
  std::unique_ptr<Crossbar> crossbar_;  // of an ideal network
};

}  // namespace annelid::systemc
