#include "firmware/collectives/tree_players.hpp"

namespace annelid::firmware {
namespace {

constexpr std::uint32_t kByTriggers = 1;  // PARAMETER_0; 0: by the core
/// Sends that are posted at most: as many as there is ever room for.
constexpr std::uint32_t kMostPosted = reg::kSendPlaces / 2;

}  // namespace

CallResult check_broadcast(const Context& me) {
  const Call& call = me.call();
  const bool good = call.parameter(0) <= kByTriggers && me.is_message(call.source(), call.bytes());
  return good ? CallResult::kSuccess : CallResult::kBadArgument;
}

Task broadcast_by(Context& me, const Frame& frame, const TreeRule& rule) {
  const Call& call = me.call();
  return broadcast_buffer(me, frame, rule, {call.source(), call.bytes()}, 0,
                          call.parameter(0) == kByTriggers);
}

Task broadcast_buffer(Context& me, const Frame& frame, const TreeRule& rule, Buffer buffer,
                      int steps_before, bool by_triggers) {
  const std::uint32_t counter = me.counter(0);
  const Address self = frame.self();
  const auto with = [&](Address peer, int step) {
    return message(me, frame.address(peer), buffer,
                   static_cast<std::uint32_t>(steps_before + step));
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
  if (by_triggers && me.node().post_room() >= kMostPosted) {
    // A step's sends are held until the message is here and all sends of earlier steps have left.
    const std::uint32_t first = is_root ? 0 : 1;
    SendOptions options{.trigger = counter, .threshold = first, .notify = counter};
    for (bool last = !sends_more; !last;) {
      const TreePlan current = plan;
      const auto sends = static_cast<std::uint32_t>(current.sends().size());
      sends_more = rule.next_step(frame, self, plan);
      last = !sends_more || options.threshold - first + sends > kMostPosted;
      for (const Address to : current.sends()) {
        if (last) {
          sent.add(me, with(to, current.step), options);  // the core hears of this step only
        } else {
          me.node().post(me, with(to, current.step), options);
        }
      }
      options.threshold += sends;
    }
  }
  // What can be known before the message is here is: where a step's sends go in the network.
  Address to[TreePlan::kMaxSendsPerStep];
  std::uint32_t count = 0, step = 0;
  const auto prepare = [&] {
    count = 0;
    for (const Address send : plan.sends()) to[count++] = frame.address(send);
    step = static_cast<std::uint32_t>(steps_before + plan.step);
  };
  if (sends_more) prepare();
  co_await received;
  co_await sent;
  while (sends_more) {
    sent.add_sends(me, to, count, buffer, step);
    sends_more = rule.next_step(frame, self, plan);
    if (sends_more) prepare();
    co_await sent;
  }
  co_return CallResult::kSuccess;
}

}  // namespace annelid::firmware
