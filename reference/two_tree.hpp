// The two-tree algorithms: 2Tree (Sanders, Speck and Träff 2009), Sections 4 and 5.2, over ranks.
#pragma once

#include "reference/stream_tree.hpp"
#include "reference/two_trees.hpp"

namespace annelid::reference {

/// The ranks but the root's in two trees, in cyclic order after it, the root as the source:
/// broadcast and reduction of Sections 4.1 and 4.2. Tree 1 carries the first `packets` parts of 2 *
/// packets.
StreamTrees two_tree_streams(int ranks, int root, int packets, SecondTree second, OddProcess odd);

/// Section 4.3: all ranks in both trees; of an odd number the last is the root of both.
DataFlow two_tree_scan(int ranks, int packets, SecondTree second, bool exclusive);

/// Section 5.2, for processes that send or receive: the tree processes are couples of a receiver
/// and a sender, by mirroring, an odd couple as a leaf. Of an even number of ranks the last one
/// after the root is its partner, to which it sends all packets between its others.
StreamTrees two_tree_couples(int ranks, int root, int packets);

/// h = ceil(log2(q + 2)) of Section 3, for q tree processes.
int two_tree_height(int processes);

}  // namespace annelid::reference
