// Two trees over the same processes, with colours that determine which tree comes first at each
// process: 2Tree, Section 3. The colours are found as in the proof of Lemma 1, by walking along a
// bipartite graph.
#pragma once

#include <array>
#include <cstdint>

#include "reference/pipelines/in_order_tree.hpp"

namespace annelid::reference {

/// How the second tree is made from the first.
enum class SecondTree : std::uint8_t { kMirrored, kShifted };

/// The place of the last of an odd number of processes (Section 3): an extra leaf in both trees,
/// out of order; or the root of both.
enum class OddProcess : std::uint8_t { kLeaf, kRoot };

/// Processes 1 .. q in two trees. The source, above the trees, is 0.
struct TwoTrees {
  std::array<Parents, 2> parent;
  /// The colour of the edge from the parent, 0 or 1, by process. The two edges into a process
  /// differ, and so do the two edges from a process to its children, over both trees (Lemma 1). The
  /// edges from the source to the roots have colour 1 in the first tree and 0 in the second.
  std::array<std::vector<int>, 2> colour;
  /// The process that is the root of both trees: the only process, or the last one with
  /// OddProcess::kRoot; 0 if there is none. The edges into it and from it have the colours of the
  /// source's edges.
  int common_root = 0;

  [[nodiscard]] int processes() const { return static_cast<int>(parent[0].size()) - 1; }
};

/// `processes` is 0 or more. Throws std::invalid_argument if Lemma 1 cannot be kept.
TwoTrees two_trees(int processes, SecondTree second, OddProcess odd);

/// Returns the step in which each process has packet 1 of a tree, by process. `top`, a process or
/// the source, has packet 1 in step 0. A child receives in the first step after its parent's whose
/// parity is the colour of the edge (1: odd). Processes above `top` have 0.
std::vector<int> arrivals(const Parents& tree, const std::vector<int>& colour, int top);

}  // namespace annelid::reference
