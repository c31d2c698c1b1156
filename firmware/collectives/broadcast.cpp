#include "firmware/collectives/tree_players.hpp"

namespace annelid::firmware {
namespace {

constexpr std::uint32_t kByTriggers = 1;  // PARAMETER_0; 0: by the core

}  // namespace

CallResult check_broadcast(const Context& me) {
  const Call& call = me.call();
  const bool good = call.parameter(0) <= kByTriggers && me.is_message(call.source(), call.bytes());
  return good ? CallResult::kSuccess : CallResult::kBadArgument;
}

Task broadcast_by(Context& me, Frame frame, const TreeRule& rule) {
  const Buffer buffer{me.call().source(), me.call().bytes()};
  const std::uint32_t counter = me.counter(0);
  const bool by_triggers = me.call().parameter(0) == kByTriggers;
  const Address self = frame.self();
  const auto with = [&](Address peer, int step) {
    return message(me, frame.address(peer), buffer, static_cast<std::uint32_t>(step));
  };

  TreePlan plan;
  rule.find_parent(frame, self, plan);
  const bool is_root = plan.receive_step == 0;
  Batch<1> received;
  if (!is_root && by_triggers) {
    received.add(me, with(plan.parent, plan.receive_step), ReceiveOptions{.notify = counter});
  } else if (!is_root) {
    received.add(me, Direction::kReceive, with(plan.parent, plan.receive_step));
  }

  Batch<TreePlan::kMaxSendsPerStep> sent;
  bool sends_more = rule.next_step(frame, self, plan);
  if (by_triggers && me.node().post_room() >= TreePlan::kMaxSends) {
    // A step's sends are held until the message is here and all sends of earlier steps have left.
    SendOptions options{.trigger = counter, .threshold = is_root ? 0U : 1U, .notify = counter};
    while (sends_more) {
      const TreePlan current = plan;
      sends_more = rule.next_step(frame, self, plan);
      for (const Address to : current.sends()) {
        if (sends_more) {
          me.node().post(me, with(to, current.step), options);
        } else {
          sent.add(me, with(to, current.step), options);  // the core hears of the last step only
        }
      }
      options.threshold += static_cast<std::uint32_t>(current.sends().size());
    }
  }
  co_await received;
  while (sends_more) {
    for (const Address to : plan.sends()) sent.add(me, Direction::kSend, with(to, plan.step));
    sends_more = rule.next_step(frame, self, plan);
    co_await sent;
  }
  co_await sent;
  co_return CallResult::kSuccess;
}

}  // namespace annelid::firmware
