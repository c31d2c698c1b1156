#include "firmware/collectives/ranked_scan.hpp"

namespace annelid::firmware {
namespace {

/// Areas of SCRATCH. What a process adds to what comes from above, "left total ⊕ own", is at TARGET
/// in a scan; in an exscan that is where the left total is.
enum : std::uint32_t { kOwnPrefix, kLeftTotal, kTotal, kFromAbove, kStage };
constexpr std::uint32_t kNowhere = 0xFFFFFFFF;

constexpr std::uint32_t kAccumulateLeft =
    PlannedMessage::kAccumulates | PlannedMessage::kMessageLeft;
constexpr std::uint32_t kFollowLeft = PlannedMessage::kFollowed | PlannedMessage::kFollowerLeft;

class ScanStreams {
 public:
  ScanStreams(const Call& call, const Ranked& self, std::uint32_t period, StreamPlan& plan)
      : call_(call), self_(self), period_(period), plan_(plan) {}

  /// Gives where the own block must be copied to, or kNowhere.
  std::uint32_t add(const ScanNode& node, std::uint32_t part) {
    const bool scan = call_.operation() == reg::Operation::kScan;
    const bool left = node.left.process != kNobody, right = node.right.process != kNobody;
    const bool sends = !node.holds_last, gets = !node.holds_first;
    const bool passes_on = sends || right;  // left total ⊕ own to others
    const std::uint32_t target = call_.target(), own_prefix = scan ? target : area(kOwnPrefix);
    const std::uint32_t prefix = left ? own_prefix : call_.source();

    // The right total becomes (left total ⊕ own) ⊕ right total when both have come.
    const bool left_is_later = left && node.left.up > node.right.up;
    if (left) {
      Stream s = stream(node.left.process, node.left.up, scan ? area(kLeftTotal) : target);
      if (scan || passes_on) s.flags = kAccumulateLeft;
      if (right && sends && left_is_later) s.flags |= kFollowLeft;
      s.accumulator = own_prefix;
      s.follower = prefix;
      s.followed = area(kTotal);
      plan_.add_receive(s, part);
    }
    if (right && sends) {
      Stream s = stream(node.right.process, node.right.up, area(kTotal));
      if (!left_is_later) s.flags = kFollowLeft;
      s.follower = prefix;
      s.followed = area(kTotal);
      plan_.add_receive(s, part);
    }
    if (sends) {
      const std::uint32_t total = right ? area(kTotal) : prefix;
      plan_.add_send(stream(node.parent.process, node.parent.up, total), part);
    }
    if (gets) {
      const bool to_target = !scan && !left;
      Stream s =
          stream(node.parent.process, node.parent.down, to_target ? target : area(kFromAbove));
      // Of the packet that it is combined with or stored over nothing is under way any more.
      if (left || right) s.not_before = node.parent.up;
      if (!to_target) s.flags = kAccumulateLeft;
      s.accumulator = target;
      if (!scan && right) {
        s.flags |= kFollowLeft;
        s.follower = s.place;
        s.followed = own_prefix;
      }
      plan_.add_receive(s, part);
      if (left) plan_.add_send(stream(node.left.process, node.left.down, area(kFromAbove)), part);
    }
    if (right) {
      const std::uint32_t from = gets ? own_prefix : prefix;
      plan_.add_send(stream(node.right.process, node.right.down, from), part);
    }
    if (scan) return target;
    return (left && passes_on) || (right && gets) ? own_prefix : kNowhere;
  }

 private:
  [[nodiscard]] std::uint32_t area(std::uint32_t i) const { return scratch_area(call_, i); }
  [[nodiscard]] Stream stream(std::uint32_t process, std::uint32_t step,
                              std::uint32_t place) const {
    Stream s;
    s.step = step;
    s.period = period_;
    s.peer = self_.ranks().address(process - 1);
    s.place = place;
    return s;
  }

  const Call& call_;
  const Ranked& self_;
  std::uint32_t period_;
  StreamPlan& plan_;
};

}  // namespace

ScanSchedule scan_along(const TreeSchedule& trees, std::uint32_t packets) {
  ScanSchedule result{trees.trees, trees.period, {}};
  const std::uint32_t steps = trees.last + trees.period * (packets - 1);
  const auto edge = [&](std::uint32_t process, std::uint32_t first) {
    return ScanEdge{process, trees.last + 1 - first, steps + first};
  };
  for (std::uint32_t tree = 0; tree < trees.trees; ++tree) {
    const TreeNode& node = trees.node[tree];
    result.node[tree] = {edge(node.parent, node.first), edge(node.left.process, node.left.first),
                         edge(node.right.process, node.right.first), node.holds_first,
                         node.holds_last};
  }
  return result;
}

Task play_scan(Context& me, Ranked self, ScanSchedule schedule, std::uint32_t packets) {
  if (!self.member()) co_return CallResult::kSuccess;
  const Call& call = me.call();
  TreePackets cut(call, schedule.trees, packets, kStage);
  if (schedule.trees == 0 && call.operation() == reg::Operation::kScan) {
    cut.plan.copies[0] = {call.source(), call.target(), call.bytes()};
  }
  ScanStreams streams(call, self, schedule.period, cut.plan);
  for (std::uint32_t tree = 0; tree < schedule.trees; ++tree) {
    const std::uint32_t to = streams.add(schedule.node[tree], tree * packets);
    if (to == kNowhere) continue;
    const std::uint32_t begin = cut.parts.begin(tree * packets);
    const std::uint32_t end = cut.parts.begin((tree + 1) * packets);
    cut.plan.copies[tree] = {call.source() + begin, to + begin, end - begin};
  }
  co_return co_await play(me, cut.plan);
}

}  // namespace annelid::firmware
