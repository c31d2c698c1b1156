// Broadcast, reduction and all-reduce along trees of ranks, in packets:
// docs/internals/algorithms/two-trees.md and by-rank.md.
#pragma once

#include "firmware/collectives/players/ranked.hpp"
#include "firmware/collectives/players/tree_schedule.hpp"

namespace annelid::firmware {

/// Performs the call's operation along these trees, with `packets` packets in each tree. Without
/// trees there is only one process.
Task play_trees(Context& me, Ranked self, TreeSchedule schedule, std::uint32_t packets);

}  // namespace annelid::firmware
