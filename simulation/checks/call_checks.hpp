// Checks a call by what the simulator saw, not by what the firmware reports: the cycles in which
// messages moved and memory was written.
#pragma once

#include "simulation/machine/simulation.hpp"
#include "simulation/results/call_messages.hpp"
#include "simulation/results/run_result.hpp"

namespace annelid::simulation {

/// A call, and what happened in it.
struct CheckedCall {
  const Scenario& scenario;
  std::size_t number;  ///< in the scenario
  const CallResult& result;
  const CallMessages& messages;

  [[nodiscard]] const Collective& collective() const { return scenario.calls[number].collective; }
};

/// "calls": everything that a node does for a call happens between the cycle in which the host
/// calls it and the cycle in which it ends the call. This covers the posting and the completion of
/// every send, the completion of every receive, and every write to the node's memory.
[[nodiscard]] Check check_calls(const Simulation& simulation, const CheckedCall& checked);

}  // namespace annelid::simulation
