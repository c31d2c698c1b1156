// The scan on one in-order tree that is pipelined in both directions at once (2Tree, Section 2 and
// its reference [19]).
#pragma once

#include "reference/pipelines/stream_tree.hpp"

namespace annelid::reference {

/// Packets travel up and down the tree at the same time; three colours keep them apart.
DataFlow doubly_pipelined_scan(int ranks, int packets, bool exclusive);

}  // namespace annelid::reference
