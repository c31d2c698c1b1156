// Dominating sets and extended dominating sets: Tsai 1997, Definitions 1 to 3. These say what the
// levels of an EDN broadcast must be, whatever its patterns.
#pragma once

#include <optional>
#include <vector>

#include "reference/network.hpp"

namespace annelid::reference {

/// Definition 1: every node is one of `set` or a neighbour of one.
bool dominates(const Network& net, const std::vector<Node>& set);

/// Definition 2: messages from `upper` to all nodes of `lower` that are not in it, no two over one
/// channel, or nothing if there are none such: `upper` is an extended dominating set of `lower`.
/// Searches, exponentially: for some twenty receivers. Throws std::invalid_argument if `upper` is
/// not within `lower`.
std::optional<Step> extended_domination(const Network& net, const std::vector<Node>& upper,
                                        const std::vector<Node>& lower);

}  // namespace annelid::reference
