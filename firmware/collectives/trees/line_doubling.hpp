// Broadcasts that double the holders dimension by dimension: docs/internals/algorithms/trees.md;
// Tsai, Sections 4.4.2 (U-torus), 3.3.5 (the algorithm to which the printed mean path of "RD"
// belongs) and 5.3 (dimensional). They run on ALL, in the steps 1..Σ ⌈log2 size⌉, with at most one
// send in each.
#pragma once

#include "firmware/collectives/trees/tree.hpp"

namespace annelid::firmware {

namespace dimensional {
extern const TreeRule kRule;  ///< halves lines; every network
}
namespace cyclic_doubling {
extern const TreeRule kRule;  ///< halves rings, whether the network has them or not
}
namespace u_torus {
extern const TreeRule kRule;  ///< halves rings; all dimensions of more than one node must be rings
}

}  // namespace annelid::firmware
