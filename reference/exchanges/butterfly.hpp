// Reductions that exchange partial results with ever more distant ranks (2Tree, Section 6.2): whole
// blocks, or halves of the rest (Rabenseifner and Träff 2004). The order of operands is kept.
#pragma once

#include "reference/schedule/data_flow.hpp"

namespace annelid::reference {

/// Whole blocks: recursive doubling.
DataFlow butterfly_all_reduction(int ranks);
/// Recursive doubling of whole blocks, followed by a message with the result to the root, if the
/// root was folded away.
DataFlow butterfly_reduction(int ranks, int root);

/// Vector halving with distance doubling, then doubling with halving distances.
DataFlow rabenseifner_all_reduction(int ranks);
/// The halving, then a gather along a binomial tree.
DataFlow rabenseifner_reduction(int ranks, int root);

}  // namespace annelid::reference
