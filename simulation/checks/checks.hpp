// Compares a finished run with the reference, and with the invariants of the hardware.
#pragma once

#include "reference/operations.hpp"
#include "simulation/machine/simulation.hpp"
#include "simulation/results/run_result.hpp"

namespace annelid::simulation {

/// Fills result.checks, and of each call nodes_verified and reference_conflicts; the caller must
/// have filled in the rest of the result. `inputs` are the inputs of the simulation's run.
void check_run(Simulation& simulation, const std::vector<reference::Inputs>& inputs,
               RunResult& result);

}  // namespace annelid::simulation
