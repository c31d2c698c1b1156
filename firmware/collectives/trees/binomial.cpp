// A binomial tree of ranks, the block in one piece: docs/internals/algorithms/by-rank.md,
// "Binomial".
#include "firmware/collectives/players/ranked.hpp"
#include "firmware/collectives/players/tree_schedule.hpp"

namespace annelid::firmware::binomial {
namespace {

/// Children of rank r are r + 1, r + 2, r + 4, ... below the lowest bit of r: a reduction goes
/// through them upwards, a broadcast downwards.
class BinomialPlan : public PlanOf<BinomialPlan> {
 public:
  BinomialPlan(const Call& call, const Ranked& self)
      : call_(call),
        self_(self),
        own_(self.relative()),
        steps_(ceil_log2(self.size())),
        height_(own_ == 0 ? steps_ : floor_log2(InOrderTree::span(own_))) {
    const bool reduces = call.operation() != reg::Operation::kBroadcast;
    buffer_ = {reduces ? call.target() : call.source(), call.bytes()};
    partial_ = {own_ == 0 ? call.target() : scratch_area(call, 0), call.bytes()};
    if (!reduces) {
      up_sends_ = up_receives_ = steps_ + 1;
      before_ = last_reused = 0;
    } else {
      before_ = steps_;
      if (steps_ < kScratchBlocks) last_reused = 0;  // no area serves twice
      if (self.size() == 1) copy = {call.source(), partial_.offset, call.bytes()};
    }
    down_sends_ = call.operation() == reg::Operation::kReduce ? steps_ + 1 : steps_ - height_ + 1;
    down_receives_ = call.operation() != reg::Operation::kReduce && own_ != 0;
    most_receives = reduces ? kMany : 1;
  }

  bool send(PlannedMessage& m) {
    if (up_sends_ <= steps_ && own_ != 0) {  // once, when the children have sent
      const Buffer from = child(1) ? partial_ : Buffer{call_.source(), call_.bytes()};
      set(m, height_ + 1, self_.address(own_ - bit(height_ + 1)), from);
      up_sends_ = steps_ + 1;
      return true;
    }
    while (down_sends_ <= steps_) {
      const std::uint32_t step = down_sends_++, to = steps_ - step + 1;
      if (!child(to)) continue;
      set(m, before_ + step, self_.address(own_ + bit(to)), buffer_);
      return true;
    }
    return false;
  }
  bool receive(PlannedMessage& m) {
    while (up_receives_ <= height_) {
      const std::uint32_t step = up_receives_++;
      if (!child(step)) continue;
      // Seven areas are staging areas in turns.
      const std::uint32_t area = 1 + step % (kScratchBlocks - 1);
      set(m, step, self_.address(own_ + bit(step)), {scratch_area(call_, area), call_.bytes()});
      m.flags = PlannedMessage::kCombines;
      m.operand = step == 1 ? call_.source() : partial_.offset;  // whoever has a child has this one
      m.target = partial_.offset;
      if (step >= kScratchBlocks) m.not_before = step - (kScratchBlocks - 1);
      return true;
    }
    if (!down_receives_) return false;
    down_receives_ = false;
    set(m, before_ + steps_ - height_, self_.address(own_ - bit(height_ + 1)), buffer_);
    return true;
  }

 private:
  /// The distance of step i of a reduction.
  static std::uint32_t bit(std::uint32_t i) { return std::uint32_t{1} << (i - 1); }
  [[nodiscard]] bool child(std::uint32_t i) const {
    return i <= height_ && own_ + bit(i) < self_.size();
  }

  const Call& call_;
  const Ranked& self_;
  std::uint32_t own_, steps_;
  std::uint32_t height_;  // it has children at the distances of steps 1..height_
  std::uint32_t before_;  // steps before the broadcast's
  std::uint32_t up_sends_ = 1, up_receives_ = 1, down_sends_;
  bool down_receives_;
  Buffer buffer_, partial_;
};

}  // namespace

CallResult check(const Context& me) {
  const Call& call = me.call();
  const bool ordered =
      call.operation() != reg::Operation::kReduce ||
      (Ranks::fits(me.group(), call.parameter(2)) && call.root() < me.group().size() &&
       Ranks(me.group(), call.parameter(2)).rank_of(call.root()) == 0);
  return check_ranked(me, kAnyParameter, ordered);
}

Task run(Context& me) { return play_part<BinomialPlan>(me); }

}  // namespace annelid::firmware::binomial
