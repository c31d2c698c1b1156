// Checks that the messages of a call wait for what the schedule makes them wait for.
#pragma once

#include "reference/schedule/network.hpp"
#include "simulation/checks/call_checks.hpp"

namespace annelid::simulation {

/// "order": a node posts a message only after it has received everything that earlier steps of the
/// message's strand send it, and earlier steps of all strands up to where they last join. Messages
/// of step 0 are not ordered. The check does not run if no message depends on another.
[[nodiscard]] Check check_order(const CheckedCall& checked, const reference::Schedule& schedule);

}  // namespace annelid::simulation
