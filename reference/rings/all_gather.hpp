// All-gather over all nodes, in the order of their ranks.
#pragma once

#include "reference/schedule/network.hpp"

namespace annelid::reference {

/// The largest number of nodes for which operations with about N^2 messages are built.
constexpr int kMaxNodesOfSquares = 4096;
bool squares_supports(const Network& net);

/// Takes N - 1 steps around the ring of ranks (Barnett and others 1994: bucket collect). `bytes` is
/// the length of a node's own block. Throws std::invalid_argument above 4096 nodes.
Schedule ring_all_gather(const Network& net, std::uint64_t bytes);

/// Takes ceil(log2 N) steps, with messages that double in length (Bala and others 1995: the
/// circulant concat).
Schedule dissemination_all_gather(const Network& net, std::uint64_t bytes);

/// CCL's recursive exchange (Bala and others 1995, Section 4.4): log2 N steps, with messages that
/// double in length. Throws std::invalid_argument unless it takes so many nodes.
Schedule exchange_all_gather(const Network& net, std::uint64_t bytes);
/// 2^d, up to 4096.
bool exchange_takes(int nodes);

}  // namespace annelid::reference
