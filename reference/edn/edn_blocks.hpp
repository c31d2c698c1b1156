// EDN broadcast on 2D meshes tiled by squares of 4, 5, 6 or 7 * 2^i nodes a side (Tsai 1997,
// 3.3.2 and Tables 3.1 to 3.4). The dissertation's patterns (Figure 3.11) are lost; those of
// docs/internals/algorithms/edn-mesh.md were found by search.
#pragma once

#include <optional>

#include "reference/edn/edn_mesh.hpp"

namespace annelid::reference {

/// A size as (b 2^i 2^p) x (b 2^i 2^q).
struct BlockSize {
  int b = 4;         ///< 4..7
  int i = 0;         ///< doublings of both sides
  int p = 0, q = 0;  ///< further doublings of x and of y; one of them is 0
  [[nodiscard]] int levels() const { return i + p + q; }
};

/// Returns the mesh's size in this form, or nothing if it has no such size, has rings, or has three
/// dimensions.
std::optional<BlockSize> block_size_of(const Network& mesh);

/// Returns the tree of a mesh. For b = 4 the lowest blocks are the squares of 4 * 2^i.
EdnTree edn_block_tree(const BlockSize& size);

/// The broadcast takes levels + 3 steps for b = 4, and levels + 3 or levels + 4 otherwise. With the
/// fixed startup it takes levels + 4. Throws std::invalid_argument for other sizes and for a root
/// outside of the mesh.
Schedule edn_blocks_broadcast(const Network& mesh, Node root, std::uint64_t bytes, Startup startup);

}  // namespace annelid::reference
