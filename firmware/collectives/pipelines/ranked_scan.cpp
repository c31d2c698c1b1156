#include "firmware/collectives/pipelines/ranked_scan.hpp"

namespace annelid::firmware {
namespace {

/// Areas of SCRATCH.
enum : std::uint32_t { kOwnPrefix, kLeftTotal, kTotal, kFromAbove, kStage };

constexpr std::uint32_t kCombines = PlannedMessage::kCombines;
constexpr std::uint32_t kCombinesLeft = kCombines | PlannedMessage::kMessageLeft;

/// The streams of a process in one tree. "own prefix" is left total ⊕ own: at TARGET in a scan,
/// where what comes from above is added to it. In an exscan that is where the left total is.
class ScanStreams {
 public:
  ScanStreams(const Call& call, const Ranked& self, StreamPlan& plan)
      : call_(call),
        self_(self),
        scan_(call.operation() == reg::Operation::kScan),
        own_prefix_(scan_ ? call.target() : area(kOwnPrefix)),
        plan_(plan) {}

  void add(const ScanNode& node, std::uint32_t part) {
    const bool left = node.left.process != kNobody, right = node.right.process != kNobody;
    const bool sends = !node.holds_last, gets = !node.holds_first;
    if (left) add_left_total(node, part);
    if (right && sends) add_right_total(node, part);
    const std::uint32_t prefix = left ? own_prefix_ : call_.source();
    if (sends) add_send(node.parent, node.parent.up, right ? area(kTotal) : prefix, part);
    if (gets) add_from_above(node, part);
    if (gets && left) add_send(node.left, node.left.down, area(kFromAbove), part);
    if (right) add_send(node.right, node.right.down, gets ? own_prefix_ : prefix, part);
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
    Stream& s = add_receive(node.left, node.left.up,
                            !scan_  ? call_.target()
                            : later ? area(kLeftTotal)
                                    : own_prefix_,
                            part);
    if (later) {
      // The right total has become own ⊕ right total.
      s.combine(kCombinesLeft, area(kTotal), area(kTotal));
      s.combine_also(call_.source(), own_prefix_);
    } else if (scan_ || passes_on) {
      s.combine(kCombinesLeft, call_.source(), own_prefix_);
    }
  }

  void add_right_total(const ScanNode& node, std::uint32_t part) {
    Stream& s = add_receive(node.right, node.right.up, area(kTotal), part);
    const bool with_left = node.left.process != kNobody && !left_is_later(node);
    s.combine(kCombines, with_left ? own_prefix_ : call_.source(), area(kTotal));
  }

  void add_from_above(const ScanNode& node, std::uint32_t part) {
    const bool left = node.left.process != kNobody, right = node.right.process != kNobody;
    Stream& s =
        add_receive(node.parent, node.parent.down, left ? area(kFromAbove) : call_.target(), part);
    if (left) {
      // Nothing of the packet that it is combined with is under way any more.
      s.not_before = node.parent.up;
      plan_.last_reused = 0xFFFFFFFF;
      const std::uint32_t target = scan_ || !right ? call_.target() : own_prefix_;
      s.combine(kCombinesLeft, target, target);
      if (!scan_ && right) s.combine_also(call_.target(), call_.target());
    } else if (scan_ || right) {
      s.combine(kCombinesLeft, call_.source(), own_prefix_);
    }
  }

  [[nodiscard]] std::uint32_t area(std::uint32_t i) const { return scratch_area(call_, i); }
  [[gnu::noinline]] void add_send(const ScanEdge& edge, std::uint32_t step, std::uint32_t block,
                                  std::uint32_t part) {
    plan_.add_send(step, self_.ranks().address(edge.process - 1), block, part);
  }
  [[gnu::noinline]] Stream& add_receive(const ScanEdge& edge, std::uint32_t step,
                                        std::uint32_t block, std::uint32_t part) {
    return plan_.add_receive(step, self_.ranks().address(edge.process - 1), block, part);
  }

  const Call& call_;
  const Ranked& self_;
  bool scan_;
  std::uint32_t own_prefix_;
  StreamPlan& plan_;
};

/// A process's plan, and its player if it needs one, as in ranked_trees.cpp.
class ScanPlayer {
 public:
  ScanPlayer(Context& me, const ScanPart& part)
      : cut_(me.call(), part.schedule.trees, part.packets, part.schedule.period, depth(part),
             kStage) {
    add_streams(me, part);
    if (!cut_.plan.begin(me)) player_.emplace(me, cut_.plan);
  }

  Player* player() { return player_ ? &*player_ : nullptr; }

 private:
  /// In steps. Trees are not deep; only in a pipeline can a process send in each step.
  static std::uint32_t depth(const ScanPart& part) {
    return part.schedule.period == 1 ? part.self.size() : 0;
  }
  void add_streams(const Context& me, const ScanPart& part) {
    const auto& [self, schedule, packets] = part;
    const Call& call = me.call();
    cut_.receive_as_usual(me, packets, schedule.simplex, schedule.period > 1);
    if (call.operation() == reg::Operation::kScan && self.relative() == 0) {
      cut_.plan.copy = {call.source(), call.target(), call.bytes()};
    }
    ScanStreams streams(call, self, cut_.plan);
    for (std::uint32_t tree = 0; tree < schedule.trees; ++tree) {
      streams.add(schedule.node[tree], tree * packets);
    }
  }

  TreePackets cut_;
  std::optional<Player> player_;
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

Task play_scan(Context& me, const ScanPart& part) {
  if (!part.self.member()) return play_nothing(me);
  return play_in_arena<ScanPlayer>(me, part);
}

}  // namespace annelid::firmware
