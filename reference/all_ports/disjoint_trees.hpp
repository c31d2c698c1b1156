// Broadcast and reduction along trees that share no channel, each with a strand of the block:
// docs/internals/algorithms/all-ports.md, "Disjoint trees".
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "reference/schedule/arithmetic.hpp"
#include "reference/schedule/network.hpp"

namespace annelid::reference {

/// A spanning tree, by node number.
struct DisjointTree {
  std::vector<int> parent;  ///< -1 for the root
  std::vector<int> depth;   ///< 0 for the root
  int greatest_depth = 0;
};

/// Whether at most two dimensions have more than one node.
bool disjoint_trees_support(const Network& net);

/// Returns the trees from this root: one, two or four. Throws std::invalid_argument if the network
/// is not supported or the root is outside of it.
std::vector<DisjointTree> disjoint_trees(const Network& net, Node root);

/// Returns k, the number of packets of each strand; `parameter` is PARAMETER_1, and 0 leaves the
/// number open.
std::uint64_t disjoint_trees_packets(const std::vector<DisjointTree>& trees, std::uint64_t bytes,
                                     std::uint32_t parameter);

/// Strand i goes along tree i, packet after packet. Both throw as disjoint_trees() does, and for
/// schedules of more than DataFlow::kMostMessages messages.
Schedule disjoint_trees_broadcast(const Network& net, Node root, std::uint64_t bytes,
                                  std::uint32_t parameter);
Schedule disjoint_trees_reduction(const Network& net, Node root, std::uint64_t bytes,
                                  std::uint32_t parameter);

/// Returns what the root has after the reduction. `blocks` holds the blocks of all nodes.
std::vector<std::byte> disjoint_trees_result(const Network& net, Node root,
                                             const std::vector<std::vector<std::byte>>& blocks,
                                             Operator op, ElementType type);

}  // namespace annelid::reference
