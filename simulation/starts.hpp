// Runs all starts of a scenario's calls, and checks each.
#pragma once

#include <vector>

#include "base/progress.hpp"
#include "simulation/machine/simulation.hpp"
#include "simulation/results/collect.hpp"
#include "simulation/results/run_result.hpp"

namespace annelid::simulation {

/// Prepares the calls that are to be prepared, makes all calls as often as the scenario says, and
/// frees what was prepared. Returns the result of the last start; a check has failed if it failed
/// in any start. `inputs` are those of the first start. Throws as Simulation::run() does. Of
/// several processes all call this, and process 0 gets the result.
[[nodiscard]] RunResult run_checked(const Scenario& scenario, Simulation& simulation,
                                    const std::vector<reference::Inputs>& inputs,
                                    Progress& progress, Collected what = Collected::kAll);

}  // namespace annelid::simulation
