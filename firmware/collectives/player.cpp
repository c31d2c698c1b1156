#include "firmware/collectives/player.hpp"

#include <optional>

#include "firmware/collectives/copy.hpp"
#include "firmware/communication/window.hpp"

namespace annelid::firmware {
namespace {

using Flags = PlannedMessage;

/// Receives that are posted at most: two streams, of which each peer's next offer is under way.
constexpr std::uint32_t kWindow = 8;
constexpr std::uint32_t kForever = 0xFFFFFFFF;

/// `co_await Completion(transfer)`: of one that is kept. (g++ 12 copies what is awaited unless it
/// is a variable or a temporary.)
class Completion {
 public:
  explicit Completion(Transfer& transfer) : transfer_(transfer) {}
  [[nodiscard]] bool await_ready() const { return transfer_.await_ready(); }
  void await_suspend(std::coroutine_handle<> waiter) { transfer_.await_suspend(waiter); }
  void await_resume() {}

 private:
  Transfer& transfer_;
};

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
  /// `co_await copies.piece()`, then done(): until the piece under way is there.
  Completion piece() { return Completion(*to_); }
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

}  // namespace

Task play(Context& me, Plan& plan) {
  const bool by_core = me.call().operator_code() == kAffine;
  const auto combine = [&](bool left) {
    return combining(static_cast<reg::Operator>(me.call().operator_code()), me.call().type(), left);
  };
  PlannedMessage in, out, posted[kWindow];
  Window<kWindow> window;
  std::uint32_t first = 0, count = 0;  // of `posted`
  std::optional<Transfer> sending;
  std::uint32_t sending_step = 0;
  Copies copies(me, plan);

  bool receives = plan.next_receive(plan, in), sends = plan.next_send(plan, out);
  /// Whether everything up to a step is over.
  const auto past = [&](std::uint32_t step) {
    return (count == 0 || posted[first].step > step) && (!sends || out.step > step) &&
           (!sending || sending_step > step || sending->await_ready());
  };
  const auto awaits_copy = [&] {
    return copies.active() &&
           (((in.flags & Flags::kAccumulates) != 0 &&
             copies.awaited_by(in.accumulator, in.bytes)) ||
            ((in.flags & Flags::kFollowed) != 0 && (copies.awaited_by(in.followed, in.bytes) ||
                                                    copies.awaited_by(in.follower, in.bytes))));
  };
  const auto post = [&] {
    while (receives && count < kWindow && (in.not_before == 0 || past(in.not_before)) &&
           !awaits_copy()) {
      const Message m = message(me, in.peer, {in.place, in.bytes}, in.step);
      if ((in.flags & Flags::kAccumulates) != 0 && !by_core) {
        const std::uint32_t accumulator = in.accumulator;
        window.add(me, Message{m.peer, accumulator, m.bytes, m.tag, m.step},
                   ReceiveOptions{combine((in.flags & Flags::kMessageLeft) != 0), m.offset});
      } else {
        window.add(me, Direction::kReceive, m);
      }
      posted[(first + count++) % kWindow] = in;
      receives = plan.next_receive(plan, in);
    }
  };

  post();
  for (;;) {
    const std::uint32_t horizon = sends ? out.step : kForever;
    while (count != 0 && posted[first].step < horizon) {
      co_await window.oldest();
      const PlannedMessage& it = posted[first];
      if ((it.flags & Flags::kAccumulates) != 0 && by_core) {
        const bool left = (it.flags & Flags::kMessageLeft) != 0;
        compose(me.memory(), left ? it.place : it.accumulator, left ? it.accumulator : it.place,
                it.accumulator, it.bytes);
      }
      if ((it.flags & Flags::kFollowed) != 0) {
        const bool left = (it.flags & Flags::kFollowerLeft) != 0;
        if (by_core) {
          compose(me.memory(), left ? it.follower : it.followed, left ? it.followed : it.follower,
                  it.followed, it.bytes);
        } else {
          const Address self = me.topology().self();
          Batch<2> follower;
          follower.add(me, message(me, self, {it.followed, it.bytes}, it.step),
                       ReceiveOptions{combine(left), plan.stage});
          follower.add(me, Direction::kSend, message(me, self, {it.follower, it.bytes}, it.step));
          co_await follower;
        }
      }
      first = (first + 1) % kWindow;
      --count;
      if (!sends) post();
    }
    copies.go_on();
    if (receives && in.step < horizon) {
      // Not posted yet: the window was full, or the receive waits for a copy or for the own send.
      post();
      if (count != 0) continue;
      if (awaits_copy()) {
        co_await copies.piece();
        copies.done();
      } else if (sending) {
        co_await Completion(*sending);
        sending.reset();
      } else {
        stop("a plan's receive waits for what comes after it");
      }
      post();
      continue;
    }
    if (sending) co_await Completion(*sending);
    if (!sends) break;
    sending.emplace(me, Direction::kSend, message(me, out.peer, {out.place, out.bytes}, out.step));
    sending_step = out.step;
    sends = plan.next_send(plan, out);
    post();
  }
  while (copies.active()) {
    co_await copies.piece();
    copies.done();
  }
  co_return CallResult::kSuccess;
}

}  // namespace annelid::firmware
