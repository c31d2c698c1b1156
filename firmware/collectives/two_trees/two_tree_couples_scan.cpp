// Scan and exscan by two trees of couples, for NICs that cannot send and receive at once:
// docs/internals/algorithms/two-trees.md, "Scan by couples"; Sanders, Speck and Träff 2009,
// Section 5.2. PARAMETER_1: packets of each tree, or 0: by the block's length.
#include "firmware/collectives/pipelines/ranked_scan.hpp"
#include "firmware/collectives/two_trees/two_trees.hpp"

namespace annelid::firmware::two_tree_couples_scan {
namespace {

/// The process of a couple that has the edge to its left or right child: the first or the second.
/// Processes count from 1.
enum Side : std::uint32_t { kFirst = 1, kSecond = 0 };
std::uint32_t process(std::uint32_t couple, Side side) { return 2 * couple - side; }
Side opposite(Side side) { return side == kFirst ? kSecond : kFirst; }

/// Two trees of couples, and a way from their steps to those of half duplex.
class CoupleTrees {
 public:
  CoupleTrees(std::uint32_t processes, std::uint32_t packets)
      : processes_(processes),
        couples_(processes / 2),
        trees_(couples_, false, true),
        last_(trees_.of(1, false).last),
        steps_(last_ + 2 * (packets - 1)) {}

  [[nodiscard]] ScanSchedule of(std::uint32_t own) const {
    ScanSchedule schedule{2, 4, {}, true};
    if (own > 2 * couples_) {
      const TreeSchedule top = trees_.of(0, false);
      for (std::uint32_t tree = 0; tree < 2; ++tree) {
        schedule.node[tree].left = to_child(top.node[tree].right, tree);
      }
      return schedule;
    }
    const std::uint32_t couple = (own + 1) / 2;
    const TreeSchedule view = trees_.of(couple, false);
    const Side side = own % 2 != 0 ? kFirst : kSecond;
    for (std::uint32_t tree = 0; tree < 2; ++tree) {
      schedule.node[tree] = part_of(couple, side, view, tree);
    }
    return schedule;
  }

 private:
  [[nodiscard]] bool is_common_root(std::uint32_t couple) const {
    return couple == couples_ && couples_ % 2 != 0;
  }
  /// Who of a couple has the edge to its parent.
  [[nodiscard]] Side link(std::uint32_t couple, const TreeSchedule& view,
                          std::uint32_t tree) const {
    if (is_common_root(couple)) return kSecond;
    const std::uint32_t inner = couple % 2;  // the tree in which it has children
    const TreeNode& node = view.node[inner];
    // The child that is a step behind, not two, is the link's.
    const bool left_is_next = node.left.process != kNobody ? node.left.first == node.first + 1
                                                           : node.right.first != node.first + 1;
    return left_is_next == (tree == inner) ? kFirst : kSecond;
  }
  [[nodiscard]] ScanEdge edge(std::uint32_t to, std::uint32_t first) const {
    return {to, 2 * (last_ + 1 - first) + 2, 2 * (steps_ + first) + 2};
  }
  [[nodiscard]] ScanEdge to_child(const TreeNode::Child& child, std::uint32_t tree) const {
    if (child.process == kNobody) return {};
    const Side side = link(child.process, trees_.of(child.process, false), tree);
    return edge(process(child.process, side), child.first);
  }
  [[nodiscard]] ScanEdge to_parent(std::uint32_t couple, const TreeNode& node) const {
    if (node.parent == 0) {
      const bool has_top = processes_ % 2 != 0;
      return edge(has_top ? processes_ : kNobody, node.first);
    }
    return edge(process(node.parent, couple < node.parent ? kFirst : kSecond), node.first);
  }

  [[nodiscard]] ScanNode part_of(std::uint32_t couple, Side side, const TreeSchedule& view,
                                 std::uint32_t tree) const {
    const TreeNode& node = view.node[tree];
    const Side linked = link(couple, view, tree);
    // From the link's edge to the parent: packets go up earlier in the couple, and down later.
    const std::uint32_t apart = is_common_root(couple) ? 1 : 3;
    ScanEdge within = edge(process(couple, opposite(side)), node.first);
    within.up -= apart;
    within.down += apart;

    ScanNode part;
    part.holds_first = node.holds_first && (side == kFirst || side == linked);
    part.holds_last = node.holds_last && processes_ % 2 == 0 && (side == kSecond || side == linked);
    if (side == kFirst) {
      part.left = to_child(node.left, tree);
    } else {
      part.right = to_child(node.right, tree);
    }
    if (side != linked) {
      part.parent = within;
      return part;
    }
    part.parent = to_parent(couple, node);
    (side == kFirst ? part.right : part.left) = within;
    return part;
  }

  std::uint32_t processes_, couples_;
  TwoTrees trees_;
  std::uint32_t last_, steps_;
};

}  // namespace

CallResult check(const Context& me) { return check_ranked(me, kPacketBits | kReceivesBits, true); }

Task run(Context& me) {
  auto& part = me.make<ScanPart>(me);
  auto& [self, schedule, packets] = part;
  const std::uint32_t size = self.size();
  packets = packets_of(me.call(), ceil_log2(size / 2 + 2), 400);
  if (size > 1 && self.member()) {
    schedule = CoupleTrees(size, packets).of(self.relative() + 1);
  }
  return play_scan(me, part);
}

}  // namespace annelid::firmware::two_tree_couples_scan
