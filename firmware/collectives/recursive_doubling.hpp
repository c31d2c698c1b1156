// Recursive doubling, the U-mesh broadcast, on any 2D mesh: docs/algorithms.md; Tsai,
// Section 3.2.2.
#pragma once

#include "firmware/collectives/broadcast.hpp"

namespace annelid::firmware::recursive_doubling {

/// m x n x 1, each 1..256.
bool fits(Size size);
/// Steps 1..ceil(log2 N), at most one send in each.
BroadcastPlan plan(Address self, Size size, Address root);
Task broadcast(Node& node, const Call& call);

}  // namespace annelid::firmware::recursive_doubling
