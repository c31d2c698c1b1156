// The pipelined binary tree with which 2Tree compares its algorithms (Sections 2 and 6).
#pragma once

#include "reference/pipelines/stream_tree.hpp"

namespace annelid::reference {

/// The ranks after the root form one in-order tree below it.
StreamTrees pipelined_binary_tree(int ranks, int root, int packets);

}  // namespace annelid::reference
