// EDN broadcast on square meshes of 4·2^k nodes a side: docs/algorithms.md; Tsai, Section 3.3 and
// Appendix A.
#pragma once

#include "firmware/collectives/broadcast.hpp"

namespace annelid::firmware::edn_broadcast {

/// n x n x 1 with n = 4, 8, ... 256, and no rings.
bool fits(const Topology& network);
/// Over ALL. Steps 1..k+3, at most three sends in each.
void find_parent(const Group& group, std::uint32_t root, BroadcastPlan& plan);
bool next_step(const Group& group, std::uint32_t root, BroadcastPlan& plan);
inline constexpr BroadcastRule kRule{find_parent, next_step};

}  // namespace annelid::firmware::edn_broadcast
