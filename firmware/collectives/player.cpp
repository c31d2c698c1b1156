#include "firmware/collectives/player.hpp"

#include <new>
#include <optional>

#include "firmware/collectives/copy.hpp"

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

/// Two copies in node memory, piece by piece in turns, each piece twice as long as the one before.
class Copies {
 public:
  Copies(Context& me, const Plan& plan) : me_(me), piece_(plan.first_piece) {
    if (piece_ == 0) piece_ = 8;
    for (std::uint32_t i = 0; i < Plan::kMostCopies; ++i) {
      left_[i] = plan.copies[i];
      if (left_[i].bytes != 0) turn_ = i;
    }
    done();
  }

  /// Copies are left, or under way.
  [[nodiscard]] bool active() const { return from_.has_value() || left(0) || left(1); }
  /// Whether bytes wait for a copy.
  [[nodiscard]] bool awaited_by(std::uint32_t offset, std::uint32_t bytes) const {
    if (overlap(under_way_, offset, bytes)) return true;
    for (const PlannedCopy& copy : left_) {
      if (overlap(copy, offset, bytes)) return true;
    }
    return false;
  }
  /// Goes on with the next piece if the one before it is there.
  void go_on() {
    if (from_ && to_->await_ready()) done();
  }
  /// The one under way; done() when it is complete.
  Transfer& piece() { return *to_; }
  void done() {
    from_.reset();
    to_.reset();
    under_way_.bytes = 0;
    while (left(0) || left(1)) {
      if (left(turn_ ^ 1)) turn_ ^= 1;
      PlannedCopy& copy = left_[turn_];
      const std::uint32_t bytes = copy.bytes < piece_ ? copy.bytes : piece_;
      const Buffer from{copy.from, bytes};
      const std::uint32_t to = copy.to;
      copy.from += bytes;
      copy.to += bytes;
      copy.bytes -= bytes;
      if (turn_ == 0 || !left(0)) piece_ *= 2;
      if (bytes <= kCopiedByCore) {
        copy_by_core(me_.memory(), to, from);
        continue;
      }
      const Address self = me_.topology().self();
      under_way_ = {from.offset, to, bytes};
      to_.emplace(me_, Direction::kReceive, message(me_, self, {to, bytes}));
      from_.emplace(me_, Direction::kSend, message(me_, self, from));
      return;
    }
  }

 private:
  static bool overlap(const PlannedCopy& copy, std::uint32_t offset, std::uint32_t bytes) {
    return copy.to < offset + bytes && offset < copy.to + copy.bytes;
  }
  [[nodiscard]] bool left(std::uint32_t i) const { return left_[i].bytes != 0; }

  Context& me_;
  std::uint32_t piece_, turn_ = 0;
  PlannedCopy left_[Plan::kMostCopies], under_way_;
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
        copies_(me, plan) {
    receives_ = plan.next_receive(plan, next_->planned);
    next_send();
    post();
  }
  ~Player() {
    for (; count_ > 0; --count_, first_ = after(first_)) first_->transfer().~Transfer();
    if (sending_) send_.transfer().~Transfer();
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
  /// Receives that are posted at most, and the next one: enough for two streams, of which each
  /// peer's next offer is under way.
  static constexpr std::uint32_t kReceives = 8;

  Receive* after(Receive* r) { return ++r == receive_ + kReceives ? receive_ : r; }
  [[nodiscard]] std::uint32_t combine(bool left) const {
    return combining(static_cast<reg::Operator>(me_.call().operator_code()), me_.call().type(),
                     left);
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
  [[nodiscard]] bool awaits_copy(const PlannedMessage& m) const {
    if (!copies_.active()) return false;
    return ((m.flags & Flags::kAccumulates) != 0 && copies_.awaited_by(m.accumulator, m.bytes)) ||
           ((m.flags & Flags::kFollowed) != 0 &&
            (copies_.awaited_by(m.followed, m.bytes) || copies_.awaited_by(m.follower, m.bytes)));
  }
  void post();
  bool finish(const PlannedMessage& m);
  bool go_on();

  Context& me_;
  Plan& plan_;
  bool by_core_, receives_ = false, sending_ = false, following_ = false;
  std::uint32_t tag_, receive_tag_;
  std::uint32_t count_ = 0;  // receives that are posted
  Receive *first_ = receive_, *next_ = receive_;
  std::uint32_t horizon_ = 0, sent_step_ = 0;  // of the next send, and of the last one
  Transfer* awaited_ = nullptr;
  Copies copies_;
  union {  // not cleared
    PlannedMessage out_;
  };
  union {
    Room send_;
  };
  union {
    Room followed_;
  };
  union {
    Receive receive_[kReceives];
  };
};

/// Posts what can be posted.
void Player::post() {
  while (receives_ && count_ < kReceives - 1) {
    const PlannedMessage& m = next_->planned;
    if ((m.flags | m.not_before) != 0 &&
        ((m.not_before != 0 && !past(m.not_before)) || awaits_copy(m)))
      return;
    if ((m.flags & Flags::kAccumulates) != 0 && !by_core_) {
      new (next_->bytes)
          Transfer(me_, Message{m.peer, m.accumulator, m.bytes, receive_tag_, m.step},
                   ReceiveOptions{combine((m.flags & Flags::kMessageLeft) != 0), m.place});
    } else {
      new (next_->bytes) Transfer(me_, Direction::kReceive,
                                  Message{m.peer, m.place, m.bytes, receive_tag_, m.step});
    }
    next_ = after(next_);
    ++count_;
    receives_ = plan_.next_receive(plan_, next_->planned);
  }
}

/// What is left to do with a message that is here. False: its follower is under way.
bool Player::finish(const PlannedMessage& m) {
  if ((m.flags & Flags::kAccumulates) != 0 && by_core_) {
    const bool left = (m.flags & Flags::kMessageLeft) != 0;
    compose(me_.memory(), left ? m.place : m.accumulator, left ? m.accumulator : m.place,
            m.accumulator, m.bytes);
  }
  if ((m.flags & Flags::kFollowed) == 0) return true;
  const bool left = (m.flags & Flags::kFollowerLeft) != 0;
  if (by_core_) {
    compose(me_.memory(), left ? m.follower : m.followed, left ? m.followed : m.follower,
            m.followed, m.bytes);
    return true;
  }
  const Address self = me_.topology().self();
  following_ = true;
  new (followed_.bytes) Transfer(me_, message(me_, self, {m.followed, m.bytes}, m.step),
                                 ReceiveOptions{combine(left), plan_.stage});
  // Not awaited: it is complete when the other one is.
  const Transfer sent(me_, Direction::kSend, message(me_, self, {m.follower, m.bytes}, m.step));
  return false;
}

/// True: everything is done. False: awaited_ must be complete before it goes on.
bool Player::go_on() {
  for (;;) {
    while (count_ != 0 && first_->planned.step < horizon_) {
      if (!following_) {
        if (!first_->transfer().await_ready()) return wait_for(first_->transfer());
        if (first_->planned.flags != 0 && !finish(first_->planned))
          return wait_for(followed_.transfer());
      } else if (!followed_.transfer().await_ready()) {
        return wait_for(followed_.transfer());
      }
      following_ = false;
      first_ = after(first_);
      --count_;
      if (horizon_ == kForever) post();
    }
    if (copies_.active()) copies_.go_on();
    if (receives_ && next_->planned.step < horizon_) {
      // Not posted yet: the window was full, or it waits for a copy or for the own send.
      post();
      if (count_ != 0) continue;
      if (awaits_copy(next_->planned)) return wait_for(copies_.piece());
      if (!sending_) stop("a plan's receive waits for what comes after it");
      if (!send_.transfer().await_ready()) return wait_for(send_.transfer());
      sending_ = false;
      continue;
    }
    if (sending_ && !send_.transfer().await_ready()) return wait_for(send_.transfer());
    sending_ = false;
    if (horizon_ == kForever) break;
    new (send_.bytes) Transfer(me_, Direction::kSend,
                               Message{out_.peer, out_.place, out_.bytes, tag_, out_.step});
    sending_ = true;
    sent_step_ = horizon_;
    next_send();
    post();
  }
  return !copies_.active() || wait_for(copies_.piece());
}

}  // namespace

Task play(Context& me, Plan& plan) {
  Player player(me, plan);
  while (!player.done()) co_await player;
  co_return CallResult::kSuccess;
}

}  // namespace annelid::firmware
