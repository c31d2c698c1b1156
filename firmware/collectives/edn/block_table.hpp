// The stored schedules of blocks, packed: schedules/blocks.inc, rings.inc and plans.inc.
// docs/internals/algorithms/edn-any-mesh.md, "The tables", describes them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace annelid::firmware::block_table {

/// A message of a block's broadcast from its entry.
struct BlockMessage {
  std::uint8_t step, from, to;  ///< from 1; cells
};

/// A block is identified by its extents, up to 16 x 16 x 1 or 4 x 4 x 4. The table lacks some of
/// the larger planes.
inline constexpr int kLargest = 16, kLargestSolid = 4;

/// Returns n / by without the core's divider, for n < 300 and by <= kLargest.
inline int quotient(int n, int by) {
  constexpr auto kReciprocal = [] {
    std::array<std::uint16_t, kLargest + 1> result{};
    for (std::size_t i = 2; i < result.size(); ++i)
      result[i] = static_cast<std::uint16_t>(65536 / i + 1);
    return result;
  }();
  if (by == 1) return n;
  return static_cast<int>(
      static_cast<std::uint32_t>(n) * kReciprocal[static_cast<std::size_t>(by)] >> 16);
}
inline int quotient_rounded_up(int n, int by) { return quotient(n + by - 1, by); }

/// Returns a block's number, in ascending order of (d, h, w).
constexpr std::size_t block_number(int w, int h, int d) {
  constexpr int kPlanes = kLargest * kLargest, kSolids = kLargestSolid * kLargestSolid;
  const int number = d == 1 ? kLargest * (h - 1) + w - 1
                            : kPlanes + kSolids * (d - 2) + kLargestSolid * (h - 1) + w - 1;
  return static_cast<std::size_t>(number);
}

/// Returns the number of a 4 x 4 block in rings of unequal parts. `rings` is 1 for a ring in x, 2
/// for y, 3 for both.
constexpr std::size_t ring_block_number(std::size_t rings) {
  return block_number(kLargestSolid, kLargestSolid, kLargestSolid) + rings;
}

/// The numbers begin .. end - 1 of a block's messages, which are in ascending order of (from, step,
/// to).
struct Range {
  std::uint32_t begin, end;
};
Range messages_of(std::size_t block);
BlockMessage message_at(std::uint32_t number);
/// Returns the number of the first message in the range that `cell` or a later cell sends.
std::uint32_t first_from(Range range, int cell);
/// Returns the message that reaches `cell`, which must not be the entry.
BlockMessage message_to(Range range, int cell);

int steps_of(std::size_t block);

/// How a mesh of x · y > 1 nodes is cut into blocks: the steps within a block, and its width and
/// height in nodes.
struct Division {
  int steps, w, h;
};
Division cut_of(int x, int y);

}  // namespace annelid::firmware::block_table
