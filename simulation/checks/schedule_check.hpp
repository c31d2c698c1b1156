// Compares the messages of a call with those of the reference's schedule.
#pragma once

#include "reference/schedule/network.hpp"
#include "simulation/checks/call_checks.hpp"

namespace annelid::simulation {

/// "schedule": each step has the messages of the reference, between the same nodes and of the same
/// lengths, and all of them arrived. Step 0 has those of CCL's modes. Messages to the own node are
/// copies, no part of a schedule. A difference is the first one in the order of steps, then of the
/// senders, the receivers and the lengths.
[[nodiscard]] Check check_schedule(const CheckedCall& checked, const reference::Schedule& schedule);

}  // namespace annelid::simulation
