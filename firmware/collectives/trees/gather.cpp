#include "firmware/collectives/buffers/copy.hpp"
#include "firmware/collectives/trees/tree_players.hpp"

namespace annelid::firmware {
namespace {

constexpr std::uint32_t kReceivesAtOnce = 8;

}  // namespace

CallResult check_gather_or_scatter(const Context& me) {
  const Call& call = me.call();
  if (call.bytes() > reg::kMaxMessageBytes) return CallResult::kBadArgument;
  const std::uint64_t nodes = me.group().size(), all = nodes * call.bytes();
  const bool gather = call.operation() == reg::Operation::kGather;
  // All blocks are where the root has them, a block where the others have it.
  const bool good = all <= reg::kMaxMessageBytes &&
                    me.in_memory(call.source(), gather ? call.bytes() : all) &&
                    me.in_memory(call.target(), gather ? all : call.bytes()) &&
                    me.in_memory(call.scratch(), all + 3 + 4 * nodes);
  return good ? CallResult::kSuccess : CallResult::kBadArgument;
}

Task gather_by(Context& me, const Frame& frame, const TreeRule& rule) {
  const Call& call = me.call();
  const Address self = frame.self();
  const Buffer own{call.source(), call.bytes()};
  const auto last_step = static_cast<std::uint32_t>(rule.steps(frame));
  const auto reversed = [&](int step) { return last_step + 1 - static_cast<std::uint32_t>(step); };
  TreePlan plan;
  rule.find_parent(frame, self, plan);
  const bool is_root = plan.receive_step == 0;

  // The own block, then those of the children's trees as their messages hold them.
  Buffer blocks{call.scratch(), own.bytes};
  Batch<kReceivesAtOnce> received;
  bool receives = rule.next_step(frame, self, plan);
  if (!receives && !is_root) {
    blocks.offset = own.offset;
  } else {
    add_copy(me, received, blocks.offset, own);
  }
  for (; receives; receives = rule.next_step(frame, self, plan)) {
    const ChildTrees trees = child_trees(rule, frame, plan);
    for (std::size_t i = 0; i < plan.sends().size(); ++i) {
      if (!received.has_room(1)) co_await received;
      const Buffer room{blocks.offset + blocks.bytes + trees.tree[i].first * own.bytes,
                        trees.tree[i].nodes * own.bytes};
      received.add(me, Direction::kReceive,
                   message(me, frame.address(plan.sends()[i]), room, reversed(plan.step)));
    }
    blocks.bytes += trees.nodes * own.bytes;
  }
  if (!is_root) {
    co_await received;
    co_await Transfer(me, Direction::kSend,
                      message(me, frame.address(plan.parent), blocks, reversed(plan.receive_step)));
    co_return CallResult::kSuccess;
  }
  // While the messages are on their way: the ranks in the order of the blocks.
  const std::uint32_t ranks = (blocks.offset + blocks.bytes + 3) & ~3U;
  const std::uint32_t end = list_subtree(rule, frame, self, me.memory(), ranks);
  co_await received;
  std::uint32_t from = blocks.offset;
  for (std::uint32_t at = ranks; at < end; at += 4, from += own.bytes) {
    if (!received.has_room(2)) co_await received;
    const std::uint32_t rank = me.memory().load<std::uint32_t>(at);
    add_copy(me, received, call.target() + rank * own.bytes, {from, own.bytes});
  }
  co_await received;
  co_return CallResult::kSuccess;
}

}  // namespace annelid::firmware
