// Plays one process's part of a schedule. In each step a process sends at most one message and
// receives at most one: docs/internals/algorithms/operations.md, "Playing a schedule".
#pragma once

#include <optional>

#include "firmware/collectives/collective.hpp"

namespace annelid::firmware {

/// A message of a plan.
struct PlannedMessage {
  static constexpr std::uint32_t kCombines = 1, kMessageLeft = 2, kAlso = 4;  // flags

  std::uint32_t step;  ///< from 1
  Address peer;
  std::uint32_t place, bytes;  ///< in node memory
  // The members below are used by receives only.
  std::uint32_t flags;
  /// kCombines: target := operand ⊕ message (kMessageLeft: message ⊕ operand). The operand may be
  /// the target; the message stays at `place`. Or else `place` may be the target.
  std::uint32_t operand, target;
  /// kAlso: afterwards also_target := message ⊕ also_operand, from the message at `place`. This
  /// takes a message of the process to itself. Only sends of also_target wait for it.
  std::uint32_t also_operand, also_target;
  /// Other messages use the receive's bytes up to this step; 0: none do.
  std::uint32_t not_before;
};

/// A part of node memory that is copied. No message of the plan uses the copy.
struct PlannedCopy {
  std::uint32_t from = 0, to = 0, bytes = 0;
};

/// One process's part. Two functions supply its messages, each in the order of the steps.
struct Plan {
  /// Both set `message` to the next message. They return false if there are no more.
  bool (*next_send)(Plan& plan, PlannedMessage& message);
  bool (*next_receive)(Plan& plan, PlannedMessage& message);
  PlannedCopy copy;
  /// A staging area, as long as the longest message, for kAlso with the operand as the target.
  std::uint32_t stage = 0;
  /// Whether receives are offered one after the other (docs/internals/nic/messages.md, "Receives
  /// in turn").
  bool in_turn = false;
  /// Whether the core waits for two rounds at a time (Player), because its own work, and not the
  /// network, takes the time.
  bool two_rounds = false;
  /// Whether the core plays each step, and the NIC holds no send.
  bool by_core = false;
  /// Whether a send of an also_target may come before the message with kAlso that changes it.
  bool sends_before_also = true;
  /// The last step that a `not_before` may name.
  std::uint32_t last_reused = 0xFFFFFFFF;
  /// So many receives at most, none of which combines; or kMany.
  static constexpr std::uint32_t kMany = 0x80000000;
  std::uint32_t most_receives = kMany;
};

/// A plan whose messages come from P's send() and receive().
template <typename P>
struct PlanOf : Plan {
  PlanOf() {
    next_send = [](Plan& plan, PlannedMessage& m) { return static_cast<P&>(plan).send(m); };
    next_receive = [](Plan& plan, PlannedMessage& m) { return static_cast<P&>(plan).receive(m); };
  }
};
/// Fills in a message that is sent, or stored as it arrives.
inline void set(PlannedMessage& message, std::uint32_t step, Address peer, Buffer buffer) {
  message.step = step;
  message.peer = peer;
  message.place = buffer.offset;
  message.bytes = buffer.bytes;
  message.flags = message.not_before = 0;
}

/// The composition of affine maps, which the core combines (docs/internals/algorithms/groups.md,
/// "Operands in order").
inline constexpr auto kAffine = static_cast<std::uint32_t>(reg::CoreOperator::kAffine);

/// The receives that are posted at most: enough for two streams, of which each peer's next offer is
/// under way.
inline constexpr std::uint32_t kReceivesAhead = 7;

/// The plan's copy.
class OwnCopy {
 public:
  OwnCopy(Context& me, const PlannedCopy& copy);

  /// Whether it is under way. Then transfer() completes with it.
  [[nodiscard]] bool active() const { return to_.has_value() && !to_->await_ready(); }
  Transfer& transfer() { return *to_; }

 private:
  std::optional<Transfer> to_, from_;
};

/// Plays a plan, with the call's OPERATOR and TYPE: `while (!player.done()) co_await player;`. A
/// send begins when the messages of all earlier steps have arrived and are combined, and the
/// earlier sends have left. Receives are posted ahead, in the order of the steps. The plan must
/// outlive the player.
///
/// The player does what it can and then names the transfer that it waits for: so a step takes one
/// function that keeps its values in registers, and coroutines only what has to wait.
///
/// It goes through sends and receives in the order of their steps. A send whose time has not come
/// is *held* by the NIC, until a counter has counted the receives of all earlier steps and the send
/// before. So no step waits for the core. Sends between which no receive comes are a *round*, with
/// the receives before them, and share a counter; the rounds take turns with the call's counters.
/// Only the last send of a round, and of every few, has a Transfer: with it all sends before are
/// complete, and all receives of earlier steps. So the last receive of a round has none, if no
/// other message waits for it alone.
///
/// The receives of a plan that has few (Plan::most_receives) take no Transfers: the window is never
/// full, so none is awaited by itself. The join of the call waits for its last send, and for
/// the receives behind that. If nothing else is to be done, the call ends with the join (begin()).
///
/// The core begins second combinations, when all messages up to theirs are complete. A send of such
/// a result is not described earlier than that. If the plan asks for it, the core applies the
/// operator, or the call is recorded, no send is held: the core plays the plan.
class Player {
 public:
  Player(Context& me, Plan& plan);
  ~Player();
  Player(const Player&) = delete;
  Player& operator=(const Player&) = delete;

  /// For a call that may_begin(): plays as far as nothing has to wait. Returns true if all has
  /// begun, and the call ends with its join. Else the player is to be played on.
  [[nodiscard]] bool begin();
  /// If not, the player is to be awaited.
  [[nodiscard]] bool done();
  [[nodiscard]] bool await_ready() const { return false; }
  void await_suspend(std::coroutine_handle<> waiter) {
    if (awaited_ != nullptr) return awaited_->await_suspend(waiter);
    join_.waiter = waiter;
    --join_.outstanding;
    me_.node().awaits(me_);
  }
  void await_resume() {
    if (awaited_ == nullptr) join_.outstanding = 1;
  }

 private:
  using Flags = PlannedMessage;
  static constexpr std::uint32_t kForever = 0xFFFFFFFF;

  /// A transfer that may be under way.
  struct Room {
    Transfer& transfer() { return *std::launder(reinterpret_cast<Transfer*>(bytes)); }
    alignas(Transfer) std::byte bytes[sizeof(Transfer)];
  };
  struct Receive : Room {
    PlannedMessage planned;
    bool quiet;  ///< it has no transfer: it is complete with the sends behind it, or the join
  };
  struct Sent : Room {
    std::uint32_t since, step;  ///< the sends of these steps are complete with this one
  };
  static constexpr std::uint32_t kReceives = kReceivesAhead + 1;  // with the next one
  /// Rounds under way. So a counter that is taken again belongs to no send that is held.
  static constexpr std::uint32_t kSent = Context::kCounters - 1;
  /// Sends with one Transfer.
  static constexpr std::uint32_t kQuiet = 8;

  Receive* after(Receive* r) { return ++r == receive_ + kReceives ? receive_ : r; }
  Sent* after(Sent* s) { return ++s == sent_room_ + kSent ? sent_room_ : s; }
  bool wait_for(Transfer& transfer) {
    awaited_ = &transfer;
    return false;
  }
  bool wait_for_join() {
    awaited_ = nullptr;
    return false;
  }

  void next_receive() { receives_ = plan_.next_receive(plan_, next_->planned); }
  void next_send() { horizon_ = plan_.next_send(plan_, out_) ? out_.step : kForever; }
  /// Whether the next receive comes before the next send.
  [[nodiscard]] bool receive_is_next() const { return receives_ && next_->planned.step < horizon_; }
  [[nodiscard]] bool past(std::uint32_t step);
  void take_sent();
  [[nodiscard]] bool is_complete(Receive& r) {
    return r.quiet ? r.planned.step < sent_to_ || (joined_ && join_.outstanding == 1)
                   : r.transfer().await_ready();
  }
  [[nodiscard]] bool also_active();
  [[nodiscard]] bool awaits_also();
  [[nodiscard]] bool will_await_also();
  [[gnu::noinline]] void post_few();
  void post_fresh();
  [[gnu::noinline]] void join_send(Address peer, std::uint32_t step, bool held);
  bool post();
  void post_ahead();
  void begin_receive(Receive& r);
  void begin_combining(Receive& r, std::uint32_t notify);
  void send();
  void send_later(const Hold& hold);
  void send_at_once();
  /// Whether there is something to do when a message with these flags has arrived.
  [[nodiscard]] bool is_to_finish(std::uint32_t flags) const {
    return flags != 0 && ((flags & Flags::kAlso) != 0 || by_core_);
  }
  bool finish(const PlannedMessage& m);
  bool take_receive();
  bool take_also();
  bool play_held();
  [[gnu::noinline]] bool play_by_core();
  bool own_complete();
  bool all_complete();

  Context& me_;
  Plan& plan_;
  bool by_core_, holds_;
  bool joins_ = false;        // the last transfers have none of their own, but the call's join
  bool joined_ = false;       // some have
  bool last_joined_ = false;  // the last send has
  CallJoin join_;
  std::uint32_t tag_, receive_tag_;
  std::uint32_t count_ = 0;  // receives that are posted
  Receive *first_ = receive_, *next_ = receive_;
  std::uint32_t sent_ = 0;     // sends that may be under way
  std::uint32_t sent_to_ = 0;  // all receives of earlier steps are complete
  Sent *first_sent_ = sent_room_, *next_sent_ = sent_room_;
  std::uint32_t round_ = 0;                           // its counter
  std::uint32_t quiet_ = 0;                           // sends without a Transfer
  std::uint32_t expected_[Context::kCounters] = {0};  // by counter: what it will have counted
  std::uint32_t also_posted_ = 0;  // receives whose second combination has not begun
  std::uint32_t also_bytes_ = 0;   // of the second combination; 0: there is none
  OwnCopy copy_;
  // What is in unions is not cleared.
  union {
    bool receives_;  // there is a next receive
  };
  union {
    std::uint32_t horizon_;  // the step of the next send
  };
  union {
    std::uint32_t since_;  // the step of the first send without a Transfer
  };
  union {
    std::uint32_t also_target_;
  };
  union {
    Transfer* awaited_;
  };
  union {
    PlannedMessage out_;
  };
  union {
    Sent sent_room_[kSent];
  };
  union {
    Room also_;
  };
  union {
    Receive receive_[kReceives];
  };
};

/// Makes a player in the room, and whatever its plan needs, from the part of the process. Returns
/// nullptr if the call has begun all without one.
using MakePlayer = Player* (*)(Context& me, void* room, const void* part);

/// Plays a player that takes `bytes` in the call's arena. If the call may begin, it begins here,
/// and there may be no task. `part` must outlive the task.
Task play_in_arena(Context& me, std::size_t bytes, MakePlayer make, const void* part);
/// The player() of a P, which is made from the context and the part.
template <typename P, typename Part>
Task play_in_arena(Context& me, const Part& part) {
  return play_in_arena(
      me, sizeof(P),
      [](Context& context, void* room, const void* of) {
        return (new (room) P(context, *static_cast<const Part*>(of)))->player();
      },
      &part);
}

/// What a process does that takes no part.
Task play_nothing(Context& me);

/// Plays a plan as a task of its own. The plan must outlive the task.
Task play(Context& me, Plan& plan);

}  // namespace annelid::firmware
