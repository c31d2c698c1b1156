// Which node of which network a NIC is.
#pragma once

#include <string>

#include "nic/nic_config.hpp"
#include "nic/nic_observer.hpp"
#include "nic/places.hpp"

namespace annelid::nic {

struct NodeIdentity {
  NodeIdentity(const NicConfig& nic_config, NodeId node_id)
      : config(nic_config), node(node_id), address(nic_config.network.address(node_id)) {}

  [[nodiscard]] int ports() const { return config.network.router.local_ports; }
  /// A send of this node as observers are told it.
  [[nodiscard]] MessageInfo info(const SendPlace& send) const {
    return {node, send.destination, send.tag, send.sequence, send.bytes, send.step};
  }

  const NicConfig config;
  const NodeId node;
  const Address address;
};

/// "3,2"
inline std::string to_string(Address a) { return std::to_string(a.x) + ',' + std::to_string(a.y); }

}  // namespace annelid::nic
