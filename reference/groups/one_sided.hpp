// CCL's one-sided synchronization: docs/internals/algorithms/shift.md, "Synchronize in and out",
// after Bala and others 1995, Sections 3.4 and 4.2.
#pragma once

#include "reference/schedule/request.hpp"

namespace annelid::reference {

/// ceil(log2 p) steps of messages without bytes to the root, or from it, along a binomial tree.
/// Throw std::invalid_argument if the root has no rank.
Schedule sync_in(const Request& request);
Schedule sync_out(const Request& request);

}  // namespace annelid::reference
