// The default embedding of an algorithm by rank.
#pragma once

#include "reference/catalogue.hpp"

namespace annelid::simulation {

/// Returns the embedding that took the fewest cycles in measurements on an 8 x 8 or 16 x 16 mesh or
/// torus, whichever resembles the network (docs/internals/algorithms/groups.md, "Which embedding").
/// On the ideal network it returns rows.
[[nodiscard]] reference::Embedding usual_embedding(const reference::Algorithm& algorithm,
                                                   const reference::Network& network);

}  // namespace annelid::simulation
