// How many flits per cycle long operations can reach at most, whatever the algorithm:
// docs/internals/algorithms/bounds.md proves each formula. Every channel carries a flit in a cycle,
// and nothing else counts: no headers, no waiting, no ports.
#pragma once

#include <cstdint>

#include "reference/schedule/network.hpp"

namespace annelid::reference {

/// Returns the channels between routers, each direction for itself. In a ring of two nodes packets
/// take one of the two links alone, so this counts it as a line. Throws std::invalid_argument, as
/// all functions here, for an ideal network, for one node, and for sizes that are not 1..256.
std::uint64_t channel_count(const Network& net);

/// Returns the channels of the node that has the fewest, into it or out of it.
std::uint64_t fewest_channels(const Network& net);

/// All-reduce: flits of the vector, which every node has at the end, per cycle.
double all_reduce_bound(const Network& net);

/// All-gather and reduce-scatter: flits of all blocks together per cycle.
double all_gather_bound(const Network& net);

/// An all-reduce that is a reduce-scatter and then an all-gather: flits of the vector per cycle.
double reduce_scatter_all_gather_bound(const Network& net);

/// Broadcast and reduce: flits of the block per cycle.
double broadcast_bound(const Network& net);

}  // namespace annelid::reference
