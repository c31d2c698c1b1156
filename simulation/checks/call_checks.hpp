// What the simulator saw of a call, whatever the firmware says: when messages moved and memory was
// written.
#pragma once

#include "simulation/machine/simulation.hpp"
#include "simulation/results/run_result.hpp"

namespace annelid::simulation {

/// "calls": everything that a node does for a call lies between the cycle in which it is called and
/// the one in which it ends the call. That is the posting and the completion of all that it sends,
/// the completion of all that it receives, and every write to its memory.
[[nodiscard]] Check check_calls(const Simulation& simulation, const Scenario& scenario);

/// "order": a node posts a message only when it has all that the steps before bring it. Step 0 has
/// no place in the order. The check does not run where no message depends on another.
[[nodiscard]] Check check_order(const Simulation& simulation, const Scenario& scenario);

}  // namespace annelid::simulation
