// Builds a mesh or torus with one router per node, connected to its neighbours in both directions;
// or builds the ideal network.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "systemc/router/crossbar.hpp"
#include "systemc/router/fabric.hpp"
#include "systemc/router/node_router.hpp"
#include "systemc/router/router.hpp"

namespace annelid::systemc {

/// The routers of a mesh or torus, or the crossbar of an ideal network, which ignores
/// `make_router`. Ports at the rim stay unbound. The caller binds the local ports, with attach() or
/// through the ports of router(node).
class Network : public sc_core::sc_module {
 public:
  Network(const sc_core::sc_module_name& name, Fabric& fabric, const NetworkConfig& config,
          const RouterFactory& make_router = make_native_router);

  [[nodiscard]] Fabric& fabric() const { return fabric_; }
  [[nodiscard]] const NetworkConfig& config() const { return config_; }
  /// Must not be called in an ideal network.
  [[nodiscard]] NodeRouter& router(NodeId node) { return *routers_[node]; }

  /// Connects local port `local` (0..L-1) of a node to a NIC or generator. `to_router` takes the
  /// endpoint's flits and credits; `from_router` is the endpoint's own end.
  void attach(NodeId node, int local, sc_core::sc_port_b<LinkIf>& to_router,
              sc_core::sc_export<LinkIf>& from_router);

  /// The registers of a node's router, or of its ports in an ideal network. NodeRouter::state says
  /// when these functions may be called.
  void state(NodeId node, RouterState& state);
  /// The registers of some ports: see NodeRouter::registers.
  void registers(NodeId node, unsigned ports, RouterState& state);
  [[nodiscard]] std::vector<RouterState> states();
  /// The flits in a FIFO: see NodeRouter::flits_in.
  [[nodiscard]] unsigned flits_in(NodeId node, Port port, Vc vc);

  /// The kind of processor that the planes were compiled for, if all routers run in planes; else
  /// empty.
  [[nodiscard]] std::string planes() const;
  /// Starts to count the flits of each output. Returns false if the routers do not run in planes.
  bool count_flits();
  /// Flits counted since then.
  [[nodiscard]] std::uint64_t flits_by(NodeId node, Port out) const;

 private:
  Fabric& fabric_;
  NetworkConfig config_;
  std::vector<std::unique_ptr<NodeRouter>> routers_;
  std::unique_ptr<Crossbar> crossbar_;  // of an ideal network
};

}  // namespace annelid::systemc
