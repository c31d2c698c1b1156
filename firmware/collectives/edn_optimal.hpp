// EDN broadcast on any mesh, a product of blocks whose schedules are stored: docs/algorithms.md,
// "EDN broadcast on any mesh".
#pragma once

#include "firmware/collectives/tree.hpp"

namespace annelid::firmware::edn_optimal {

/// Every mesh, without rings. At most four sends in a step.
extern const TreeRule kRule;

}  // namespace annelid::firmware::edn_optimal
