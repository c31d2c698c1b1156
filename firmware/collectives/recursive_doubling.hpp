// Recursive doubling, the U-mesh broadcast: docs/internals/algorithms/trees.md; Tsai,
// Section 3.3.3.
#pragma once

#include "firmware/collectives/tree.hpp"

namespace annelid::firmware::recursive_doubling {

/// Over ALL the processes are halved in U-mesh order, lexicographic by (x, y, z), in which the
/// messages of a step do not meet in a mesh; over any other group in the order of their ranks,
/// which is whatever order its maker chose. Steps 1..ceil(log2 n), at most one send in each.
extern const TreeRule kRule;

}  // namespace annelid::firmware::recursive_doubling
