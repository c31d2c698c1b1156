// Broadcasts that take one dimension after the other: the source's row, then the columns of all
// nodes of this row, then z. Each dimension takes ceil(log2 size) steps. There is no stepwise
// contention.
#pragma once

#include "reference/schedule/network.hpp"

namespace annelid::reference {

/// Dimensional broadcast (Tsai 1997, Section 5.3, Figure 5.5): lines are halved as by the U-mesh
/// algorithm.
Schedule dimensional_broadcast(const Network& net, Node root, std::uint64_t bytes);

/// Cyclic doubling, p -> p + n / 2^i mod n (Tsai 1997, Section 3.3.5): rings are halved from the
/// holder on, whether or not the network has a channel from the last node to the first.
Schedule cyclic_doubling_broadcast(const Network& net, Node root, std::uint64_t bytes);

/// The U-torus algorithm (Tsai 1997, Section 4.4.2; Robinson and others): the same broadcast, for
/// networks whose dimensions of more than one node are all rings. Throws std::invalid_argument for
/// other networks.
Schedule u_torus_broadcast(const Network& net, Node root, std::uint64_t bytes);
bool u_torus_supports(const Network& net);

}  // namespace annelid::reference
