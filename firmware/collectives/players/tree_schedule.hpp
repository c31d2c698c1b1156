// A process's view of the trees of ranks along which packets travel.
#pragma once

#include <cstdint>

namespace annelid::firmware {

inline constexpr std::uint32_t kNobody = 0xFFFFFFFF;

/// A process in one tree. Processes have the numbers 1, 2, ... in order. 0 is the source, which is
/// outside the tree.
struct TreeNode {
  struct Child {
    std::uint32_t process = kNobody;
    std::uint32_t first = 0;
  };
  std::uint32_t parent = kNobody;
  std::uint32_t first = 0;  ///< the step of the first packet from the parent
  Child left, right;        ///< the source's one child is on the right
  /// For a scan: whether the subtree of this process begins with process 1, and whether it ends
  /// with the last process.
  bool holds_first = false, holds_last = false;
};

/// A process in all trees of an algorithm, for a broadcast from the source.
struct TreeSchedule {
  static constexpr std::uint32_t kMostTrees = 2;
  std::uint32_t trees = 0, period = 1;
  std::uint32_t last = 0;  ///< the step in which the last process gets its first packet
  TreeNode node[kMostTrees];
  /// For NICs that cannot send and receive at once: a process asks for a long packet only when all
  /// messages of its earlier steps are complete.
  bool simplex = false;
};

/// Return floor(log2 i), for i > 0, and ceil(log2 i).
constexpr std::uint32_t floor_log2(std::uint32_t i) {
  std::uint32_t log = 0;
#pragma GCC unroll 5
  for (std::uint32_t half = 16; half != 0; half /= 2) {
    if (i >> half == 0) continue;
    i >>= half;
    log += half;
  }
  return log;
}
constexpr std::uint32_t ceil_log2(std::uint32_t i) { return i <= 1 ? 0 : floor_log2(i - 1) + 1; }

/// T(q): the in-order binary tree of 1..q, q > 0, in which the height of i is the number of its
/// trailing zeros (Sanders, Speck and Träff 2009, Sections 3 and 5.1). So the leaves are odd. The
/// *span* of i, its lowest bit, is 2 to the power of its height. A complete subtree reaches from i
/// - span + 1 to i + span - 1.
class InOrderTree {
 public:
  explicit constexpr InOrderTree(std::uint32_t q)
      : q_(q), root_(std::uint32_t{1} << floor_log2(q)) {}

  [[nodiscard]] constexpr std::uint32_t size() const { return q_; }
  [[nodiscard]] constexpr std::uint32_t root() const { return root_; }
  static constexpr std::uint32_t span(std::uint32_t i) { return i & (~i + 1); }
  /// Returns the parent of i, which must not be the root.
  [[nodiscard]] constexpr std::uint32_t parent(std::uint32_t i) const {
    const std::uint32_t without = i & (i - 1), above = without | span(i) << 1;
    return above <= q_ ? above : without;
  }
  /// Returns the left child of an even i.
  static constexpr std::uint32_t left(std::uint32_t i) { return i - span(i) / 2; }
  /// Returns the right child of i, or kNobody if it has none.
  [[nodiscard]] constexpr std::uint32_t right(std::uint32_t i) const {
    std::uint32_t below = span(i) / 2;
    if (i == q_ || below == 0) return kNobody;
    while (i + below > q_) below /= 2;
    return i + below;
  }
  /// Whether i is on the path from the root to the first node, or to the last node.
  static constexpr bool leads_to_first(std::uint32_t i) { return (i & (i - 1)) == 0; }
  [[nodiscard]] constexpr bool leads_to_last(std::uint32_t i) const { return (i ^ q_) < span(i); }

 private:
  std::uint32_t q_, root_;
};

}  // namespace annelid::firmware
