// Checks what the firmware answers to the preparation of calls, and that the NICs play them.
#pragma once

#include "simulation/machine/simulation.hpp"
#include "simulation/results/run_result.hpp"

namespace annelid::simulation {

/// After a start: adds the check "lists" of each prepared call. At each node the call's list has
/// room for the messages that the schedule sends from there and to there, and the cores have
/// executed nothing in the start, if all of its calls were prepared.
void add_list_checks(const Simulation& simulation, const StartResult& start, RunResult& result);

/// After all starts: adds the check "prepare". Each node has another handle for each call, which is
/// not 0, and the lists fit into their room.
void add_prepare_checks(const Simulation& simulation, RunResult& result);

}  // namespace annelid::simulation
