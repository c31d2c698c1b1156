// All-reduce in which one leader of each group of ranks exchanges with the others:
// docs/internals/algorithms/trade-offs.md, "Leaders: all-reduce". PARAMETER_1: log2 of the ranks of
// a group.
#include "firmware/collectives/players/ranked.hpp"
#include "firmware/collectives/players/tree_schedule.hpp"

namespace annelid::firmware::leaders {
namespace {

/// The groups of 2^k ranks.
struct LeaderGroups {
  LeaderGroups(const Call& call, std::uint32_t ranks) {
    const std::uint32_t asked = call.parameter(1);
    log_ranks = asked < 32 && (ranks - 1) >> asked != 0 ? asked : ceil_log2(ranks);
    count = ((ranks - 1) >> log_ranks) + 1;
    steps = ceil_log2(count);
  }
  [[nodiscard]] bool are_paired() const { return (count & (count - 1)) == 0; }

  std::uint32_t log_ranks, count;
  std::uint32_t steps;  ///< of the exchange between the leaders
};

constexpr std::uint32_t distance(std::uint32_t i) { return std::uint32_t{1} << (i - 1); }

/// A process's part. A *partial result* may be sent while the next one is made. So they take turns
/// in areas, as the windows do.
class LeadersPlan : public PlanOf<LeadersPlan> {
 public:
  LeadersPlan(const Call& call, const Ranked& self)
      : call_(call),
        self_(self),
        groups_(call, self.size()),
        own_(self.ranks().own()),
        leads_((own_ & ((std::uint32_t{1} << groups_.log_ranks) - 1)) == 0),
        height_(leads_ ? groups_.log_ranks : floor_log2(InOrderTree::span(own_))),
        exchanges_(leads_ ? groups_.steps : 0) {
    children_ = height_;
    while (children_ != 0 && distance(children_) >= self.size() - own_) --children_;
    down_ = children_;
    if (self.size() == 1) copy = {call.source(), call.target(), call.bytes()};
  }

  bool send(PlannedMessage& m) {
    if (!leads_ && !sent_up_) {
      sent_up_ = true;
      set(m, height_ + 1, address(own_ - distance(height_ + 1)), buffer(partial(children_)));
      return true;
    }
    if (sent_ < exchanges_) {
      send_to_leader(m, ++sent_);
      return true;
    }
    if (down_ == 0) return false;
    set(m, down_step(down_), address(own_ + distance(down_)), buffer(call_.target()));
    --down_;
    return true;
  }
  bool receive(PlannedMessage& m) {
    const std::uint32_t n = received_++;
    if (n < children_) {
      set(m, n + 1, address(own_ + distance(n + 1)), {});
      combine(m, partial(n), partial(n + 1), n + 1, kPartials);
      return true;
    }
    if (n < children_ + exchanges_) {
      receive_from_leader(m, n - children_ + 1);
      return true;
    }
    if (leads_ || n > children_) return false;
    set(m, down_step(height_ + 1), address(own_ - distance(height_ + 1)), buffer(call_.target()));
    return true;
  }

 private:
  /// Areas of SCRATCH: partial results in turns, windows in turns, and every second window with the
  /// own group.
  static constexpr std::uint32_t kPartials = 4, kWindow = 4, kWindows = 3, kWithOwn = 7;

  [[nodiscard]] Address address(std::uint32_t rank) const { return self_.ranks().address(rank); }
  [[nodiscard]] Address leader(std::uint32_t group) const {
    return address(group << groups_.log_ranks);
  }
  [[nodiscard]] Buffer buffer(std::uint32_t offset) const { return {offset, call_.bytes()}; }
  [[nodiscard]] std::uint32_t down_step(std::uint32_t i) const {
    return 2 * groups_.log_ranks + groups_.steps + 1 - i;
  }
  /// The partial result of so many messages: of the children, and of paired leaders.
  [[nodiscard]] std::uint32_t partial(std::uint32_t messages) const {
    if (messages == 0) return call_.source();
    if (leads_ && messages == children_ + groups_.steps) return call_.target();
    return scratch_area(call_, messages % kPartials);
  }
  /// target := operand ⊕ message, for number n of the messages whose targets take turns in so many
  /// areas.
  void combine(PlannedMessage& m, std::uint32_t operand, std::uint32_t target, std::uint32_t n,
               std::uint32_t areas) const {
    m.place = m.target = target;
    m.operand = operand;
    m.bytes = call_.bytes();
    m.flags = PlannedMessage::kCombines;
    // What was in the area has been combined with a message, and sent.
    if (n > areas) m.not_before = m.step - (areas - 1);
  }

  // What follows is about step i of the exchange. Leaders that are no power of two see windows: the
  // window has grown by number_after(i) leaders when the step is over.
  [[nodiscard]] std::uint32_t number_after(std::uint32_t i) const {
    return (groups_.count - 1) >> (groups_.steps - i);
  }
  /// Whether messages hold the operand of the own group too.
  [[nodiscard]] bool sends_own(std::uint32_t i) const { return (number_after(i) & 1) != 0; }
  /// How far the messages go: the window before the step, and the own group.
  [[nodiscard]] std::uint32_t reach(std::uint32_t i) const {
    return number_after(i) - number_after(i - 1);
  }
  [[nodiscard]] std::uint32_t own_group() const { return own_ >> groups_.log_ranks; }
  [[nodiscard]] std::uint32_t window(std::uint32_t i) const {
    return scratch_area(call_, kWindow + i % kWindows);
  }
  [[nodiscard]] std::uint32_t with_own(std::uint32_t i) const {
    return (groups_.steps - i) % 2 == 0 ? call_.target() : scratch_area(call_, kWithOwn);
  }

  void send_to_leader(PlannedMessage& m, std::uint32_t i) const {
    const std::uint32_t step = groups_.log_ranks + i, group = own_group();
    if (groups_.are_paired()) {
      set(m, step, leader(group ^ distance(i)), buffer(partial(children_ + i - 1)));
      return;
    }
    const std::uint32_t by = reach(i), from = group < by ? group + groups_.count : group;
    const std::uint32_t own = i == 1 ? partial(children_) : with_own(i - 1);
    set(m, step, leader(from - by), buffer(sends_own(i) ? own : window(i - 1)));
  }
  void receive_from_leader(PlannedMessage& m, std::uint32_t i) const {
    const std::uint32_t step = groups_.log_ranks + i, group = own_group();
    if (groups_.are_paired()) {
      const std::uint32_t n = children_ + i;
      set(m, step, leader(group ^ distance(i)), {});
      combine(m, partial(n - 1), partial(n), n, kPartials);
      if ((group & distance(i)) != 0) m.flags |= PlannedMessage::kMessageLeft;
      return;
    }
    const std::uint32_t to_end = groups_.count - group, by = reach(i);
    set(m, step, leader(by < to_end ? group + by : by - to_end), buffer(window(i)));
    // With its own group, in either order: the operators commute, bit by bit.
    const bool last = i == groups_.steps, adds_own = last || sends_own(i + 1);
    if (i == 1) {
      if (!adds_own) return;
      m.flags = PlannedMessage::kCombines;
      m.operand = partial(children_);
      m.target = with_own(i);
      return;
    }
    combine(m, window(i - 1), window(i), i, kWindows);
    // The NIC does not know that the first window is made where its message lies.
    if (i == 2) m.not_before = step - 1;
    if (!adds_own) return;
    m.flags |= PlannedMessage::kAlso;
    m.also_operand = partial(children_);
    m.also_target = with_own(i);
  }

  const Call& call_;
  const Ranked& self_;
  LeaderGroups groups_;
  std::uint32_t own_;
  bool leads_, sent_up_ = false;
  std::uint32_t height_, children_, exchanges_;
  std::uint32_t sent_ = 0, received_ = 0, down_ = 0;  // between leaders; at all; to children left
};

}  // namespace

CallResult check(const Context& me) {
  const Call& call = me.call();
  const auto pairs = [&] {
    return Ranks::fits(me.group(), call.parameter(2)) &&
           LeaderGroups(call, Ranks(me.group(), call.parameter(2)).size()).are_paired();
  };
  return check_ranked(me, kAnyParameter, call.operator_code() == kAffine && pairs());
}

Task run(Context& me) { return play_part<LeadersPlan>(me); }

}  // namespace annelid::firmware::leaders
