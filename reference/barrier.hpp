// Barrier over all nodes by dissemination.
#pragma once

#include "reference/network.hpp"

namespace annelid::reference {

/// ceil(log2 N) steps of messages of 0 bytes.
Schedule dissemination_barrier(const Network& net);

}  // namespace annelid::reference
