// The comb trees of a mesh: spanning trees that together load all channels alike. Annelid's own
// construction: docs/internals/algorithms/combs.md, "Trees" and "Shares".
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "reference/schedule/network.hpp"

namespace annelid::reference {

/// A spanning tree of the nodes, by node number. Every edge joins neighbours.
struct CombTree {
  static constexpr int kNoParent = -1;

  std::vector<std::size_t> dimensions;  ///< in the order in which data moves to the root; 0 is x
  /// The tree's share of the vector, as a multiple of 1 / links_of(trees): the edges of a line
  /// along its last dimension; 1 on a network of one node.
  std::uint64_t weight = 1;
  int root = 0;             ///< a node number
  std::vector<int> parent;  ///< kNoParent for the root
  std::vector<int> depth;   ///< edges to the root
  int greatest_depth = 0;
};

/// Whether the network is a mesh: no dimension is a ring.
bool combs_support(const Network& net);

/// Returns all trees, by number. Throws std::invalid_argument if the network is not supported, or
/// if a size is not 1..256.
std::vector<CombTree> comb_trees(const Network& net);

/// Returns the sum of the weights, which is the number of the mesh's links: of pairs of
/// neighbours. 1 for a network of one node.
std::uint64_t links_of(const std::vector<CombTree>& trees);

/// Returns the children of each node, by number and in ascending order.
std::vector<std::vector<int>> children_of(const CombTree& tree);

}  // namespace annelid::reference
