#include "firmware/collectives/players/player.hpp"

#include <new>
#include <optional>

#include "firmware/collectives/buffers/copy.hpp"

namespace annelid::firmware {
namespace {

using Flags = PlannedMessage;

constexpr std::uint32_t kForever = 0xFFFFFFFF;

/// x -> a·x + b, first left, then right.
void compose(Memory memory, std::uint32_t left, std::uint32_t right, std::uint32_t to,
             std::uint32_t bytes) {
  for (std::uint32_t at = 0; at < bytes; at += 8) {
    const auto a_left = memory.load<std::uint32_t>(left + at);
    const auto b_left = memory.load<std::uint32_t>(left + at + 4);
    const auto a_right = memory.load<std::uint32_t>(right + at);
    const auto b_right = memory.load<std::uint32_t>(right + at + 4);
    memory.store(to + at, a_left * a_right);
    memory.store(to + at + 4, a_right * b_left + b_right);
  }
}

/// The plan's copy.
class OwnCopy {
 public:
  OwnCopy(Context& me, const PlannedCopy& copy) {
    const Buffer from{copy.from, copy.bytes};
    if (is_copied_by_core(me, copy.bytes)) {
      copy_by_core(me.memory(), copy.to, from);
      return;
    }
    const Address self = me.topology().self();
    to_.emplace(me, Direction::kReceive, message(me, self, {copy.to, copy.bytes}));
    from_.emplace(me, Direction::kSend, message(me, self, from));
  }

  /// Whether it is under way. Then transfer() completes with it.
  [[nodiscard]] bool active() const { return to_.has_value() && !to_->await_ready(); }
  Transfer& transfer() { return *to_; }

 private:
  std::optional<Transfer> to_, from_;
};

/// The player. It does what it can and then names the transfer that it waits for: so a step takes
/// one function that keeps its values in registers, and coroutines only what has to wait.
class Player {
 public:
  Player(Context& me, Plan& plan)
      : me_(me),
        plan_(plan),
        by_core_(me.call().operator_code() == kAffine),
        tag_(me.tag()),
        receive_tag_(tag_ | (plan.in_turn ? kTagInTurn : 0)),
        copy_(me, plan.copy) {
    receives_ = plan.next_receive(plan, next_->planned);
    next_send();
    post();
  }
  ~Player() {
    for (; count_ > 0; --count_, first_ = after(first_)) first_->transfer().~Transfer();
    if (sending_) send_.transfer().~Transfer();
    if (also_bytes_ != 0) also_.transfer().~Transfer();
  }
  Player(const Player&) = delete;
  Player& operator=(const Player&) = delete;

  /// `while (!player.done()) co_await player;`
  [[nodiscard]] bool done() { return go_on(); }
  [[nodiscard]] bool await_ready() const { return false; }
  void await_suspend(std::coroutine_handle<> waiter) { awaited_->await_suspend(waiter); }
  void await_resume() {}

 private:
  /// A transfer that may be under way.
  struct Room {
    Transfer& transfer() { return *std::launder(reinterpret_cast<Transfer*>(bytes)); }
    alignas(Transfer) std::byte bytes[sizeof(Transfer)];
  };
  struct Receive : Room {
    PlannedMessage planned;
  };
  static constexpr std::uint32_t kReceives = kReceivesAhead + 1;  // with the next one

  Receive* after(Receive* r) { return ++r == receive_ + kReceives ? receive_ : r; }
  /// RECV_COMBINE of a receive.
  [[nodiscard]] std::uint32_t combine(bool left, bool apart) const {
    const auto op = static_cast<reg::Operator>(me_.call().operator_code());
    return apart ? combining_apart(op, me_.call().type(), left)
                 : combining(op, me_.call().type(), left);
  }
  bool wait_for(Transfer& transfer) {
    awaited_ = &transfer;
    return false;
  }

  void next_send() { horizon_ = plan_.next_send(plan_, out_) ? out_.step : kForever; }
  /// Whether everything up to a step is over.
  bool past(std::uint32_t step) {
    return (count_ == 0 || first_->planned.step > step) && horizon_ > step &&
           (!sending_ || sent_step_ > step || send_.transfer().await_ready());
  }
  /// Whether a second combination is under way.
  [[nodiscard]] bool also_active() {
    if (also_bytes_ != 0 && also_.transfer().await_ready()) {
      also_.transfer().~Transfer();
      also_bytes_ = 0;
    }
    return also_bytes_ != 0;
  }
  /// Whether the next send needs its result.
  [[nodiscard]] bool awaits_also() {
    return also_bytes_ != 0 && out_.place < also_target_ + also_bytes_ &&
           also_target_ < out_.place + out_.bytes && also_active();
  }
  void post();
  bool finish(const PlannedMessage& m);
  bool go_on();

  Context& me_;
  Plan& plan_;
  bool by_core_, receives_ = false, sending_ = false;
  std::uint32_t tag_, receive_tag_;
  std::uint32_t count_ = 0;  // receives that are posted
  Receive *first_ = receive_, *next_ = receive_;
  std::uint32_t horizon_ = 0, sent_step_ = 0;  // of the next send, and of the last one
  std::uint32_t also_bytes_ = 0;               // of the second combination; 0: there is none
  std::uint32_t also_target_ = 0;
  Transfer* awaited_ = nullptr;
  OwnCopy copy_;
  union {  // not cleared
    PlannedMessage out_;
  };
  union {
    Room send_;
  };
  union {
    Room also_;
  };
  union {
    Receive receive_[kReceives];
  };
};

/// Posts what can be posted.
void Player::post() {
  while (receives_ && count_ < kReceivesAhead) {
    const PlannedMessage& m = next_->planned;
    if (m.not_before != 0 && !past(m.not_before)) return;
    if ((m.flags & Flags::kCombines) != 0 && !by_core_) {
      const std::uint32_t combine_word =
          combine((m.flags & Flags::kMessageLeft) != 0, m.operand != m.target);
      new (next_->bytes) Transfer(me_, Message{m.peer, m.target, m.bytes, receive_tag_, m.step},
                                  ReceiveOptions{combine_word, m.place, m.operand});
    } else {
      new (next_->bytes) Transfer(me_, Direction::kReceive,
                                  Message{m.peer, m.place, m.bytes, receive_tag_, m.step});
    }
    next_ = after(next_);
    ++count_;
    receives_ = plan_.next_receive(plan_, next_->planned);
  }
}

/// Finishes a message that has arrived. Returns false while the second
/// combination of an earlier message is still under way.
bool Player::finish(const PlannedMessage& m) {
  if ((m.flags & Flags::kAlso) != 0 && also_active()) return false;
  if (by_core_ && (m.flags & Flags::kCombines) != 0) {
    const bool left = (m.flags & Flags::kMessageLeft) != 0;
    compose(me_.memory(), left ? m.place : m.operand, left ? m.operand : m.place, m.target,
            m.bytes);
  }
  if ((m.flags & Flags::kAlso) == 0 || m.bytes == 0) return true;
  if (by_core_) {
    compose(me_.memory(), m.place, m.also_operand, m.also_target, m.bytes);
    return true;
  }
  const Address self = me_.topology().self();
  const bool apart = m.also_operand != m.also_target;
  also_bytes_ = m.bytes;
  also_target_ = m.also_target;
  new (also_.bytes) Transfer(
      me_, message(me_, self, {m.also_target, m.bytes}, m.step),
      ReceiveOptions{combine(true, apart), apart ? m.also_target : plan_.stage, m.also_operand});
  // Not awaited: it is complete when the other one is.
  const Transfer sent(me_, Direction::kSend, message(me_, self, {m.place, m.bytes}, m.step));
  return true;
}

/// True: everything is done. False: awaited_ must be complete before it goes on.
bool Player::go_on() {
  for (;;) {
    while (count_ != 0 && first_->planned.step < horizon_) {
      if (!first_->transfer().await_ready()) return wait_for(first_->transfer());
      if (first_->planned.flags != 0 && !finish(first_->planned)) return wait_for(also_.transfer());
      first_ = after(first_);
      --count_;
      if (horizon_ == kForever) post();
    }
    if (receives_ && next_->planned.step < horizon_) {
      // Not posted yet: the window was full, or it waits for the own send.
      post();
      if (count_ != 0) continue;
      if (!sending_) stop("a plan's receive waits for what comes after it");
      if (!send_.transfer().await_ready()) return wait_for(send_.transfer());
      sending_ = false;
      continue;
    }
    if (sending_ && !send_.transfer().await_ready()) return wait_for(send_.transfer());
    sending_ = false;
    if (horizon_ == kForever) break;
    if (awaits_also()) return wait_for(also_.transfer());
    new (send_.bytes) Transfer(me_, Direction::kSend,
                               Message{out_.peer, out_.place, out_.bytes, tag_, out_.step});
    sending_ = true;
    sent_step_ = horizon_;
    next_send();
    post();
  }
  if (also_active()) return wait_for(also_.transfer());
  return !copy_.active() || wait_for(copy_.transfer());
}

}  // namespace

Task play(Context& me, Plan& plan) {
  Player player(me, plan);
  while (!player.done()) co_await player;
  co_return CallResult::kSuccess;
}

}  // namespace annelid::firmware
