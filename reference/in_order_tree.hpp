// Binary trees whose nodes are numbered in order: 2Tree (Sanders, Speck and Träff 2009), Section 3.
#pragma once

#include <vector>

namespace annelid::reference {

/// The parent of each process. Processes are numbered from 1, and parents[0] stands for none of
/// them. The parent of the root is 0: whatever is above the tree.
using Parents = std::vector<int>;

/// T_1 of Section 3 over the processes 1 .. count (0-based in print): a complete binary tree, then
/// a root, then on the root's right a tree of the same kind over the rest. The count may be any
/// number from 0 on; in print it is even.
Parents in_order_tree(int count);

/// T_2 by mirroring: i stands where count + 1 - i stood.
Parents mirrored(const Parents& tree);

/// T_2 by shifting: i stands where i + 1 stood, and the last process is the right child of the
/// process before it. The count must be even, and 2 or more.
Parents shifted(const Parents& tree);

/// 0 if there is no process.
int root_of(const Parents& tree);

/// The number of edges on the longest path from the root; -1 for an empty tree.
int height(const Parents& tree);

}  // namespace annelid::reference
