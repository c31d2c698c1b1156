// Broadcast by a binomial scatter and a ring over ranks (Barnett and others 1994; van de Geijn;
// 2Tree, Sections 2 and 6.1).
#pragma once

#include "reference/schedule/data_flow.hpp"

namespace annelid::reference {

/// The block is cut into one part for each rank. There are ceil(log2 ranks) + ranks - 1 steps.
DataFlow scatter_allgather_broadcast(int ranks, int root);

}  // namespace annelid::reference
