// One pipelined binary tree below the root: docs/internals/algorithms/by-rank.md, "Binary tree".
// PARAMETER_1: packets, or 0: by the block's length.
#include "firmware/collectives/pipelines/ranked_trees.hpp"

namespace annelid::firmware::binary_tree {
namespace {

/// Steps from a process's first packet to its child's.
constexpr std::uint32_t kToLeft = 1, kToRight = 2;

/// The first step of a process.
std::uint32_t first_step(const InOrderTree& tree, std::uint32_t i) {
  std::uint32_t step = 1;
  while (i != tree.root()) {
    const std::uint32_t parent = tree.parent(i);
    step += parent > i ? kToLeft : kToRight;
    i = parent;
  }
  return step;
}

/// The step of the last process. Left subtrees are complete: its latest leaf is right of all but
/// the subtree's root.
std::uint32_t last_step(const InOrderTree& tree) {
  std::uint32_t last = 1, step = 1;
  for (std::uint32_t i = tree.root();; step += kToRight) {
    const std::uint32_t h = floor_log2(InOrderTree::span(i));
    if (h > 0 && last < step + kToLeft + kToRight * (h - 1))
      last = step + kToLeft + kToRight * (h - 1);
    if (last < step) last = step;
    if (i == tree.size()) return last;
    i = tree.right(i);
  }
}

}  // namespace

CallResult check(const Context& me) {
  return check_ranked(me, kPacketBits | kReceivesBits, is_root_at_an_end(me));
}

Task run(Context& me) {
  auto& part = me.make<RankedPart>(me);
  auto& [self, schedule, packets] = part;
  const std::uint32_t size = self.size(), own = self.relative();
  schedule.trees = size > 1 ? 1 : 0;
  schedule.period = 2;
  TreeNode& node = schedule.node[0];
  const InOrderTree tree(size > 1 ? size - 1 : 1);
  if (size > 1) schedule.last = last_step(tree);
  if (own == 0) {
    node.right = {tree.root(), 1};
  } else if (self.member()) {
    node.first = first_step(tree, own);
    node.parent = own == tree.root() ? 0 : tree.parent(own);
    if (own % 2 == 0) node.left = {InOrderTree::left(own), node.first + kToLeft};
    const std::uint32_t right = tree.right(own);
    if (right != kNobody) node.right = {right, node.first + kToRight};
  }
  packets = packets_of(me.call(), ceil_log2(size), 200);
  return play_trees(me, part);
}

}  // namespace annelid::firmware::binary_tree
