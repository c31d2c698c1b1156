// The node and the network that a NIC belongs to.
#pragma once

#include <string>

#include "nic/nic_config.hpp"
#include "nic/nic_observer.hpp"
#include "nic/places.hpp"
#include "systemc/network/node_text.hpp"
#include "systemc/network/route.hpp"

namespace annelid::nic {

/// The injection port of a packet that leaves by its route (docs/internals/nic/engines.md).
/// `from` and `to` must differ.
constexpr Port port_by_route(const systemc::NetworkConfig& network, Address from, Address to) {
  return static_cast<Port>(systemc::first_output(network, from, to) % network.router.local_ports);
}

struct NodeIdentity {
  NodeIdentity(const NicConfig& nic_config, NodeId node_id)
      : config(nic_config), node(node_id), address(nic_config.network.address(node_id)) {}

  [[nodiscard]] int ports() const { return config.network.router.local_ports; }
  /// A send of this node, in the form that observers get.
  [[nodiscard]] MessageInfo info(const SendPlace& send) const {
    return {node, send.destination, send.tag, send.sequence, send.bytes, send.step};
  }

  /// The name of a node of this network in reports, such as "3,2".
  [[nodiscard]] std::string text(Address a) const { return systemc::node_text(config.network, a); }

  const NicConfig config;
  const NodeId node;
  const Address address;
};

}  // namespace annelid::nic
