// What the steps of a schedule put on the channels of a network: the exact form of the conflict
// factors in the costs of Barnett and others 1994, Section 6.
#pragma once

#include "reference/intercom/schedule.hpp"

namespace annelid::reference::intercom {

/// The load of a step. A message of 0 bytes counts as a message.
struct StepLoad {
  int messages = 0;                  ///< on the busiest channel; at least 1 if there are messages
  std::uint64_t channel_bytes = 0;   ///< on the busiest channel of the network
  std::uint64_t port_bytes = 0;      ///< of the longest message: a node sends one, and receives one
  std::uint64_t combined_bytes = 0;  ///< of the longest message that is combined
  friend bool operator==(const StepLoad&, const StepLoad&) = default;
};

/// Returns the load of every step, when rank r is at nodes[r]. Routes are
/// those of reference/checks/contention.hpp. On an ideal network no two messages share a channel.
/// Throws std::invalid_argument unless there is a node of the network for each rank.
std::vector<StepLoad> loads_of(const StagedSchedule& schedule, const Network& net,
                               const std::vector<Node>& nodes);

/// Returns, for each stage, the messages on the busiest channel of any of its steps. On a linear
/// array this is the product of the sizes of all nearer dimensions, as Section 6 has it, if lines
/// with all coordinates in them take part. A stage without steps has 0.
std::vector<int> stage_contention(const StagedSchedule& schedule,
                                  const std::vector<StepLoad>& loads);

}  // namespace annelid::reference::intercom
