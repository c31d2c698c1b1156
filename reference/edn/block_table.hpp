// The tables of schedules/: broadcasts within small blocks, and how larger meshes are cut into
// these blocks. See docs/internals/algorithms/edn-any-mesh.md.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace annelid::reference {

/// Cells are numbered (z * h + y) * w + x within their block.
struct StoredMessage {
  std::uint8_t step, from, to;
};

/// The broadcast of a block of w x h x d cells from its entry, (floor((w-1)/2), ...).
struct StoredBlock {
  int w, h, d;
  int steps;
  std::span<const StoredMessage> messages;  ///< w * h * d - 1
};

/// Returns all blocks of the table, in its order.
std::span<const StoredBlock> stored_blocks();

/// Returns the block of this size. Throws std::out_of_range if the table does not have it.
const StoredBlock& stored_block(std::array<int, 3> size);

/// Returns the block of 4 x 4 for a level that spans whole rings of unequal parts. `rings` is 1 for
/// a ring in x, 2 for y, 3 for both.
const StoredBlock& ring_block(int rings);

/// A mesh cut into blocks, which are the nodes of a coarser mesh.
struct DivisionLevel {
  std::array<int, 3> block;  ///< the largest extents that a block may have
  int before;                ///< the steps of all coarser levels
  int rings = 0;             ///< if not 0: the block is ring_block(rings)
};

struct Division {
  std::vector<DivisionLevel> levels;  ///< the finest first; none for a mesh of one node
  int steps;                          ///< of a broadcast from the top of the mesh
};

/// Returns the cut of a mesh of up to 256 nodes a side.
Division cut_of(std::array<int, 3> mesh, std::array<bool, 3> ring = {});

}  // namespace annelid::reference
