// Scan and exscan along in-order trees of ranks, in packets:
// docs/internals/algorithms/two-trees.md; Sanders, Speck and Träff 2009, Section 4.3.
#pragma once

#include "firmware/collectives/players/ranked.hpp"
#include "firmware/collectives/players/tree_schedule.hpp"

namespace annelid::firmware {

/// An edge between a process and its parent, with the steps in which the first packet goes up and
/// the first packet goes down.
struct ScanEdge {
  std::uint32_t process = kNobody;  ///< the other end
  std::uint32_t up = 0, down = 0;
};
/// A process in one tree. Process i has rank i - 1.
struct ScanNode {
  ScanEdge parent, left, right;
  /// As in TreeNode. With holds_first the process gets nothing from above; with holds_last it sends
  /// nothing up.
  bool holds_first = true, holds_last = true;
};
struct ScanSchedule {
  std::uint32_t trees = 0, period = 1;
  ScanNode node[TreeSchedule::kMostTrees];
  bool simplex = false;  ///< as in TreeSchedule
};

/// Makes the schedule in which packets go up all trees, in reversed time, and then down. Each tree
/// carries `packets` of them.
ScanSchedule scan_along(const TreeSchedule& trees, std::uint32_t packets);

/// A process's part in a scan.
struct ScanPart {
  explicit ScanPart(const Context& me) : self(me) {}
  template <typename Find>
  ScanPart(const Context& me, const Find& find) : self(me), schedule(find(self)) {}

  Ranked self;
  ScanSchedule schedule;  ///< without trees there is only one process
  std::uint32_t packets;  ///< of each tree
};

/// Plays a part that the context has made.
Task play_scan(Context& me, const ScanPart& part);

}  // namespace annelid::firmware
