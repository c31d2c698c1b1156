// What the parts of one NIC share.
#pragma once

#include <array>
#include <string>

#include "nic/completions.hpp"
#include "nic/match.hpp"
#include "nic/nic_config.hpp"
#include "nic/nic_observer.hpp"
#include "nic/node_memory.hpp"
#include "systemc/observer.hpp"

namespace annelid {

struct Shared {
  Shared(const NicConfig& nic_config, NodeId node_id)
      : config(nic_config),
        node(node_id),
        address(nic_config.network.address(node_id)),
        memory(nic_config.memory_bytes),
        match(nic_config.network, node_id) {}

  [[nodiscard]] int ports() const { return config.network.router.local_ports; }

  /// The first error stops the node; later ones of the same cycle change nothing.
  void fail(Cycle now, reg::ErrorCause cause, const std::string& text) {
    if (error != reg::ErrorCause::kNone) return;
    error = cause;
    if (observer != nullptr) observer->failed(now, node, cause, text);
  }

  /// The queue of a send engine, or with kOwnNode of the delivery to the own node.
  [[nodiscard]] Fifo<Send>& queue(unsigned engine) { return sends[engine]; }

  const NicConfig config;
  const NodeId node;
  const Address address;
  NodeMemory memory;
  Match match;
  CompletionQueue completions;
  std::array<Fifo<Send>, kMaxLocalPorts + 1> sends;  ///< by injection port, then the own node's
  reg::ErrorCause error = reg::ErrorCause::kNone;
  NicObserver* observer = nullptr;
  FabricObserver* fabric_observer = nullptr;
};

/// "3,2"
inline std::string to_string(Address a) { return std::to_string(a.x) + ',' + std::to_string(a.y); }

/// The message of a queued or running send, as observers are told it.
inline MessageInfo info_of(const Send& send, NodeId self) {
  return {self, send.destination, send.tag, send.sequence, send.bytes, send.step};
}

}  // namespace annelid
