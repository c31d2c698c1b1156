// EDN broadcast on meshes: docs/internals/algorithms/edn-mesh.md; Tsai, Sections 3.3 and 3.4.
#pragma once

#include "firmware/collectives/trees/tree.hpp"

namespace annelid::firmware::edn_mesh {

/// The rule serves squares of 4·2^k, 5·2^k, 6·2^k and 7·2^k nodes a side, and the rectangles that
/// they tile in a row of 2^p or a column of 2^q. It also serves (4·2^k) x (4·2^k) x (4 or 5)·3^m
/// and (4 or 5)·3^m x (4·2^k) x (4·2^k). The meshes have no rings and up to 256 nodes a side. A
/// node sends at most five messages in a step. PARAMETER_1 = 1 selects the startup that depends
/// little on the source.
extern const TreeRule kRule;

}  // namespace annelid::firmware::edn_mesh
