// Where the ranks of an algorithm by rank are unless the user says so.
#pragma once

#include "reference/catalogue.hpp"

namespace annelid::cli {

/// The embedding that took the fewest cycles where it was measured (docs/algorithms.md, "Groups of
/// ranks").
[[nodiscard]] reference::Embedding usual_embedding(const reference::Algorithm& algorithm,
                                                   const reference::Network& network);

}  // namespace annelid::cli
