// What node memory holds before a run.
#pragma once

#include <memory>
#include <vector>

#include "nic/nic.hpp"
#include "simulation/machine/untouched_memory.hpp"
#include "simulation/scenario/memory_plan.hpp"
#include "simulation/scenario/scenario.hpp"

namespace annelid::simulation {

/// Writes the inputs of each call, the lists of groups that are made from a list, and the filler of
/// everything that nothing may write, into the memory of each node that has a NIC.
void fill_memory(const std::vector<std::unique_ptr<nic::Nic>>& nics, const Scenario& scenario,
                 const MemoryPlan& plan, const std::vector<reference::Inputs>& inputs,
                 Filler& filler);

/// Before the calls are made again: writes these inputs, and filler into TARGET, SCRATCH and
/// whatever else a call before has written. So a call that takes old bytes for new ones has other
/// results. From now on nothing may write to what calls were prepared with, either.
void refill_memory(const std::vector<std::unique_ptr<nic::Nic>>& nics, const Scenario& scenario,
                   const MemoryPlan& plan, const std::vector<reference::Inputs>& inputs,
                   Filler& filler);

/// Returns the end of a call's part of node memory: that of the whole memory for the last one, if
/// nothing lies behind it.
[[nodiscard]] std::uint64_t end_of_call(const MemoryPlan& plan, std::size_t call,
                                        std::uint64_t memory_bytes);

/// Returns the memory behind the calls that is in no buffer of groups or prepared calls; nothing if
/// there are none.
[[nodiscard]] std::vector<Untouched> untouched_behind_calls(const MemoryPlan& plan,
                                                            std::uint64_t memory_bytes);

/// The members of a group as its list has them: 32-bit node numbers by rank.
[[nodiscard]] std::vector<std::byte> list_bytes(const ProcessGroup& group,
                                                const reference::Network& network);

}  // namespace annelid::simulation
