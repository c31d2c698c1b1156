// Collects the result of a finished simulation.
#pragma once

#include "simulation/machine/simulation.hpp"
#include "simulation/results/run_result.hpp"

namespace annelid::simulation {

/// Returns the messages of each call. With several calls, a message belongs to the one that has its
/// tag.
[[nodiscard]] std::vector<std::vector<nic::MessageRecord>> messages_by_call(
    const Simulation& simulation, std::size_t calls);

/// Returns the whole result, except for the checks and the time on the host.
[[nodiscard]] RunResult collect(const Scenario& scenario, const Simulation& simulation,
                                const std::vector<reference::Inputs>& inputs);

/// Follows the critical path of a run whose result has been collected.
[[nodiscard]] Account account_of(const Simulation& simulation, const RunResult& result);

}  // namespace annelid::simulation
