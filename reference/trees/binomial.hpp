// The binomial tree with which 2Tree compares its algorithms (Sections 2 and 6).
#pragma once

#include "reference/pipelines/stream_tree.hpp"

namespace annelid::reference {

/// Takes ceil(log2 ranks) steps with whole blocks.
StreamTrees binomial_tree(int ranks, int root);

}  // namespace annelid::reference
