// Where the ranks of an algorithm by rank are unless the user says so.
#pragma once

#include "reference/catalogue.hpp"

namespace annelid::simulation {

/// The embedding that took the fewest cycles where it was measured: on an 8 x 8 or a 16 x 16 mesh
/// or torus, whichever is like the network (docs/internals/algorithms/groups.md, "Which
/// embedding"). Rows on the ideal network.
[[nodiscard]] reference::Embedding usual_embedding(const reference::Algorithm& algorithm,
                                                   const reference::Network& network);

}  // namespace annelid::simulation
