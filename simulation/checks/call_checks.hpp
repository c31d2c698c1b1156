// Checks a call by what the simulator saw, not by what the firmware reports: the cycles in which
// messages moved and memory was written.
#pragma once

#include "simulation/machine/simulation.hpp"
#include "simulation/results/run_result.hpp"

namespace annelid::simulation {

/// A call, and what happened in it.
struct CheckedCall {
  const Scenario& scenario;
  std::size_t number;  ///< in the scenario
  const CallResult& result;
  const std::vector<nic::MessageRecord>& messages;

  [[nodiscard]] const Collective& collective() const { return scenario.calls[number].collective; }
};

/// "calls": everything that a node does for a call happens between the cycle in which the host
/// calls it and the cycle in which it ends the call. This covers the posting and the completion of
/// every send, the completion of every receive, and every write to the node's memory.
[[nodiscard]] Check check_calls(const Simulation& simulation, const CheckedCall& checked);

/// "order": a node posts a message only after it has received everything that earlier steps of the
/// message's strand send it, and earlier steps of all strands up to where they last join. Messages
/// of step 0 are not ordered. The check does not run if no message depends on another.
[[nodiscard]] Check check_order(const CheckedCall& checked, const reference::Schedule& schedule);

}  // namespace annelid::simulation
