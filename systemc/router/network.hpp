// Builds a mesh or torus with a router per node, neighbours bound in both directions; or the ideal
// network.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "systemc/router/crossbar.hpp"
#include "systemc/router/fabric.hpp"
#include "systemc/router/node_router.hpp"
#include "systemc/router/router.hpp"

namespace annelid::systemc {

/// The routers of a mesh or torus, or the crossbar of an ideal network, which has no use for
/// `make_router`. Ports at the rim stay unbound; local ports are the caller's to bind, with
/// attach() or by the ports of router(node).
class Network : public sc_core::sc_module {
 public:
  Network(const sc_core::sc_module_name& name, Fabric& fabric, const NetworkConfig& config,
          const RouterFactory& make_router = make_native_router);

  [[nodiscard]] Fabric& fabric() const { return fabric_; }
  [[nodiscard]] const NetworkConfig& config() const { return config_; }
  /// Not in an ideal network.
  [[nodiscard]] NodeRouter& router(NodeId node) { return *routers_[node]; }

  /// Joins local port `local` (0..L-1) of a node to a NIC or generator: `to_router` takes the
  /// endpoint's flits and credits, `from_router` is the endpoint's own end.
  void attach(NodeId node, int local, sc_core::sc_port_b<LinkIf>& to_router,
              sc_core::sc_export<LinkIf>& from_router);

  /// The registers of a node's router, or of its ports in an ideal network; of all, by node. When
  /// they may be called: NodeRouter::state.
  void state(NodeId node, RouterState& state);
  /// Likewise: NodeRouter::registers.
  void registers(NodeId node, unsigned ports, RouterState& state);
  [[nodiscard]] std::vector<RouterState> states();
  /// Likewise: NodeRouter::flits_in.
  [[nodiscard]] unsigned flits_in(NodeId node, Port port, Vc vc);

  /// If all routers run in planes, the processor that these were compiled for; else empty.
  [[nodiscard]] std::string planes() const;
  /// Routers in planes count the flits of each output from now on: false without them.
  bool count_flits();
  /// Flits since then.
  [[nodiscard]] std::uint64_t flits_by(NodeId node, Port out) const;

 private:
  Fabric& fabric_;
  NetworkConfig config_;
  std::vector<std::unique_ptr<NodeRouter>> routers_;
  std::unique_ptr<Crossbar> crossbar_;  // of an ideal network
};

}  // namespace annelid::systemc
