// The messages that CCL's modes add to a call: docs/internals/algorithms/ccl-modes.md, "Calls of
// the host".
#pragma once

#include <optional>
#include <vector>

#include "simulation/results/run_result.hpp"
#include "simulation/scenario/collective.hpp"

namespace annelid::simulation {

/// Returns the messages that belong to no step of the call's schedule, in no order.
[[nodiscard]] std::vector<reference::Message> mode_messages(const Collective& collective);

/// Checks that processes end their calls when the operation, or barrier mode, lets them; nothing if
/// neither says when.
[[nodiscard]] std::optional<Check> check_barrier(const Collective& collective,
                                                 const systemc::NetworkConfig& network,
                                                 const CallResult& result);

}  // namespace annelid::simulation
