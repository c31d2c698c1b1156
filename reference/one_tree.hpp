// The algorithms on one tree that 2Tree compares with (Sections 2 and 6): binomial tree, linear
// pipeline, pipelined binary tree, and the scan that is pipelined in both directions at once.
#pragma once

#include "reference/stream_tree.hpp"

namespace annelid::reference {

/// ceil(log2 ranks) steps of whole blocks.
StreamTrees binomial_tree(int ranks, int root);
/// ranks - 2 + packets steps.
StreamTrees linear_pipeline(int ranks, int root, int packets);
/// The ranks after the root form one in-order tree below it.
StreamTrees pipelined_binary_tree(int ranks, int root, int packets);

/// From every rank to the next.
DataFlow linear_pipeline_scan(int ranks, int packets, bool exclusive);
/// Packets go up and down at the same time, with three colours: Section 2 and its reference [19].
DataFlow doubly_pipelined_scan(int ranks, int packets, bool exclusive);

}  // namespace annelid::reference
