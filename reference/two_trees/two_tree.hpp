// The two-tree algorithms: 2Tree (Sanders, Speck and Träff 2009), Sections 4 and 5.2, over ranks.
#pragma once

#include "reference/pipelines/stream_tree.hpp"
#include "reference/two_trees/two_trees.hpp"

namespace annelid::reference {

/// Broadcast and reduction of Sections 4.1 and 4.2. All ranks but the root are in two trees, in
/// cyclic order after the root, which is the source. Tree 1 carries the first `packets` of 2 *
/// `packets` parts.
StreamTrees two_tree_streams(int ranks, int root, int packets, SecondTree second, OddProcess odd);

/// Scan of Section 4.3. All ranks are in both trees. If their number is odd, the last rank is the
/// root of both.
DataFlow two_tree_scan(int ranks, int packets, SecondTree second, bool exclusive);

/// Section 5.2, for processes that cannot send and receive at once. The tree processes are couples
/// of a receiver and a sender. The second tree is mirrored, and an odd couple is a leaf. If the
/// number of ranks is even, the last rank after the root is its partner: the root sends it all
/// packets between its other sends.
StreamTrees two_tree_couples(int ranks, int root, int packets);

/// The scan of Section 5.2. Ranks 2i - 2 and 2i - 1 are couple i, in order. A last rank without a
/// partner is above both trees (docs/internals/algorithms/two-trees.md, "Scan by couples").
DataFlow two_tree_couples_scan(int ranks, int packets, bool exclusive);

/// Returns h = ceil(log2(q + 2)) of Section 3, for q tree processes.
int two_tree_height(int processes);

}  // namespace annelid::reference
