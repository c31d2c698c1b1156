// The two trees and their colours. A process finds its own part of them in O(log p):
// docs/internals/algorithms/two-trees.md; Sanders, Speck and Träff 2009, Sections 3 and 5.1.
#pragma once

#include "firmware/collectives/players/tree_schedule.hpp"

namespace annelid::firmware {

/// Both trees have the same shape, with the *positions* of T(q). Process i is at position i of the
/// first tree. In the second tree it is at position q + 1 - i (mirroring) or i + 1 (shifting).
class TwoTrees {
 public:
  /// The trees of processes 1..size, size > 0. If their number is odd, the last process is the root
  /// of both trees with `common_root`, and an extra leaf without it.
  TwoTrees(std::uint32_t size, bool shifting, bool common_root);

  /// Returns the part of process i; 0 is the source. In a broadcast, steps count from 1. A scan (i
  /// > 0, and `common_root` if size is odd) has no source: the trees' roots, or the common root,
  /// are at step 0.
  [[nodiscard]] TreeSchedule of(std::uint32_t i, bool scan) const;

 private:
  /// A place below the root of a tree. Colours are counted from the root's, which is 1: in T2 they
  /// are 1 - colour.
  struct Place {
    std::uint32_t colour;  ///< of the edge from the parent
    std::uint32_t delay;   ///< steps from the root's first packet
    std::uint32_t top;     ///< the colour of the edge into the root's child on the path
  };
  [[nodiscard]] std::uint32_t position(std::uint32_t tree, std::uint32_t i) const;
  [[nodiscard]] std::uint32_t process(std::uint32_t tree, std::uint32_t position) const;
  [[nodiscard]] bool differs(std::uint32_t tree, std::uint32_t position,
                             std::uint32_t parent) const;
  [[nodiscard]] Place interior(std::uint32_t tree, std::uint32_t position) const;
  [[nodiscard]] Place detached_interior(std::uint32_t position) const;
  [[nodiscard]] std::uint32_t colour(std::uint32_t tree, std::uint32_t position) const;
  [[nodiscard]] std::uint32_t leaf_colour(std::uint32_t tree, std::uint32_t leaf) const;
  [[nodiscard]] std::uint32_t delay(std::uint32_t tree, std::uint32_t child, std::uint32_t parent,
                                    std::uint32_t parent_colour) const;
  [[nodiscard]] std::uint32_t extra_leaf_delay(std::uint32_t parent_colour) const;
  [[nodiscard]] std::uint32_t extra_leaf_delay_in_t2(const Place& parent) const;
  [[nodiscard]] std::uint32_t first(std::uint32_t tree, const Place& place, bool scan) const;
  void find_special(std::uint32_t tree, std::uint32_t i, bool scan, TreeNode& node) const;
  void find_leaf(std::uint32_t tree, std::uint32_t i, std::uint32_t colour, bool scan,
                 TreeNode& node) const;
  void find_interior(std::uint32_t tree, std::uint32_t i, const Place& place, bool scan,
                     TreeNode& node) const;
  void find_ends(std::uint32_t tree, std::uint32_t position, TreeNode& node) const;

  std::uint32_t size_, even_;  // tree processes; those that the construction places
  bool shifting_, extra_leaf_, common_root_;
  bool detached_;  // shifting: some of T1's colours hang on T2's root instead of T1's
  InOrderTree tree_;
};

}  // namespace annelid::firmware
