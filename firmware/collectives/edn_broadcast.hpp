// EDN broadcast on square meshes of 4·2^k nodes a side: docs/algorithms.md; Tsai, Section 3.3 and
// Appendix A.
#pragma once

#include "firmware/collectives/tree.hpp"

namespace annelid::firmware::edn_broadcast {

/// n x n x 1 with n = 4, 8, ... 256, and no rings. Steps 1..k+3, at most three sends in each.
extern const TreeRule kRule;

}  // namespace annelid::firmware::edn_broadcast
