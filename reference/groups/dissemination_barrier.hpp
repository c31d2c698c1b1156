// Barrier over all nodes by dissemination.
#pragma once

#include "reference/schedule/network.hpp"

namespace annelid::reference {

/// Takes ceil(log2 N) steps with messages of 0 bytes.
Schedule dissemination_barrier(const Network& net);

}  // namespace annelid::reference
