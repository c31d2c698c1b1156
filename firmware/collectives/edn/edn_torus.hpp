// EDN broadcast on tori of 2^d x 2^d and 2^d x 2^d x z nodes:
// docs/internals/algorithms/edn-torus.md; Tsai, Sections 4.2 and 4.3.
#pragma once

#include "firmware/collectives/trees/tree.hpp"

namespace annelid::firmware::edn_torus {

/// The rule serves d = 1 .. 8 with rings in x and y, and z = 1 .. 256, a ring or not. A node sends
/// at most six messages in a step. With PARAMETER_1 = 1, zones are divided as in the dissertation.
extern const TreeRule kRule;

}  // namespace annelid::firmware::edn_torus
