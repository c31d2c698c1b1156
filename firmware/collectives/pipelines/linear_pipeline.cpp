// Rank after rank: docs/internals/algorithms/by-rank.md, "Linear pipeline". PARAMETER_1: packets,
// or 0: by the block's length.
#include "firmware/collectives/pipelines/ranked_scan.hpp"
#include "firmware/collectives/pipelines/ranked_trees.hpp"

namespace annelid::firmware {

namespace linear_pipeline {

CallResult check(const Context& me) { return check_ranked(me, kPacketBits, is_root_at_an_end(me)); }

Task run(Context& me) {
  auto& part = me.make<RankedPart>(me);
  const std::uint32_t size = part.self.size(), own = part.self.relative();
  part.schedule.trees = size > 1 ? 1 : 0;
  part.schedule.last = size - 1;
  TreeNode& node = part.schedule.node[0];
  node.first = own;
  if (own > 0) node.parent = own - 1;
  if (own + 1 < size) node.right = {own + 1, own + 1};
  part.packets = packets_of(me.call(), size, 200);
  return play_trees(me, part);
}

}  // namespace linear_pipeline

namespace linear_pipeline_scan {

CallResult check(const Context& me) { return check_ranked(me, kPacketBits, true); }

/// The last rank is the root; nothing goes down.
Task run(Context& me) {
  auto& part = me.make<ScanPart>(me);
  const std::uint32_t size = part.self.size(), own = part.self.relative() + 1;
  part.schedule.trees = size > 1 ? 1 : 0;
  ScanNode& node = part.schedule.node[0];
  if (own > 1) node.left = {own - 1, own - 1, 0};
  if (own < size) node.parent = {own + 1, own, 0};
  node.holds_last = own == size;
  part.packets = packets_of(me.call(), size, 200);
  return play_scan(me, part);
}

}  // namespace linear_pipeline_scan

}  // namespace annelid::firmware
