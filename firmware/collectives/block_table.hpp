// The stored schedules of blocks, packed: schedules/blocks.inc and plans.inc, which
// docs/algorithms.md describes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace annelid::firmware::block_table {

/// A message of a block's broadcast from its entry.
struct BlockMessage {
  std::uint8_t step, from, to;  ///< from 1; cells
};

/// Blocks are known by their extents: w x h up to 10 x 10, and lines of up to 3 along z.
inline constexpr int kLargest = 10, kLargestLine = 3;
/// A block's number, by ascending (d, h, w).
constexpr std::size_t plane_block(int w, int h) {
  return static_cast<std::size_t>(kLargest * (h - 1) + w - 1);
}
constexpr std::size_t line_block(int d) {
  return d == 1 ? 0 : static_cast<std::size_t>(kLargest * kLargest + d - 2);
}

/// The block's messages are numbers begin .. end - 1, by ascending (from, step, to).
struct Range {
  std::uint32_t begin, end;
};
Range messages_of(std::size_t block);
BlockMessage message_at(std::uint32_t number);
/// The first message in the range that `cell` or a later one sends.
std::uint32_t first_from(Range range, int cell);
/// The message that reaches `cell`, which is not the entry.
BlockMessage message_to(Range range, int cell);

/// How a mesh of x · y > 1 is cut, and the steps that it takes.
struct Cut {
  int steps, w, h;
};
Cut cut_of(int x, int y);

}  // namespace annelid::firmware::block_table
