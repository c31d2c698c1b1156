// SHIFT, by a send and a receive at once, and by the pairing of even and odd positions:
// docs/internals/algorithms/shift.md. PARAMETER_1: the steps, a signed number; PARAMETER_0: 1 with
// ends, 0 cyclic.
#include "firmware/collectives/buffers/blocks.hpp"
#include "firmware/collectives/buffers/copy.hpp"
#include "firmware/communication/ranks.hpp"
#include "firmware/communication/shift_rows.hpp"

namespace annelid::firmware {
namespace {

CallResult check_shift(const Context& me) {
  const Call& call = me.call();
  if (!Ranks::fits(me.group(), call.parameter(2)) || call.parameter(0) > 1)
    return CallResult::kBadArgument;
  return check_blocks(me, 1, 1);
}

/// This process's messages, of the ranks of the call.
class ShiftPart {
 public:
  explicit ShiftPart(const Context& me)
      : ranks_(me.group(), me.call().parameter(2)),
        own_(ranks_.own()),
        rows_(ranks_.size(), me.call().parameter(1), me.call().parameter(0) != 0),
        to_(own_ == Ranks::kNoRank ? kNobody : rows_.to(own_)),
        from_(own_ == Ranks::kNoRank ? kNobody : rows_.from(own_)) {}

  [[nodiscard]] bool sends() const { return to_ != kNobody; }
  [[nodiscard]] bool receives() const { return from_ != kNobody; }
  [[nodiscard]] bool copies() const { return sends() && to_ == own_; }

  [[nodiscard]] Message out(const Context& me, std::uint32_t step) const {
    return message(me, ranks_.address(to_), source_block(me), step);
  }
  [[nodiscard]] Message in(const Context& me, std::uint32_t step) const {
    return message(me, ranks_.address(from_), target_block(me), step);
  }
  /// Return the steps of the two, by the pairing.
  [[nodiscard]] std::uint32_t step_out() const { return sends() ? rows_.step_of(own_) : 0; }
  [[nodiscard]] std::uint32_t step_in() const { return receives() ? rows_.step_of(from_) : 0; }

 private:
  static constexpr std::uint32_t kNobody = ShiftRows::kNobody;

  Ranks ranks_;
  std::uint32_t own_;
  ShiftRows rows_;
  std::uint32_t to_, from_;
};

}  // namespace

namespace shift_send_receive {

CallResult check(const Context& me) { return check_shift(me); }

Task run(Context& me) {
  const ShiftPart part(me);
  if (part.copies()) {
    co_await copy(me, source_block(me), target_block(me));
  } else if (part.sends() && part.receives()) {
    co_await Exchange(me, part.out(me, 1), part.in(me, 1));
  } else if (part.sends()) {
    co_await Transfer(me, Direction::kSend, part.out(me, 1));
  } else if (part.receives()) {
    co_await Transfer(me, Direction::kReceive, part.in(me, 1));
  }
  co_return CallResult::kSuccess;
}

}  // namespace shift_send_receive

namespace shift_even_odd {

CallResult check(const Context& me) { return check_shift(me); }

Task run(Context& me) {
  const ShiftPart part(me);
  if (part.copies()) {
    co_await copy(me, source_block(me), target_block(me));
    co_return CallResult::kSuccess;
  }
  const std::uint32_t out = part.step_out(), in = part.step_in();
  if (out != 0 && out < in) {
    co_await Transfer(me, Direction::kSend, part.out(me, out));
  }
  if (in != 0) co_await Transfer(me, Direction::kReceive, part.in(me, in));
  if (out != 0 && out >= in) {
    co_await Transfer(me, Direction::kSend, part.out(me, out));
  }
  co_return CallResult::kSuccess;
}

}  // namespace shift_even_odd

}  // namespace annelid::firmware
