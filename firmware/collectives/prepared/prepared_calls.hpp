// PREPARE, START and FREE: docs/internals/nic/calls.md, "Prepared calls".
#pragma once

#include "firmware/collectives/collective.hpp"

namespace annelid::firmware {

/// Serves the three operations for the host; UNKNOWN_OPERATION if it is none of them.
CallResult serve_prepared(Context& me, std::optional<Task>& task);

}  // namespace annelid::firmware
