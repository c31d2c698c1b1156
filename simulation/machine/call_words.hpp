// The words of the calls that the host makes: collectives, and what makes and frees groups
// (firmware/README.md, "The host's calls").
#pragma once

#include <cstdint>
#include <vector>

#include "nic/nic_config.hpp"
#include "simulation/machine/host.hpp"
#include "simulation/scenario/memory_plan.hpp"
#include "simulation/scenario/scenario.hpp"

namespace annelid::simulation {

[[nodiscard]] nic::Call call_of(const Collective& collective, const MemoryLayout& layout,
                                std::uint16_t tag);

/// The nodes 0, 1, ...
[[nodiscard]] std::vector<NodeId> all_nodes(const reference::Network& network);

/// Returns what the host does for the calls of a scenario. The tag of call i is i + 1.
[[nodiscard]] std::vector<HostCall> host_calls(const std::vector<ScenarioCall>& calls,
                                               const MemoryPlan& plan);

/// Returns what makes the groups of a set that is not made with another.
[[nodiscard]] HostCall making_call(const GroupSet& set, const GroupLayout& layout,
                                   const reference::Network& network, std::uint16_t tag);
/// Returns what frees the places of these groups.
[[nodiscard]] std::vector<HostCall> freeing_calls(const GroupSet& set, const HostCall& making);

}  // namespace annelid::simulation
