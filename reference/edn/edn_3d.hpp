// EDN broadcast on 3D meshes with z as the long dimension (Tsai 1997, Section 3.4 and Table 3.5),
// and on 3D meshes with x as the long dimension, which the reduction on the first kind needs.
// docs/internals/algorithms/edn-mesh.md, "EDN on 3D meshes".
#pragma once

#include <optional>

#include "reference/edn/edn_mesh.hpp"

namespace annelid::reference {

/// 4 * 2^k nodes in two dimensions and base * 3^m in the long one.
struct BoxSize {
  bool long_is_x = false;  ///< else z
  int k = 0, m = 0;
  int base = 4;  ///< or 5
};

std::optional<BoxSize> box_size_of(const Network& mesh);

EdnTree edn_3d_tree(const BoxSize& size);

/// The broadcast takes k + m + 4 steps from every root, and k + m + 5 with the fixed startup.
/// Throws std::invalid_argument for other sizes and for a root outside of the mesh.
Schedule edn_3d_broadcast(const Network& mesh, Node root, std::uint64_t bytes, Startup startup);

}  // namespace annelid::reference
