// EDN broadcast on any network, a product of blocks whose schedules are stored:
// docs/internals/algorithms/edn-any-mesh.md.
#pragma once

#include "firmware/collectives/tree.hpp"

namespace annelid::firmware::edn_optimal {

/// Every mesh and torus. At most six sends in a step.
extern const TreeRule kRule;

}  // namespace annelid::firmware::edn_optimal
