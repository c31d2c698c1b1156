// Reduction and all-reduce by recursive doubling over whole blocks:
// docs/internals/algorithms/by-rank.md, "Butterfly".
#include "firmware/collectives/exchanges/fold.hpp"

namespace annelid::firmware::butterfly {
namespace {

/// A partial result is sent while the next one is made: so they take turns in areas.
class ButterflyPlan : public PlanOf<ButterflyPlan>, private FoldedPlan {
 public:
  ButterflyPlan(const Call& call, const Ranked& self) : FoldedPlan(call, self, 1) {
    if (self.size() == 1) copy = {call.source(), call.target(), call.bytes()};
  }

  bool send(PlannedMessage& m) {
    const std::uint32_t step = send_++;
    if (fold_.left_out()) {
      give_block(m);
      return step == 1;
    }
    if (step < last_) {
      set(m, step, partner(step), {partial(step - 1), call_.bytes()});
      return true;
    }
    if (step > last_ || !result_goes()) return false;
    set(m, step, fold_.neighbour(), {partial(step - 1), call_.bytes()});
    return true;
  }
  bool receive(PlannedMessage& m) {
    const std::uint32_t step = receive_++;
    if (step >= last_) {
      if (step > last_ || !result_comes()) return false;
      set(m, step, fold_.neighbour(), {call_.target(), call_.bytes()});
      return true;
    }
    const bool first = step <= fold_.before();  // the neighbour's, of a higher rank
    set(m, step, first ? fold_.neighbour() : partner(step), {partial(step), call_.bytes()});
    m.target = partial(step);
    m.operand = partial(step - 1);
    m.flags = PlannedMessage::kCombines;
    if (!first && (fold_.process() & distance(step)) != 0) m.flags |= PlannedMessage::kMessageLeft;
    if (step >= kAreas) m.not_before = step - (kAreas - 1);
    return true;
  }

 private:
  static constexpr std::uint32_t kAreas = 4;
  [[nodiscard]] Address partner(std::uint32_t step) const {
    return fold_.address(fold_.process() ^ distance(step));
  }
  /// The partial result after a step.
  [[nodiscard]] std::uint32_t partial(std::uint32_t step) const {
    if (step == 0 || (step == 1 && fold_.before() == 1 && !fold_.has_neighbour()))
      return call_.source();
    if (step == last_ - 1 && has_result()) return call_.target();
    return scratch_area(call_, step % kAreas);
  }
};

}  // namespace

CallResult check(const Context& me) { return check_ranked(me, kAnyParameter, true); }

Task run(Context& me) { return play_part<ButterflyPlan>(me); }

}  // namespace annelid::firmware::butterfly
