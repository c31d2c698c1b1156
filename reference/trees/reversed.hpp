// Reduction, gather and scatter along the tree of any broadcast:
// docs/internals/algorithms/operations.md, "Trees in reverse" (Tsai 1997, Section 3.5).
#pragma once

#include <vector>

#include "reference/schedule/block_schedule.hpp"
#include "reference/schedule/request.hpp"

namespace annelid::reference {

/// The network with its dimensions in reverse order. With one plane, x and y are exchanged.
Network turned(const Network& net);
/// The place of a node of `net` in turned(net). Rings are also mirrored, so that messages of half a
/// ring, which go up in a broadcast, go up in its reverse too.
Node turned(const Network& net, Node node);
/// The node of `net` whose place in turned(net) is `node`. Turning the turned network again does
/// not lead back where x has one node and z has several.
Node turned_back(const Network& net, Node node);

/// A broadcast as a tree. Nodes are identified by rank.
struct Tree {
  int root = 0;
  std::size_t steps = 0;
  std::vector<int> parent;        ///< -1 for the root
  std::vector<std::size_t> step;  ///< in which the node receives, from 1; 0 for the root
  /// In the order of the steps, and within a step by ascending rank.
  std::vector<std::vector<int>> children;
};

/// Throws std::invalid_argument, with the reason, if the schedule is not a broadcast from the root
/// in which each node receives once.
Tree tree_of(const Network& net, Node root, const Schedule& broadcast);

/// Returns the ranks of the subtree of `top`: `top` itself, then its children's subtrees in order.
std::vector<int> subtree(const Tree& tree, int top);

/// Returns the scatter down a tree of `net`. A message holds the blocks for all of the receiver's
/// subtree.
BlockSchedule scatter_along(const Network& net, const Tree& tree);

/// Returns the gather up a tree of turned(net), mapped back to `net`. A message holds the blocks of
/// all of the sender's subtree. Time is reversed: the tree's last step comes first.
BlockSchedule gather_along(const Network& net, const Tree& tree);

/// Returns the reduction, with the messages of gather_along(). Every message has the length of one
/// block.
Schedule reduce_along(const Network& net, const Tree& tree, std::uint64_t bytes);

using Broadcast = Schedule (*)(const Request&);

/// The tree of a broadcast for `request`, in request.network.
Tree broadcast_tree(Broadcast broadcast, const Request& request);
/// The tree of the same broadcast, in the turned network from the turned root.
Tree turned_tree(Broadcast broadcast, const Request& request);

}  // namespace annelid::reference
