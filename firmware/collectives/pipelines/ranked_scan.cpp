#include "firmware/collectives/pipelines/ranked_scan.hpp"

namespace annelid::firmware {
namespace {

/// Areas of SCRATCH.
enum : std::uint32_t { kOwnPrefix, kLeftTotal, kTotal, kFromAbove, kStage };

constexpr std::uint32_t kCombines = PlannedMessage::kCombines, kAlso = PlannedMessage::kAlso;
constexpr std::uint32_t kCombinesLeft = kCombines | PlannedMessage::kMessageLeft;

/// The streams of a process in one tree. "own prefix" is left total ⊕ own: at TARGET in a scan,
/// where what comes from above is added to it. In an exscan that is where the left total is.
class ScanStreams {
 public:
  ScanStreams(const Call& call, const Ranked& self, std::uint32_t period, StreamPlan& plan)
      : call_(call),
        self_(self),
        period_(period),
        scan_(call.operation() == reg::Operation::kScan),
        own_prefix_(scan_ ? call.target() : area(kOwnPrefix)),
        plan_(plan) {}

  void add(const ScanNode& node, std::uint32_t part) {
    const bool left = node.left.process != kNobody, right = node.right.process != kNobody;
    const bool sends = !node.holds_last, gets = !node.holds_first;
    if (left) add_left_total(node, part);
    if (right && sends) add_right_total(node, part);
    const std::uint32_t prefix = left ? own_prefix_ : call_.source();
    if (sends) {
      plan_.add_send(stream(node.parent.process, node.parent.up, right ? area(kTotal) : prefix),
                     part);
    }
    if (gets) add_from_above(node, part);
    if (gets && left)
      plan_.add_send(stream(node.left.process, node.left.down, area(kFromAbove)), part);
    if (right) {
      plan_.add_send(stream(node.right.process, node.right.down, gets ? own_prefix_ : prefix),
                     part);
    }
  }

 private:
  /// Whether the left total comes after the right one, and both go up.
  static bool left_is_later(const ScanNode& node) {
    return node.left.process != kNobody && node.right.process != kNobody && !node.holds_last &&
           node.left.up > node.right.up;
  }

  void add_left_total(const ScanNode& node, std::uint32_t part) {
    const bool later = left_is_later(node);
    const bool passes_on = !node.holds_last || node.right.process != kNobody;
    Stream s = stream(node.left.process, node.left.up,
                      !scan_  ? call_.target()
                      : later ? area(kLeftTotal)
                              : own_prefix_);
    if (later) {
      // The right total has become own ⊕ right total.
      s.flags = kCombinesLeft | kAlso;
      s.operand = s.target = area(kTotal);
      s.also_operand = call_.source();
      s.also_target = own_prefix_;
    } else if (scan_ || passes_on) {
      s.flags = kCombinesLeft;
      s.operand = call_.source();
      s.target = own_prefix_;
    }
    plan_.add_receive(s, part);
  }

  void add_right_total(const ScanNode& node, std::uint32_t part) {
    Stream s = stream(node.right.process, node.right.up, area(kTotal));
    const bool with_left = node.left.process != kNobody && !left_is_later(node);
    s.flags = kCombines;
    s.operand = with_left ? own_prefix_ : call_.source();
    s.target = area(kTotal);
    plan_.add_receive(s, part);
  }

  void add_from_above(const ScanNode& node, std::uint32_t part) {
    const bool left = node.left.process != kNobody, right = node.right.process != kNobody;
    Stream s =
        stream(node.parent.process, node.parent.down, left ? area(kFromAbove) : call_.target());
    if (left) {
      // Nothing of the packet that it is combined with is under way any more.
      s.not_before = node.parent.up;
      s.flags = kCombinesLeft;
      s.operand = s.target = scan_ || !right ? call_.target() : own_prefix_;
      if (!scan_ && right) {
        s.flags |= kAlso;
        s.also_operand = s.also_target = call_.target();
      }
    } else if (scan_ || right) {
      s.flags = kCombinesLeft;
      s.operand = call_.source();
      s.target = own_prefix_;
    }
    plan_.add_receive(s, part);
  }

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
  bool scan_;
  std::uint32_t own_prefix_;
  StreamPlan& plan_;
};

}  // namespace

ScanSchedule scan_along(const TreeSchedule& trees, std::uint32_t packets) {
  ScanSchedule result{trees.trees, trees.period, {}, trees.simplex};
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
  cut.receive_as_usual(me, packets, schedule.simplex, schedule.period > 1);
  if (call.operation() == reg::Operation::kScan && self.relative() == 0) {
    cut.plan.copy = {call.source(), call.target(), call.bytes()};
  }
  ScanStreams streams(call, self, schedule.period, cut.plan);
  for (std::uint32_t tree = 0; tree < schedule.trees; ++tree) {
    streams.add(schedule.node[tree], tree * packets);
  }
  co_return co_await play(me, cut.plan);
}

}  // namespace annelid::firmware
