// EDN broadcast on any network, as a product of blocks whose schedules are stored:
// docs/internals/algorithms/edn-any-mesh.md.
#pragma once

#include "firmware/collectives/trees/tree.hpp"

namespace annelid::firmware::edn_optimal {

/// The rule serves every mesh and torus. A node sends at most six messages in a step.
extern const TreeRule kRule;

}  // namespace annelid::firmware::edn_optimal
