#include "firmware/collectives/trees/tree_players.hpp"

namespace annelid::firmware {
namespace {

constexpr std::uint32_t kByTriggers = 1;  // PARAMETER_0; 0: by the core
/// Sends that are posted at most: as many as there is ever room for.
constexpr std::uint32_t kMostPosted = reg::kSendPlaces / 2;

/// Where the sends of this node's next steps go in the network, found ahead while the node waits:
/// then no message waits for the rule.
class SendsAhead {
 public:
  struct Step {
    std::uint32_t number, count;
    Address to[TreePlan::kMaxSendsPerStep];
  };

  SendsAhead(const Frame& frame, const TreeRule& rule, int steps_before)
      : frame_(frame), rule_(rule), steps_before_(steps_before) {
    rule.find_parent(frame, frame.self(), plan_);
  }
  SendsAhead(const SendsAhead&) = delete;
  SendsAhead& operator=(const SendsAhead&) = delete;

  [[nodiscard]] const TreePlan& plan() const { return plan_; }

  /// Finds the next step in which the node sends; false if there is none, or no room for it.
  bool find() {
    if (all_found_ || count_ == kSteps) return false;
    if (!rule_.next_step(frame_, frame_.self(), plan_)) {
      all_found_ = true;
      return false;
    }
    Step& step = *end_;
    end_ = after(end_);
    ++count_;
    step.number = static_cast<std::uint32_t>(steps_before_ + plan_.step);
    const bool straight = frame_.is_straight();
    Address* to = step.to;
    for (const Address send : plan_.sends()) *to++ = straight ? send : frame_.address(send);
    step.count = static_cast<std::uint32_t>(plan_.sends().size());
    return true;
  }
  /// The number of steps that were found and not dropped.
  [[nodiscard]] std::uint32_t count() const { return count_; }
  [[nodiscard]] const Step& first() const { return *first_; }
  void drop_first() {
    first_ = after(first_);
    --count_;
  }

 private:
  static constexpr std::uint32_t kSteps = 8;
  Step* after(Step* step) { return step == steps_ + kSteps - 1 ? steps_ : step + 1; }

  const Frame& frame_;
  const TreeRule& rule_;
  int steps_before_;
  bool all_found_ = false;
  std::uint32_t count_ = 0;
  Step *first_ = steps_, *end_ = steps_;
  TreePlan plan_;
  union {
    Step steps_[kSteps];  // a ring
  };
};

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
  const auto with = [&](Address peer, std::uint32_t step) {
    return message(me, peer, buffer, step);
  };

  SendsAhead ahead(frame, rule, steps_before);
  const bool is_root = ahead.plan().receive_step == 0;
  Batch<1> received;
  if (!is_root) {
    const auto step = static_cast<std::uint32_t>(steps_before + ahead.plan().receive_step);
    const Message expected = with(frame.address(ahead.plan().parent), step);
    if (by_triggers) {
      received.add(me, expected, ReceiveOptions{.notify = counter});
    } else {
      received.add(me, Direction::kReceive, expected);
    }
  }

  Batch<TreePlan::kMaxSendsPerStep> sent;
  ahead.find();
  if (by_triggers && me.node().post_room() >= kMostPosted) {
    // A step's sends are held until the message is here and all sends of earlier steps have left.
    const std::uint32_t first = is_root ? 0 : 1;
    SendOptions options{.trigger = counter, .threshold = first, .notify = counter};
    for (bool last = ahead.count() == 0; !last; ahead.drop_first()) {
      const SendsAhead::Step& step = ahead.first();
      ahead.find();
      last = ahead.count() == 1 || options.threshold - first + step.count > kMostPosted;
      for (std::uint32_t i = 0; i < step.count; ++i) {
        if (last) {
          sent.add(me, with(step.to[i], step.number), options);  // the core hears of this step only
        } else {
          me.node().post(me, with(step.to[i], step.number), options);
        }
      }
      options.threshold += step.count;
    }
  }
  const auto find_while_waiting = [&] {
    while (!me.node().has_completion() && ahead.find()) {
    }
  };
  if (!is_root) find_while_waiting();
  co_await received;
  co_await sent;
  while (ahead.count() != 0) {
    const SendsAhead::Step& step = ahead.first();
    sent.add_sends(me, step.to, step.count, buffer, step.number);
    ahead.drop_first();
    if (ahead.count() == 0) ahead.find();
    find_while_waiting();
    co_await sent;
  }
  co_return CallResult::kSuccess;
}

}  // namespace annelid::firmware
