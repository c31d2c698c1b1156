// Scan of whole blocks by simultaneous binomial trees (Hillis and Steele 1986; 2Tree, Section 6.3).
#pragma once

#include "reference/schedule/data_flow.hpp"

namespace annelid::reference {

/// Takes ceil(log2 ranks) steps.
DataFlow simultaneous_binomial_scan(int ranks, bool exclusive);

}  // namespace annelid::reference
