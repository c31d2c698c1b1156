// Two trees over the same processes, and which of the two goes first at each of them: 2Tree,
// Section 3. Coloured as in the proof of Lemma 1, by walking a bipartite graph.
#pragma once

#include <array>
#include <cstdint>

#include "reference/in_order_tree.hpp"

namespace annelid::reference {

/// How the second tree follows from the first.
enum class SecondTree : std::uint8_t { kMirrored, kShifted };

/// Where the last of an odd number of processes stands (Section 3): a leaf more in both trees, out
/// of order; or the root of both.
enum class OddProcess : std::uint8_t { kLeaf, kRoot };

/// Processes 1 .. q in two trees. What is above the trees, the source, is 0.
struct TwoTrees {
  std::array<Parents, 2> parent;
  /// Of the edge from the parent, 0 or 1, by process. The two edges into a process differ, and so
  /// do the two edges from a process to children, over both trees (Lemma 1); those from the source
  /// to the roots have 1 in the first tree, 0 in the second.
  std::array<std::vector<int>, 2> colour;
  /// The process that is the root of both trees: the only one, or the last by OddProcess::kRoot.
  /// 0: there is none. Its own edges have the colours of the source's, and so have those from it.
  int common_root = 0;

  [[nodiscard]] int processes() const { return static_cast<int>(parent[0].size()) - 1; }
};

/// `processes` from 0 on. Throws std::invalid_argument if Lemma 1 cannot be kept.
TwoTrees two_trees(int processes, SecondTree second, OddProcess odd);

/// The step in which each process has packet 1 of a tree, when a child receives in the first step
/// after its parent's whose parity is the edge's colour (1: odd) and `top`, a process or the
/// source, has packet 1 in step 0. By process; those above `top` have 0.
std::vector<int> arrivals(const Parents& tree, const std::vector<int>& colour, int top);

}  // namespace annelid::reference
