// What the root of a tree has after a reduction in which each node combines its own block with
// those that come from its children (docs/internals/algorithms/all-ports.md, "Broadcast and
// reduction by disjoint trees").
#pragma once

#include <cstddef>
#include <vector>

#include "reference/schedule/arithmetic.hpp"

namespace annelid::reference {

/// Each node combines its own block with those of its children by ascending number: partial :=
/// partial (+) message. `parent` is negative for the root, and `depth` its distance from the root;
/// all lists are by node number, and all blocks have one length.
std::vector<std::byte> combined_upwards(const std::vector<int>& parent,
                                        const std::vector<int>& depth,
                                        std::vector<std::vector<std::byte>> blocks, Operator op,
                                        ElementType type);

}  // namespace annelid::reference
