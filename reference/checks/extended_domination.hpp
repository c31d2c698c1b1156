// Dominating sets and extended dominating sets: Tsai 1997, Definitions 1 to 3. The levels of every
// EDN broadcast must have these properties, with any patterns.
#pragma once

#include <optional>
#include <vector>

#include "reference/schedule/network.hpp"

namespace annelid::reference {

/// Definition 1: every node is in `set`, or is a neighbour of a node in it.
bool dominates(const Network& net, const std::vector<Node>& set);

/// Definition 2: `upper` is an extended dominating set of `lower` if it can send to all other nodes
/// of `lower` with no two messages over the same channel. Returns such messages, or nothing if
/// there are none. The search takes exponential time, so use it for up to about twenty receivers.
/// Throws std::invalid_argument if `upper` is not within `lower`.
std::optional<Step> extended_domination(const Network& net, const std::vector<Node>& upper,
                                        const std::vector<Node>& lower);

}  // namespace annelid::reference
