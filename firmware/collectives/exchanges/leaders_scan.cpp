// Scan and exscan in which the last rank of each group of ranks leads it:
// docs/internals/algorithms/trade-offs.md, "Leaders: scan and exscan". PARAMETER_1: log2 of the
// ranks of a group.
#include "firmware/collectives/players/ranked.hpp"
#include "firmware/collectives/players/tree_schedule.hpp"

namespace annelid::firmware::leaders_scan {
namespace {

constexpr std::uint32_t distance(std::uint32_t i) { return std::uint32_t{1} << (i - 1); }
/// PARAMETER_1, or the largest k with 2^k <= ranks.
std::uint32_t log_group(const Call& call, std::uint32_t ranks) {
  const std::uint32_t asked = call.parameter(1);
  return asked < 32 && ranks >> asked != 0 ? asked : floor_log2(ranks);
}
/// The largest i, from 1 on, with distance(i) <= n; 0: there is none.
constexpr std::uint32_t last_within(std::uint32_t n) { return n == 0 ? 0 : floor_log2(n) + 1; }

/// A process's part. Its messages come from lower ranks: first up a tree, then from leaders to a
/// leader, or down the tree to another process. A partial result may be sent while the next one is
/// made: so they take turns in areas.
class LeadersScanPlan : public PlanOf<LeadersScanPlan> {
 public:
  LeadersScanPlan(const Call& call, const Ranked& self)
      : call_(call),
        self_(self),
        own_(self.ranks().own()),
        above_(self.size() - 1 - own_),
        log_group_(log_group(call, self.size())),
        scan_(call.operation() == reg::Operation::kScan) {
    while (height_ < log_group_ && ((own_ + 1) >> height_ & 1) == 0) ++height_;
    if (leads()) {
      receives_ = height_ + last_within(own_ >> height_);
      sends_ = last_within(above_ >> height_);
    } else {
      receives_ = height_ + ((own_ & (own_ + 1)) != 0 ? 1 : 0);
      sends_ = distance(height_ + 1) <= above_ ? 1 : 0;
    }
    down_ = height_;
    while (down_ != 0 && distance(down_) > above_) --down_;
    if (log_group_ != 0) {
      const bool all_go_down = 3 * distance(log_group_) <= self.size();
      last_step_ = 2 * log_group_ + ceil_log2(self.size() >> log_group_) - (all_go_down ? 0 : 1);
    }
    last_send_ = down_ != 0 ? last_step_ : sends_ == 0 ? 0 : height_ + sends_;
    stage = scratch_area(call, kStage);
    sends_before_also = false;
    if (scan_ && own_ == 0) copy = {call.source(), call.target(), call.bytes()};
  }

  bool send(PlannedMessage& m) {
    if (sent_ < sends_) {
      const std::uint32_t before = height_ + sent_++;  // messages, if there are so many
      const std::uint32_t by = distance(leads() ? sent_ : 1) << height_;
      set(m, before + 1, address(own_ + by),
          {partial(before < receives_ ? before : receives_), call_.bytes()});
      return true;
    }
    if (down_ == 0) return false;
    set(m, down_step(down_), address(own_ + distance(down_)), {partial(receives_), call_.bytes()});
    --down_;
    return true;
  }
  bool receive(PlannedMessage& m) {
    if (received_ == receives_) return false;
    const std::uint32_t n = ++received_;
    if (n <= height_) {
      set(m, n, address(own_ - distance(n)), {});
    } else if (leads()) {
      set(m, n, address(own_ - (distance(n - height_) << height_)), {});
    } else {
      set(m, down_step(n), address(own_ - distance(n)), {});
    }
    m.place = m.target = partial(n);
    m.operand = partial(n - 1);
    m.bytes = call_.bytes();
    m.flags = PlannedMessage::kCombines | PlannedMessage::kMessageLeft;
    // What was in the area has been combined with a message, and sent.
    if (n > kPartials) m.not_before = m.step - (kPartials - 1);
    if (!scan_) add_result(m, n);
    return true;
  }

 private:
  /// Areas of SCRATCH: partial results in turns; in an exscan the messages in turns, and a stage.
  static constexpr std::uint32_t kPartials = 4, kMessage = 4, kMessages = 3, kStage = 7;

  [[nodiscard]] bool leads() const { return height_ == log_group_; }
  [[nodiscard]] Address address(std::uint32_t rank) const { return self_.ranks().address(rank); }
  /// The step in which messages go down by distance(i).
  [[nodiscard]] std::uint32_t down_step(std::uint32_t i) const { return last_step_ + 1 - i; }
  /// Adds the message to the result of an exscan. The first one is the result so far, and each
  /// other is combined with that.
  void add_result(PlannedMessage& m, std::uint32_t n) {
    const bool passes_on = m.step < last_send_;
    if (n == 1) {
      m.place = call_.target();
      if (!passes_on) m.flags = 0;
    } else {
      m.place = scratch_area(call_, kMessage + n % kMessages);
      if (n > kMessages) m.not_before = m.step - (kMessages - 1);
      if (passes_on) {
        m.flags |= PlannedMessage::kAlso;
        m.also_operand = m.also_target = call_.target();
      } else {
        m.operand = m.target = call_.target();
        // The result is in order: the message before was combined with it, or lies there.
        if (n == 2 || result_is_apart_) m.not_before = m.step - 1;
      }
    }
    result_is_apart_ = passes_on;
  }
  /// The partial result of so many messages.
  [[nodiscard]] std::uint32_t partial(std::uint32_t messages) const {
    if (messages == 0) return call_.source();
    if (scan_ && messages == receives_) return call_.target();
    return scratch_area(call_, messages % kPartials);
  }

  const Call& call_;
  const Ranked& self_;
  std::uint32_t own_, above_;  // the ranks above it
  std::uint32_t log_group_, height_ = 0;
  bool scan_, result_is_apart_ = false;  // whether a message was combined with the result by kAlso
  std::uint32_t last_step_ = 0, last_send_;  // of all processes; of this one, 0: it sends nothing
  std::uint32_t receives_, sends_, down_;    // in all; up or to leaders; down, those that are left
  std::uint32_t sent_ = 0, received_ = 0;
};

}  // namespace

CallResult check(const Context& me) { return check_ranked(me, kAnyParameter, true); }

Task run(Context& me) { return play_part<LeadersScanPlan>(me); }

}  // namespace annelid::firmware::leaders_scan
