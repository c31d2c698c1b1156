// Rank after rank: docs/internals/algorithms/by-rank.md, "Linear pipeline". PARAMETER_1: packets,
// or 0: by the block's length.
#include "firmware/collectives/pipelines/ranked_scan.hpp"
#include "firmware/collectives/pipelines/ranked_trees.hpp"

namespace annelid::firmware {

namespace linear_pipeline {

CallResult check(const Context& me) { return check_ranked(me, kPacketBits, is_root_at_an_end(me)); }

Task run(Context& me) {
  const Ranked self(me);
  const std::uint32_t size = self.size(), own = self.relative();
  TreeSchedule schedule{size > 1 ? 1U : 0U, 1, size - 1, {}};
  TreeNode& node = schedule.node[0];
  node.first = own;
  if (own > 0) node.parent = own - 1;
  if (own + 1 < size) node.right = {own + 1, own + 1};
  return play_trees(me, self, schedule, packets_of(me.call(), size, 200));
}

}  // namespace linear_pipeline

namespace linear_pipeline_scan {

CallResult check(const Context& me) { return check_ranked(me, kPacketBits, true); }

/// The last rank is the root; nothing goes down.
Task run(Context& me) {
  const Ranked self(me);
  const std::uint32_t size = self.size(), own = self.relative() + 1;
  ScanSchedule schedule{size > 1 ? 1U : 0U, 1, {}};
  ScanNode& node = schedule.node[0];
  if (own > 1) node.left = {own - 1, own - 1, 0};
  if (own < size) node.parent = {own + 1, own, 0};
  node.holds_last = own == size;
  return play_scan(me, self, schedule, packets_of(me.call(), size, 200));
}

}  // namespace linear_pipeline_scan

}  // namespace annelid::firmware
