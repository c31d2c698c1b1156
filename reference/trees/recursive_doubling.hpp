// Recursive doubling (U-mesh) broadcast: Tsai 1997, Section 3.3.3;
// docs/internals/algorithms/trees.md.
#pragma once

#include "reference/schedule/network.hpp"

namespace annelid::reference {

/// The broadcast takes ceil(log2 N) steps on any mesh of N nodes, from any root, without stepwise
/// contention.
Schedule recursive_doubling_broadcast(const Network& size, Node root, std::uint64_t bytes);

}  // namespace annelid::reference
