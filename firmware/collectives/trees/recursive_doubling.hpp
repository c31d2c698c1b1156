// Recursive doubling, the U-mesh broadcast: docs/internals/algorithms/trees.md; Tsai,
// Section 3.3.3.
#pragma once

#include "firmware/collectives/trees/tree.hpp"

namespace annelid::firmware::recursive_doubling {

/// On ALL the processes are halved in U-mesh order, lexicographic by (x, y, z): in a mesh the
/// messages of a step then share no channel. On any other group they are halved in the order of
/// their ranks, which the maker of the group chose. The steps are 1..ceil(log2 n), with at most one
/// send in each.
extern const TreeRule kRule;

}  // namespace annelid::firmware::recursive_doubling
