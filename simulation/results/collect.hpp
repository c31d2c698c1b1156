// Collects the result of a finished simulation.
#pragma once

#include "simulation/machine/simulation.hpp"
#include "simulation/results/run_result.hpp"

namespace annelid::simulation {

/// Returns the whole result, except for the checks and the time on the host.
[[nodiscard]] RunResult collect(const Scenario& scenario, const Simulation& simulation,
                                const reference::Inputs& inputs);

}  // namespace annelid::simulation
