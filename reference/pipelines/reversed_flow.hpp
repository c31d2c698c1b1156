// The reduction that has the messages of a broadcast in packets, in reverse.
#pragma once

#include "reference/schedule/data_flow.hpp"

namespace annelid::reference {

/// Returns the reduction to `root`: the steps of its broadcast from last to first, with each
/// message in the other direction. Whoever receives a packet combines: own (+) message. Every rank
/// but the root must receive each packet once in the broadcast, in a message of its own.
DataFlow reduction_in_reverse(const DataFlow& broadcast, int root);

}  // namespace annelid::reference
