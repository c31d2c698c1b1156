// Calls in CCL's modes: docs/internals/algorithms/ccl-modes.md, "Calls of the host".
#pragma once

#include <optional>

#include "firmware/collectives/collective.hpp"

namespace annelid::firmware {

/// Serves a call whose OPERATION has kOperationInModes, as FLAGS say. Its messages beside those of
/// the operation have step 0.
CallResult serve_in_modes(Context& me, std::optional<Task>& task);

}  // namespace annelid::firmware
