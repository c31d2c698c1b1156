// Extended dominating node (EDN) broadcast on tori: Tsai 1997, Sections 4.2 and 4.3, in the form of
// docs/internals/algorithms/edn-torus.md.
#pragma once

#include "reference/schedule/network.hpp"

namespace annelid::reference {

/// The number of zones into which a holder divides its zone (Section 4.3).
enum class ZoneSplit : std::uint8_t {
  kFewestSteps = 0,  ///< seven in every step: d + ceil(log7 z) steps
  kTheorem3 = 1,     ///< seven in the first, six in later ones: the dissertation's step counts
};

/// True for 2^d x 2^d x z nodes, d >= 1, where x and y are rings, and z may be a ring.
bool torus_edn_supports(const Network& net);

/// The broadcast takes d steps on 2^d x 2^d (two for d = 1), without stepwise contention. Within a
/// step each sender's messages are in the order of sending. Throws std::invalid_argument for other
/// networks, and for a root outside of the network.
Schedule torus_edn_broadcast(const Network& net, Node root, std::uint64_t bytes,
                             ZoneSplit split = ZoneSplit::kFewestSteps);

/// Returns the steps of Theorem 3 for 2^d x 2^d x z with rings in all dimensions, d >= 2, z >= 1.
int theorem_3_steps(int d, int z);

}  // namespace annelid::reference
