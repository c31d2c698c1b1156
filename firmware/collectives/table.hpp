// The collectives that the firmware knows, and the main coroutine that serves them.
#pragma once

#include "firmware/platform/node.hpp"
#include "firmware/platform/task.hpp"

namespace annelid::firmware {

/// The firmware's main coroutine: takes calls, runs them, tells the host, for ever.
Task serve(Node& node);

}  // namespace annelid::firmware
