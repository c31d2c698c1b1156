// Scan and exscan along simultaneous binomial trees (Hillis and Steele 1986):
// docs/internals/algorithms/by-rank.md, "Simultaneous binomial".
#include "firmware/collectives/ranked.hpp"
#include "firmware/collectives/tree_schedule.hpp"

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
    first_piece = call.bytes();
    stage = scratch_area(call, kAreas);
    if (scan_ && own_ == 0) copies[0] = {call.source(), call.target(), call.bytes()};
    if (!scan_ && own_ != 0 && sends(2)) copies[0] = {call.source(), partial(1), call.bytes()};
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
    m.not_before = i < kAreas ? 0 : i - (kAreas - 1);
    if (scan_ || i > 1) {
      m.followed = partial(i);  // the message
      m.follower = partial(i - 1);
      if (scan_ || sends(i + 1)) m.flags = PlannedMessage::kFollowed;
    }
    if (scan_) return true;
    m.accumulator = call_.target();
    if (i > 1) {
      m.flags |= PlannedMessage::kAccumulates | PlannedMessage::kMessageLeft;
      if (m.not_before == 0) m.not_before = 1;
      return true;
    }
    // The first message is the result so far; with the own block it is the next partial result.
    m.place = m.follower = call_.target();
    m.followed = partial(1);
    if (sends(2)) m.flags = PlannedMessage::kFollowed | PlannedMessage::kFollowerLeft;
    return true;
  }

 private:
  static constexpr std::uint32_t kAreas = 4;
  static std::uint32_t distance(std::uint32_t i) { return std::uint32_t{1} << (i - 1); }
  [[nodiscard]] bool sends(std::uint32_t i) const { return own_ + distance(i) < self_.size(); }
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
