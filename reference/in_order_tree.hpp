// Binary trees whose nodes are numbered in order: 2Tree (Sanders, Speck and Träff 2009), Section 3.
#pragma once

#include <vector>

namespace annelid::reference {

/// The parent of each process; processes are numbered from 1, parents[0] stands for none of them.
/// 0 for the root: it hangs on whatever is above the tree.
using Parents = std::vector<int>;

/// T_1 of Section 3 over processes 1 .. count (0-based in print): a complete binary tree, a root
/// behind it, and on the root's right a tree of the same kind over the rest. Any count from 0 on;
/// in print even ones only.
Parents in_order_tree(int count);

/// T_2 by mirroring: i stands where count + 1 - i stood.
Parents mirrored(const Parents& tree);

/// T_2 by shifting: i stands where i + 1 stood, and the last process is the right child of the one
/// before it. For an even count of 2 and more.
Parents shifted(const Parents& tree);

/// 0 if there is no process.
int root_of(const Parents& tree);

/// Edges on the longest way from the root; -1 of an empty tree.
int height(const Parents& tree);

}  // namespace annelid::reference
