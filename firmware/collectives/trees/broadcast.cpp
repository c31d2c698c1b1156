#include "firmware/collectives/trees/tree_players.hpp"

namespace annelid::firmware {
namespace {

constexpr std::uint32_t kByCore = 1;  // PARAMETER_0; 0: by the NIC's triggers
/// While a longer message leaves, the core finds where the next one goes. So it plays the part
/// itself, if it has anything to find: it need not know all sends before the first one.
constexpr std::uint32_t kLongestHeld = 2048;

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

/// The core plays the part. Not inlined: most calls hold their sends.
[[gnu::noinline]] Task broadcast_by_core(Context& me, const Frame& frame, const TreeRule& rule,
                                         Buffer buffer, int steps_before) {
  SendsAhead ahead(frame, rule, steps_before);
  const bool is_root = ahead.plan().receive_step == 0;
  Batch<1> received;
  if (!is_root) {
    const auto step = static_cast<std::uint32_t>(steps_before + ahead.plan().receive_step);
    received.add(me, Direction::kReceive,
                 message(me, frame.address(ahead.plan().parent), buffer, step));
  }
  Batch<TreePlan::kMaxSendsPerStep> sent;
  ahead.find();
  if (!is_root) {
    while (!me.node().has_completion() && ahead.find()) {
    }
  }
  co_await received;
  while (ahead.count() != 0) {
    const SendsAhead::Step& step = ahead.first();
    sent.add_sends(me, step.to, step.count, buffer, step.number);
    ahead.drop_first();
    // No more than the next step: if a search were under way when the message has left, that step
    // would wait for it.
    if (ahead.count() == 0) ahead.find();
    co_await sent;
  }
  co_return CallResult::kSuccess;
}

/// The transfers of a node's part that the core hears of: the receive, and the sends of the last
/// step. The NIC holds all sends until the message is here and all sends of earlier steps have
/// left.
class HeldPart {
 public:
  explicit HeldPart(Context& me) : me_(me) {}
  ~HeldPart() {
    if (join_.outstanding != 0) me_.node().forget(me_);
  }
  HeldPart(const HeldPart&) = delete;
  HeldPart& operator=(const HeldPart&) = delete;

  CallJoin& join() { return join_; }

  [[nodiscard]] bool await_ready() const { return join_.outstanding == 1; }
  void await_suspend(std::coroutine_handle<> waiter) {
    join_.waiter = waiter;
    --join_.outstanding;
    me_.node().awaits(me_);
  }
  void await_resume() {
    if (join_.outstanding != 0) me_.node().forget(me_);
    join_.outstanding = 0;
  }

 private:
  Context& me_;
  CallJoin join_;
};

/// Begins the receive of a part. There must be room for it.
inline void begin_receive(Context& me, CallJoin& join, Address parent, Buffer buffer,
                          std::uint32_t step) {
  me.node().post_receive(me, message(me, parent, buffer, step), me.counter(0), join);
}

/// Begins all sends of a part, but those to the root. There must be room for them.
[[gnu::noinline]] void begin_sends(Context& me, CallJoin& join, const TreePart& part,
                                   std::uint32_t root, Buffer buffer, int steps_before) {
  // The last send that there is.
  const std::uint32_t *first = part.kept.first, *last = part.kept.end;
  std::uint32_t later = part.kept.later;
  while (last != first && (last[-1] ^ root) << 8 == 0) --last;
  if (last == first) {
    first = part.sends;
    last = part.end;
    later = 0;
  }
  if (last == first) return;
  const std::uint32_t counter = me.counter(0);
  me.node().post_steps(me, {{part.sends, part.end, 0}, part.kept}, root,
                       (last[-1] >> Node::Steps::kShift) + later,
                       message(me, {}, buffer, static_cast<std::uint32_t>(steps_before)),
                       // If the receive was refused, the sends do not wait for it.
                       {counter, join.receives ? 1U : 0U, counter}, join);
}

/// Begins the receive, finds all sends, and begins them, or returns false if there is no room.
[[gnu::noinline]] bool begin_held(HeldPart& held, TreePart& part, Context& me, const Frame& frame,
                                  const TreeRule& rule, Buffer buffer, int steps_before) {
  TreePlan plan;
  rule.find_parent(frame, frame.self(), plan);
  if (plan.receive_step != 0) {
    begin_receive(me, held.join(), frame.address(plan.parent), buffer,
                  static_cast<std::uint32_t>(steps_before + plan.receive_step));
  }
  while (rule.next_step(frame, frame.self(), plan)) {
    for (const Address to : plan.sends()) {
      if (part.end == part.sends + TreePlan::kMaxSends) {
        stop("a node of a tree has more sends than kMaxSends");
      }
      *part.end++ = TreePart::packed(frame.address(to), plan.step);
    }
  }
  if (me.node().post_room() < part.count()) return false;
  begin_sends(me, held.join(), part, frame.address(frame.root()).word(), buffer, steps_before);
  return true;
}

Task broadcast_held(Context& me, const Frame& frame, const TreeRule& rule, Buffer buffer,
                    int steps_before) {
  if (!me.node().has_receive_room()) {
    co_return co_await broadcast_by_core(me, frame, rule, buffer, steps_before);
  }
  HeldPart held(me);
  TreePart part;
  const bool begun = begin_held(held, part, me, frame, rule, buffer, steps_before);
  co_await held;
  if (begun) co_return CallResult::kSuccess;
  // There was no room: step by step.
  Batch<TreePlan::kMaxSendsPerStep> sent;
  for (const std::uint32_t* send = part.sends; send != part.end;) {
    const std::uint32_t step = *send >> Node::Steps::kShift;
    for (; send != part.end && *send >> Node::Steps::kShift == step; ++send) {
      sent.add(me, Direction::kSend,
               message(me, Address::from_word(*send & Node::Steps::kNode), buffer,
                       static_cast<std::uint32_t>(steps_before) + step));
    }
    co_await sent;
  }
  co_return CallResult::kSuccess;
}

/// Begins a call in the network as it is, by a rule that has found out enough at the start of the
/// node. The call ends with these transfers. Returns false if it has begun nothing.
[[gnu::noinline]] bool begin_at_home(Context& me, const TreeRule& rule) {
  const Call& call = me.call();
  const Topology& network = me.topology();
  const std::uint32_t root = call.root() == 0 ? 0 : network.address(call.root()).word();
  const Buffer buffer{call.source(), call.bytes()};
  TreePart part;
  if (!rule.find_part(network, root, call.parameter(1), part)) return false;
  if (!me.node().has_receive_room()) return false;
  const std::uint32_t sends = part.count();
  if (sends != 0 && me.node().post_room() < sends) return false;
  if (sends == 0 && part.receive_step == 0) return false;
  auto& join = me.make<CallJoin>();
  if (part.receive_step != 0) {
    begin_receive(me, join, part.parent, buffer, static_cast<std::uint32_t>(part.receive_step));
  }
  begin_sends(me, join, part, root, buffer, 0);
  return true;
}

/// In the network as it is, where a call has found no room to begin.
Task broadcast_at_home(Context& me, const TreeRule& rule) {
  const Call& call = me.call();
  auto& frame = me.make<Frame>(me.group(), call.root(), call.parameter(1), false);
  (void)rule.fits(frame);
  return broadcast_by_core(me, frame, rule, {call.source(), call.bytes()}, 0);
}

inline bool is_good(const Context& me) {
  const Call& call = me.call();
  return call.parameter(0) <= kByCore && me.is_message(call.source(), call.bytes());
}

}  // namespace

CallResult check_broadcast(const Context& me) {
  return is_good(me) ? CallResult::kSuccess : CallResult::kBadArgument;
}

CallResult serve_at_home(Context& me, const TreeRule& rule, std::optional<Task>& task) {
  if (!is_good(me) || me.call().root() >= me.group().size()) return CallResult::kBadArgument;
  if (!begin_at_home(me, rule)) task.emplace(broadcast_at_home(me, rule));
  return CallResult::kSuccess;
}

Task broadcast_by(Context& me, const Frame& frame, const TreeRule& rule) {
  const Call& call = me.call();
  return broadcast_buffer(me, frame, rule, {call.source(), call.bytes()}, 0,
                          call.parameter(0) == kByCore);
}

Task broadcast_buffer(Context& me, const Frame& frame, const TreeRule& rule, Buffer buffer,
                      int steps_before, bool by_core) {
  const bool held = !by_core && buffer.bytes <= kLongestHeld && me.node().holds();
  return held ? broadcast_held(me, frame, rule, buffer, steps_before)
              : broadcast_by_core(me, frame, rule, buffer, steps_before);
}

}  // namespace annelid::firmware
