// Two trees of couples, for NICs that cannot send and receive at once:
// docs/internals/algorithms/two-trees.md; Sanders, Speck and Träff 2009, Section 5.2.
// PARAMETER_1: packets of each tree, or 0: by the block's length.
#include "firmware/collectives/pipelines/ranked_trees.hpp"
#include "firmware/collectives/two_trees/two_trees.hpp"

namespace annelid::firmware::two_tree_couples {
namespace {

std::uint32_t receiver(std::uint32_t couple) { return 2 * couple - 1; }
std::uint32_t sender(std::uint32_t couple) { return 2 * couple; }

/// A couple's step t: others' senders to receivers, then receivers to their own senders.
std::uint32_t between(std::uint32_t step) { return 2 * step - 1; }
std::uint32_t within(std::uint32_t step) { return 2 * step; }

/// One process's part of a couple's.
TreeNode part_of(const TreeNode& couple, std::uint32_t own) {
  const std::uint32_t number = (own + 1) / 2;
  TreeNode node;
  if (own == receiver(number)) {
    node.parent = couple.parent == 0 ? 0 : sender(couple.parent);
    node.first = between(couple.first);
    node.left = {sender(number), within(couple.first)};
    return node;
  }
  if (own != 0) {
    node.parent = receiver(number);
    node.first = within(couple.first);
  }
  if (couple.left.process != kNobody)
    node.left = {receiver(couple.left.process), between(couple.left.first)};
  if (couple.right.process != kNobody)
    node.right = {receiver(couple.right.process), between(couple.right.first)};
  return node;
}

TreeSchedule schedule_of(std::uint32_t own, std::uint32_t size) {
  const std::uint32_t couples = (size - 1) / 2, left_over = size % 2 == 0 ? size - 1 : kNobody;
  TreeSchedule schedule{2, 2, 2, {}};
  if (couples > 0 && own != left_over)
    schedule = TwoTrees(couples, false, false).of((own + 1) / 2, false);
  else if (couples > 0)
    schedule = TwoTrees(couples, false, false).of(0, false);
  for (std::uint32_t tree = 0; tree < 2; ++tree) {
    TreeNode& node = schedule.node[tree];
    const std::uint32_t to_partner = within(1 + tree);  // after the packet went to the tree's root
    if (own == left_over) {
      node = {};
      node.parent = 0;
      node.first = to_partner;
      continue;
    }
    node = couples > 0 ? part_of(node, own) : TreeNode{};
    if (own == 0 && left_over != kNobody) node.left = {left_over, to_partner};
  }
  schedule.period *= 2;
  schedule.last *= 2;
  schedule.simplex = true;
  return schedule;
}

}  // namespace

CallResult check(const Context& me) { return check_ranked(me, kPacketBits | kReceivesBits, false); }

Task run(Context& me) {
  auto& part = me.make<RankedPart>(me);
  auto& [self, schedule, packets] = part;
  const std::uint32_t size = self.size();
  if (size > 1 && self.member()) schedule = schedule_of(self.relative(), size);
  packets = packets_of(me.call(), ceil_log2((size - 1) / 2 + 2), 400);
  return play_trees(me, part);
}

}  // namespace annelid::firmware::two_tree_couples
