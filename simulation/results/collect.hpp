// Collects the result of a finished simulation.
#pragma once

#include <cstdint>
#include <vector>

#include "simulation/machine/simulation.hpp"
#include "simulation/results/call_messages.hpp"
#include "simulation/results/run_result.hpp"

namespace annelid::simulation {

/// Returns the messages of each of the calls. With several calls, a message belongs to the one that
/// has its tag.
[[nodiscard]] std::vector<CallMessages> messages_by_call(const Simulation& simulation,
                                                         std::size_t calls);

enum class Collected : std::uint8_t {
  kAll,        ///< the whole result, except for the checks and the time on the host
  kForChecks,  ///< no CRC-32, firmware cycles, instructions and channel loads, which no check reads
};

/// Returns the result. `messages` are those of the calls.
[[nodiscard]] RunResult collect(const Scenario& scenario, const Simulation& simulation,
                                const std::vector<reference::Inputs>& inputs,
                                const std::vector<CallMessages>& messages,
                                Collected what = Collected::kAll);

/// Follows the critical path of a run whose result has been collected.
[[nodiscard]] Account account_of(const Simulation& simulation, const RunResult& result);

}  // namespace annelid::simulation
