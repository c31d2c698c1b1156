// What a process knows of the trees of ranks along which packets go.
#pragma once

#include <cstdint>

namespace annelid::firmware {

inline constexpr std::uint32_t kNobody = 0xFFFFFFFF;

/// A process in one tree. Processes are 1, 2, ... in order; 0 is the source, outside of the tree.
struct TreeNode {
  struct Child {
    std::uint32_t process = kNobody;
    std::uint32_t first = 0;
  };
  std::uint32_t parent = kNobody;
  std::uint32_t first = 0;  ///< the step of the first packet from the parent
  Child left, right;        ///< the source's one child is on the right
  /// Its subtree, itself included, begins with process 1; ends with the last one.
  bool holds_first = false, holds_last = false;
};

/// A process in all trees of an algorithm, for a broadcast from the source.
struct TreeSchedule {
  static constexpr std::uint32_t kMostTrees = 2;
  std::uint32_t trees, period;
  std::uint32_t last;  ///< the step in which the last process gets its first packet
  TreeNode node[kMostTrees];
};

/// The trailing zeros of i > 0: the height of node i of an in-order tree whose leaves are odd.
constexpr std::uint32_t trailing_zeros(std::uint32_t i) {
  std::uint32_t h = 0;
  while ((i >> h & 1) == 0) ++h;
  return h;
}
/// floor(log2 i), i > 0, and ceil(log2 i).
constexpr std::uint32_t floor_log2(std::uint32_t i) {
  std::uint32_t h = 0;
  while (i >> h > 1) ++h;
  return h;
}
constexpr std::uint32_t ceil_log2(std::uint32_t i) { return i <= 1 ? 0 : floor_log2(i - 1) + 1; }

/// T(q): the in-order binary tree of 1..q, q > 0, in which the height of i is the number of its
/// trailing zeros (Sanders, Speck and Träff 2009, Sections 3 and 5.1).
class InOrderTree {
 public:
  explicit constexpr InOrderTree(std::uint32_t q)
      : q_(q), root_(std::uint32_t{1} << floor_log2(q)) {}

  [[nodiscard]] constexpr std::uint32_t size() const { return q_; }
  [[nodiscard]] constexpr std::uint32_t root() const { return root_; }
  /// Of i, whose height is h, and which is not the root.
  [[nodiscard]] constexpr std::uint32_t parent(std::uint32_t i, std::uint32_t h) const {
    const std::uint32_t above = std::uint32_t{1} << h;
    return (i >> h & 2) == 0 && i + above <= q_ ? i + above : i - above;
  }
  /// Of i of height h > 0.
  static constexpr std::uint32_t left(std::uint32_t i, std::uint32_t h) {
    return i - (1U << h >> 1);
  }
  /// kNobody if it has none.
  [[nodiscard]] constexpr std::uint32_t right(std::uint32_t i, std::uint32_t h) const {
    if (i == q_ || h == 0) return kNobody;
    std::uint32_t below = 1U << h >> 1;
    while (i + below > q_) below >>= 1;
    return i + below;
  }
  /// Whether i, of height h, is on the way from the root to the last node.
  [[nodiscard]] constexpr bool on_spine(std::uint32_t i, std::uint32_t h) const {
    return (i ^ q_) >> h == 0;
  }

 private:
  std::uint32_t q_, root_;
};

}  // namespace annelid::firmware
