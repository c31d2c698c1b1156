// What a finished run is held against: the reference, and the hardware's own invariants.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "cli/run_result.hpp"
#include "cli/simulation.hpp"

namespace annelid::cli {

/// Fills result.checks and nodes_verified; the rest of the result must be there.
void check_run(Simulation& simulation, std::span<const std::byte> payload, RunResult& result);

}  // namespace annelid::cli
