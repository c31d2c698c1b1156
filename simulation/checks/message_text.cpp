#include "simulation/checks/message_text.hpp"

#include <fmt/format.h>

#include "systemc/network/node_text.hpp"

namespace annelid::simulation {

std::string node_name_of(const systemc::NetworkConfig& network, NodeId node) {
  return node_text(network, network.address(node));
}

std::string name_of(const systemc::NetworkConfig& network, const nic::MessageRecord& m) {
  return fmt::format("step {}: {} -> {}, {} bytes", m.info.step,
                     node_name_of(network, m.info.source),
                     node_name_of(network, m.info.destination), m.info.bytes);
}

std::string cycle_text(Cycle cycle) {
  return cycle == kNever ? "never" : fmt::format("in cycle {}", cycle);
}

}  // namespace annelid::simulation
