// Broadcast and reduction of packets along the edge-disjoint spanning trees of a hypercube: the
// EDST of Bala and others 1995 (CCL), Section 4.2; docs/internals/algorithms/edst.md.
#pragma once

#include "reference/schedule/data_flow.hpp"

namespace annelid::reference {

/// Whether a number of ranks is 2^d.
bool edst_takes(int ranks);

/// Take packets + log2(ranks) - 1 steps. They throw std::invalid_argument unless there are 2^d
/// ranks.
DataFlow edst_broadcast(int ranks, int root, int packets);
DataFlow edst_reduction(int ranks, int root, int packets);

}  // namespace annelid::reference
