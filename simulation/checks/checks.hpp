// Compares a finished run with the reference, and with the invariants of the hardware.
#pragma once

#include "reference/operations.hpp"
#include "simulation/machine/simulation.hpp"
#include "simulation/results/call_messages.hpp"
#include "simulation/results/collect.hpp"
#include "simulation/results/run_result.hpp"

namespace annelid::simulation {

/// Fills result.checks, and of each call nodes_verified and reference_conflicts; the caller must
/// have filled in what collect() collects for checks. `inputs` are the inputs of the simulation's
/// run, and `messages` those of its calls. Of several processes process 0 calls this, and the
/// others check_own_memory().
void check_run(Simulation& simulation, const std::vector<reference::Inputs>& inputs,
               const std::vector<CallMessages>& messages, RunResult& result);

/// Collects the result of a finished run, and checks it.
[[nodiscard]] RunResult checked_result(const Scenario& scenario, Simulation& simulation,
                                       const std::vector<reference::Inputs>& inputs,
                                       Collected what = Collected::kAll);

/// Checks the memory of this process's nodes, and tells process 0.
void check_own_memory(Simulation& simulation, const Scenario& scenario,
                      const std::vector<reference::Inputs>& inputs);

}  // namespace annelid::simulation
