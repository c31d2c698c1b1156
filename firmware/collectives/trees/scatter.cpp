#include "firmware/collectives/buffers/copy.hpp"
#include "firmware/collectives/trees/tree_players.hpp"

namespace annelid::firmware {

Task scatter_by(Context& me, const Frame& frame, const TreeRule& rule) {
  const Call& call = me.call();
  const Address self = frame.self();
  const std::uint32_t bytes = call.bytes();
  TreePlan plan;
  rule.find_parent(frame, self, plan);
  const bool is_root = plan.receive_step == 0;
  bool sends = rule.next_step(frame, self, plan);

  // The blocks of this node's tree, its own first, as the message holds them.
  const std::uint32_t blocks = call.scratch();
  if (!is_root) {
    const bool leaf = !sends;
    const Buffer room = leaf ? Buffer{call.target(), bytes}
                             : Buffer{blocks, subtree_nodes(rule, frame, self) * bytes};
    co_await Transfer(me, Direction::kReceive,
                      message(me, frame.address(plan.parent), room,
                              static_cast<std::uint32_t>(plan.receive_step)));
    if (leaf) co_return CallResult::kSuccess;
  }
  // At the root: the ranks in the order of the blocks.
  const std::uint32_t ranks = (blocks + me.group().size() * bytes + 3) & ~3U;
  if (is_root) list_subtree(rule, frame, self, me.memory(), ranks);

  Batch<8> copied;
  Batch<TreePlan::kMaxSendsPerStep> sent;
  std::uint32_t placed = 1;  // blocks before this are in their place, or need none
  std::uint32_t next = 1;    // the first block that is not queued to be sent
  while (sends) {
    const ChildTrees trees = child_trees(rule, frame, plan);
    const std::uint32_t behind = next + trees.nodes;
    for (; is_root && placed < behind; ++placed) {
      if (!copied.has_room(2)) co_await copied;
      const std::uint32_t rank = me.memory().load<std::uint32_t>(ranks + 4 * placed);
      add_copy(me, copied, blocks + placed * bytes, {call.source() + rank * bytes, bytes});
    }
    co_await copied;
    for (std::size_t i = 0; i < plan.sends().size(); ++i) {
      const Buffer part{blocks + (next + trees.tree[i].first) * bytes, trees.tree[i].nodes * bytes};
      sent.add(
          me, Direction::kSend,
          message(me, frame.address(plan.sends()[i]), part, static_cast<std::uint32_t>(plan.step)));
    }
    next = behind;
    sends = rule.next_step(frame, self, plan);
    co_await sent;
  }
  const std::uint32_t own = is_root ? call.source() + me.group().rank() * bytes : blocks;
  add_copy(me, copied, call.target(), {own, bytes});
  co_await copied;
  co_return CallResult::kSuccess;
}

}  // namespace annelid::firmware
