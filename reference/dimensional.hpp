// Broadcasts that take one dimension after the other: the source's row, then the columns of all
// nodes in it, then z. ceil(log2 size) steps a dimension; no stepwise contention.
#pragma once

#include "reference/network.hpp"

namespace annelid::reference {

/// Dimensional broadcast (Tsai 1997, Section 5.3, Figure 5.5): lines, halved as by the U-mesh
/// algorithm.
Schedule dimensional_broadcast(const Network& net, Node root, std::uint64_t bytes);

/// U-torus and cyclic doubling (Tsai 1997, Section 4.4.2; Robinson and others): rings, halved from
/// the holder on, p -> p + n / 2^i mod n. On a network without rings it is cyclic doubling.
Schedule cyclic_doubling_broadcast(const Network& net, Node root, std::uint64_t bytes);

/// Every dimension of more than one node is a ring.
bool u_torus_supports(const Network& net);

}  // namespace annelid::reference
