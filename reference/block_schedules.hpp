// The tables of schedules/: broadcasts within small blocks, and how larger meshes are cut into
// them. docs/algorithms.md, "EDN broadcast on any mesh".
#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace annelid::reference {

/// Cells are numbered (z * h + y) * w + x within their block.
struct BlockMessage {
  std::uint8_t step, from, to;
};

/// The broadcast of a block of w x h x d cells from its entry, (floor((w-1)/2), ...).
struct BlockSchedule {
  int w, h, d;
  int steps;
  std::span<const BlockMessage> messages;  ///< w * h * d - 1
};

/// All of the table, in its order.
std::span<const BlockSchedule> block_schedules();

/// Throws std::out_of_range for a block that the table does not have.
const BlockSchedule& block_schedule(std::array<int, 3> size);

/// How a mesh of more than one node is cut, and how many steps a broadcast over it takes from its
/// top.
struct Cut {
  std::array<int, 3> block;
  int steps;
};

/// For up to 256 nodes a side.
Cut cut_of(std::array<int, 3> mesh);

}  // namespace annelid::reference
