// The binomial tree that 2Tree compares with (Sections 2 and 6).
#pragma once

#include "reference/stream_tree.hpp"

namespace annelid::reference {

/// ceil(log2 ranks) steps of whole blocks.
StreamTrees binomial_tree(int ranks, int root);

}  // namespace annelid::reference
