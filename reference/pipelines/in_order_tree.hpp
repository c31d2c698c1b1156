// Binary trees whose nodes are numbered in order: 2Tree (Sanders, Speck and Träff 2009), Section 3.
#pragma once

#include <vector>

namespace annelid::reference {

/// The parent of each process. Processes are numbered from 1, and parents[0] is unused. The parent
/// of the root is 0, which stands for anything above the tree.
using Parents = std::vector<int>;

/// Returns T_1 of Section 3 over the processes 1 .. count (0-based in print): a complete binary
/// tree, then a root, then to the root's right a tree of the same kind over the rest. The count may
/// be any number from 0 on; in print it is even.
Parents in_order_tree(int count);

/// Returns T_2 by mirroring: i takes the place of count + 1 - i.
Parents mirrored(const Parents& tree);

/// Returns T_2 by shifting: i takes the place of i + 1, and the last process is the right child of
/// the process before it. The count must be even, and 2 or more.
Parents shifted(const Parents& tree);

/// Returns the root, or 0 if there is no process.
int root_of(const Parents& tree);

/// Returns the number of edges on the longest path from the root, or -1 for an empty tree.
int height(const Parents& tree);

}  // namespace annelid::reference
