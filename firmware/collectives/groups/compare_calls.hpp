// Develop mode: docs/internals/algorithms/ccl-modes.md, "Calls of the host".
#pragma once

#include "firmware/platform/node.hpp"
#include "firmware/platform/task.hpp"

namespace annelid::firmware {

/// What the comparison takes of SCRATCH, from its begin on. It is at a multiple of 4.
constexpr std::uint32_t kComparisonBytes = 168;

/// All members compare their calls with those of the members below them in a tree; the first member
/// tells all of a difference, which is then at SCRATCH. The result is CALLS_DIFFER at each.
Task compare_calls(Context& me);

}  // namespace annelid::firmware
