// How checks name what they found.
#pragma once

#include <string>

#include "nic/message_log.hpp"
#include "systemc/network/config.hpp"

namespace annelid::simulation {

/// "3,1", as users name a node.
[[nodiscard]] std::string node_name_of(const systemc::NetworkConfig& network, NodeId node);
/// "step 2: 0,0 -> 3,1, 40 bytes".
[[nodiscard]] std::string name_of(const systemc::NetworkConfig& network,
                                  const nic::MessageRecord& message);
/// "in cycle 12", "never".
[[nodiscard]] std::string cycle_text(Cycle cycle);

}  // namespace annelid::simulation
