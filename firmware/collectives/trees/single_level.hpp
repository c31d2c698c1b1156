// Single-level dominating node broadcast: docs/internals/algorithms/trees.md; Tsai, Section 3.2.
#pragma once

#include "firmware/collectives/trees/tree.hpp"

namespace annelid::firmware::single_level {

/// The rule serves 4m x 4n nodes without rings. It takes ⌈log2 N⌉ - 1 steps, with at most four
/// sends in each.
extern const TreeRule kRule;

}  // namespace annelid::firmware::single_level
