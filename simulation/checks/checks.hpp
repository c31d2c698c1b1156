// Compares a finished run with the reference, and with the invariants of the hardware.
#pragma once

#include "reference/operations.hpp"
#include "simulation/machine/simulation.hpp"
#include "simulation/results/run_result.hpp"

namespace annelid::simulation {

/// Fills result.checks, nodes_verified and reference_conflicts; the rest of the result must be
/// there. `inputs` are what the simulation was run with.
void check_run(Simulation& simulation, const reference::Inputs& inputs, RunResult& result);

}  // namespace annelid::simulation
