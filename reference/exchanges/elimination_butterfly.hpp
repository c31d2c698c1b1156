// Reductions by butterflies that eliminate a third of three groups of ranks where their number is
// odd: Rabenseifner and Träff 2004, which is reference [15] of 2Tree, Section 6.2. The order of
// operands is kept (docs/internals/algorithms/by-rank.md, "Elimination butterfly").
#pragma once

#include <cstdint>

#include "reference/schedule/data_flow.hpp"

namespace annelid::reference {

/// Returns the number of rounds that halve a block of `words` words: those that begin with more
/// than `threshold` words at a rank. PARAMETER_1 bits 15:0 are the threshold; 0 means 400.
int halving_rounds(int ranks, std::uint64_t words, std::uint32_t parameter);

/// Both take at most `halvings` rounds that halve, and cut the block into 2^halvings parts.
/// `halvings` must be at most floor(log2 ranks).
DataFlow elimination_all_reduction(int ranks, int halvings);
DataFlow elimination_reduction(int ranks, int halvings, int root);

}  // namespace annelid::reference
