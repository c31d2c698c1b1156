#include "firmware/collectives/buffers/copy.hpp"
#include "firmware/collectives/buffers/padded.hpp"
#include "firmware/collectives/trees/tree_players.hpp"

namespace annelid::firmware {
namespace {

/// Who sends to this process, in the order in which the messages are combined: the steps of the
/// broadcast backwards, within a step by (z, y, x) in the network.
class Children {
 public:
  struct Child {
    Address from;
    int step = 0;  ///< of the broadcast
  };

  Children() {}  // not = default, which would clear the room

  /// Adds the children of the plan's step, which comes before all that are there.
  void add(const Frame& frame, const TreePlan& plan) {
    const auto count = static_cast<std::uint32_t>(plan.sends().size());
    if (first_ < count) stop("a node of a tree has more sends than kMaxSends");
    first_ -= count;
    std::uint32_t end = first_;
    for (const Address send : plan.sends()) {
      const Child child{frame.address(send), plan.step};
      std::uint32_t at = end++;
      for (; at > first_ && children_[at - 1].from.word() > child.from.word(); --at)
        children_[at] = children_[at - 1];
      children_[at] = child;
    }
  }
  [[nodiscard]] std::span<const Child> all() const {
    return {children_ + first_, TreePlan::kMaxSends - first_};
  }

 private:
  std::uint32_t first_ = TreePlan::kMaxSends;
  union {
    Child children_[TreePlan::kMaxSends];
  };
};

}  // namespace

CallResult check_reduce(const Context& me) {
  const Call& call = me.call();
  const std::uint32_t op = call.operator_code(), bytes = call.bytes(), nodes = me.group().size();
  const std::uint32_t areas = nodes < 1 + kReduceWindow ? nodes : 1 + kReduceWindow;
  const bool good = op >= 1 && op <= static_cast<std::uint32_t>(reg::Operator::kXor) &&
                    call.type() != reg::Type::kBytes && me.is_message(call.source(), bytes) &&
                    me.is_message(call.target(), bytes) &&
                    me.in_memory(call.scratch(), std::uint64_t{areas} * padded(bytes));
  return good ? CallResult::kSuccess : CallResult::kBadArgument;
}

Task reduce_by(Context& me, const Frame& frame, const TreeRule& rule) {
  const Call& call = me.call();
  const Address self = frame.self();
  const int last_step = rule.steps(frame);
  TreePlan plan;
  Children children;
  rule.find_parent(frame, self, plan);
  while (rule.next_step(frame, self, plan)) children.add(frame, plan);
  const bool is_root = plan.receive_step == 0;

  const auto op = static_cast<reg::Operator>(call.operator_code());
  Buffer partial{call.source(), call.bytes()};
  ReceiveOptions options;
  options.combine = combining(op, call.type());
  options.stage = call.scratch();
  bool is_apart = false;  // the next receive has three operands
  if (is_root || !children.all().empty()) {
    const std::uint32_t to = is_root ? call.target() : call.scratch();
    if (me.node().recording() && !children.all().empty()) {
      // In a list, where a copy is two messages more: the first child's message is combined with
      // the own block where that is.
      options.combine = combining_apart(op, call.type());
      options.operand = partial.offset;
      is_apart = true;
    } else {
      Batch<2> copied;
      add_copy(me, copied, to, partial);
      co_await copied;
    }
    partial.offset = to;
  }
  Batch<kReduceWindow> received;
  for (const Children::Child& child : children.all()) {
    if (!received.has_room(1)) {
      co_await received;
      options.stage = call.scratch();
    }
    options.stage += padded(partial.bytes);
    const auto step = static_cast<std::uint32_t>(last_step + 1 - child.step);
    received.add(me, message(me, child.from, partial, step), options);
    if (is_apart) {
      options.combine = combining(op, call.type());
      options.operand = 0;
      is_apart = false;
    }
  }
  co_await received;
  if (!is_root) {
    const auto step = static_cast<std::uint32_t>(last_step + 1 - plan.receive_step);
    co_await Transfer(me, Direction::kSend, message(me, frame.address(plan.parent), partial, step));
  }
  co_return CallResult::kSuccess;
}

}  // namespace annelid::firmware
