// Scan and exscan along simultaneous binomial trees (Hillis and Steele 1986):
// docs/internals/algorithms/by-rank.md, "Simultaneous binomial".
#include "firmware/collectives/players/ranked.hpp"
#include "firmware/collectives/players/tree_schedule.hpp"

namespace annelid::firmware::simultaneous_binomial {
namespace {

/// In step i a partial result is sent while the next one is made: so they take turns in areas.
class DoublingPlan : public PlanOf<DoublingPlan> {
 public:
  DoublingPlan(const Call& call, const Ranked& self)
      : call_(call),
        self_(self),
        own_(self.ranks().own()),
        receives_(own_ == 0 ? 0 : floor_log2(own_) + 1),
        scan_(call.operation() == reg::Operation::kScan) {
    stage = scratch_area(call, kStage);
    sends_before_also = false;
    if (scan_ && own_ == 0) copy = {call.source(), call.target(), call.bytes()};
  }

  bool send(PlannedMessage& m) {
    if (!sends(send_)) return false;
    const std::uint32_t parts = send_ - 1 < receives_ ? send_ - 1 : receives_;
    set(m, send_, self_.ranks().address(own_ + distance(send_)), {partial(parts), call_.bytes()});
    ++send_;
    return true;
  }
  bool receive(PlannedMessage& m) {
    if (receive_ > receives_) return false;
    const std::uint32_t i = receive_++;
    set(m, i, self_.ranks().address(own_ - distance(i)), {partial(i), call_.bytes()});
    // The areas of the partial result of step i - kAreas are free when it has been sent.
    m.not_before = i < kAreas ? 0 : i - (kAreas - 1);
    m.flags = PlannedMessage::kCombines | PlannedMessage::kMessageLeft;
    m.operand = partial(i - 1);
    m.target = partial(i);
    if (!scan_) add_result(m, i);
    return true;
  }

 private:
  /// Areas of SCRATCH: partial results in turns; in an exscan the messages in turns, and a stage.
  static constexpr std::uint32_t kAreas = 3, kMessages = 3, kStage = 6;
  static std::uint32_t distance(std::uint32_t i) { return std::uint32_t{1} << (i - 1); }
  [[nodiscard]] bool sends(std::uint32_t i) const { return own_ + distance(i) < self_.size(); }
  /// In an exscan the first message is the result so far, and each other is combined with that.
  void add_result(PlannedMessage& m, std::uint32_t i) const {
    const bool passes_on = sends(i + 1);
    if (i == 1) {
      m.place = call_.target();
      if (!passes_on) m.flags = 0;
      return;
    }
    m.place = scratch_area(call_, kMessages + i % kAreas);
    if (passes_on) {
      m.flags |= PlannedMessage::kAlso;
      m.also_operand = m.also_target = call_.target();
    } else {
      m.operand = m.target = call_.target();
      // The result is in order: the message before was combined with it, or lies there.
      if (i == 2 || sends(i)) m.not_before = i - 1;
    }
  }
  /// The partial result of so many messages.
  [[nodiscard]] std::uint32_t partial(std::uint32_t messages) const {
    if (messages == 0) return call_.source();
    if (scan_ && messages == receives_) return call_.target();
    return scratch_area(call_, messages % kAreas);
  }

  const Call& call_;
  const Ranked& self_;
  std::uint32_t own_, receives_;
  bool scan_;
  std::uint32_t send_ = 1, receive_ = 1;
};

}  // namespace

CallResult check(const Context& me) { return check_ranked(me, kAnyParameter, true); }

Task run(Context& me) { return play_part<DoublingPlan>(me); }

}  // namespace annelid::firmware::simultaneous_binomial
