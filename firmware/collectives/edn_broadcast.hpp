// EDN broadcast on square meshes of 4·2^k nodes a side: docs/algorithms.md; Tsai, Section 3.3 and
// Appendix A.
#pragma once

#include "firmware/collectives/broadcast.hpp"

namespace annelid::firmware::edn {

/// n x n x 1 with n = 4, 8, ... 256.
bool fits(Size size);
/// Steps 1..k+3, at most three sends in each.
BroadcastPlan plan(Address self, Size size, Address root);
Task broadcast(Node& node, const Call& call);

}  // namespace annelid::firmware::edn
