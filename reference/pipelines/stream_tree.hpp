// Operations in packets along trees of ranks, where every edge carries a stream: broadcast,
// reduction and scan of 2Tree, Sections 4.1 to 4.3, for one tree or for several trees that share
// the packets (docs/internals/algorithms/groups.md: streams, and combining along them).
#pragma once

#include <vector>

#include "reference/schedule/data_flow.hpp"

namespace annelid::reference {

/// A tree over all ranks, and which packets it carries.
struct StreamTree {
  std::vector<int> parent;  ///< by rank; -1 for the root
  /// The step in which a rank has packet 1 from its parent when the tree broadcasts; 0 for the
  /// root.
  std::vector<int> arrival;
  std::uint64_t first = 0, end = 1;  ///< parts

  [[nodiscard]] int packets() const { return static_cast<int>(end - first); }
};

/// A tree whose ranks have no parents yet, carrying parts 0 .. packets - 1.
StreamTree unlinked_tree(int ranks, int packets);

/// Trees over the same ranks, and the number of steps from a packet to the next.
struct StreamTrees {
  std::vector<StreamTree> trees;
  int period = 1;

  [[nodiscard]] int ranks() const { return static_cast<int>(trees.front().parent.size()); }
  [[nodiscard]] std::uint64_t parts() const { return trees.back().end; }
  /// Returns the last step of the broadcast.
  [[nodiscard]] int steps() const;
};

/// Returns the broadcast from the trees' common root to all ranks.
DataFlow broadcast_streams(const StreamTrees& trees);
/// Returns the reduction to the common root: the broadcast with time and directions reversed.
/// Messages are combined in the order of the steps, with lower ranks on the left.
DataFlow reduction_streams(const StreamTrees& trees);
/// Returns the reduction, followed by the broadcast from the same root.
DataFlow all_reduction_streams(const StreamTrees& trees);

/// A tree whose ranks are numbered in order. The ranks of a subtree are consecutive. Those of the
/// left child are below the parent's rank, and those of the right child above it.
struct ScanTree {
  std::vector<int> parent;  ///< by rank; -1 for the root
  /// Steps in which packet 1 goes to the parent, and comes from it; unused at the root.
  std::vector<int> up, down;
  std::uint64_t first = 0, end = 1;  ///< parts
};

/// Returns the scan of 2Tree, Section 4.3. Rank r gets the blocks of ranks 0 .. r. If `exclusive`,
/// it gets those of ranks 0 .. r - 1, and rank 0 gets nothing.
DataFlow scan_streams(const std::vector<ScanTree>& trees, int period, bool exclusive);

/// The steps of the reduction for the packets that go up, then those of the broadcast for the
/// packets that go down. Every tree has a root of its own.
std::vector<ScanTree> scan_trees(const StreamTrees& trees);

}  // namespace annelid::reference
