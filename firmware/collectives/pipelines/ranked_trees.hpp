// Broadcast, reduction and all-reduce along trees of ranks, in packets:
// docs/internals/algorithms/two-trees.md and by-rank.md.
#pragma once

#include "firmware/collectives/players/ranked.hpp"
#include "firmware/collectives/players/tree_schedule.hpp"

namespace annelid::firmware {

/// A process's part in an operation along trees.
struct RankedPart {
  explicit RankedPart(const Context& me) : self(me) {}
  /// `find` gives the schedule of a process.
  template <typename Find>
  RankedPart(const Context& me, const Find& find) : self(me), schedule(find(self)) {}

  Ranked self;
  TreeSchedule schedule;  ///< without trees there is only one process
  std::uint32_t packets;  ///< of each tree
};

/// Performs the call's operation along the trees of a part that the context has made.
Task play_trees(Context& me, const RankedPart& part);

}  // namespace annelid::firmware
