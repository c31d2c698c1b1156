// What a finished simulation says of itself.
#pragma once

#include "cli/run_result.hpp"
#include "cli/simulation.hpp"

namespace annelid::cli {

/// All of a result but the checks and the time on the host.
[[nodiscard]] RunResult collect(const Scenario& scenario, const Simulation& simulation,
                                const reference::Inputs& inputs);

}  // namespace annelid::cli
