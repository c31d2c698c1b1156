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

/// A block is known by its extents, up to 16 x 16 x 1 or 4 x 4 x 4. Some of the larger planes are
/// missing.
inline constexpr int kLargest = 16, kLargestSolid = 4;

/// n / by without the core's divider, for n < 300 and by <= kLargest.
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

/// A block's number, by ascending (d, h, w).
constexpr std::size_t block_number(int w, int h, int d) {
  constexpr int kPlanes = kLargest * kLargest, kSolids = kLargestSolid * kLargestSolid;
  const int number = d == 1 ? kLargest * (h - 1) + w - 1
                            : kPlanes + kSolids * (d - 2) + kLargestSolid * (h - 1) + w - 1;
  return static_cast<std::size_t>(number);
}

/// The number of a 4 x 4 block in rings of unequal parts; 1: in x, 2: in y, 3: in both.
constexpr std::size_t ring_block_number(std::size_t rings) {
  return block_number(kLargestSolid, kLargestSolid, kLargestSolid) + rings;
}

/// A block's messages have the numbers begin .. end - 1, by ascending (from, step, to).
struct Range {
  std::uint32_t begin, end;
};
Range messages_of(std::size_t block);
BlockMessage message_at(std::uint32_t number);
/// The first message in the range that `cell` or a later cell sends.
std::uint32_t first_from(Range range, int cell);
/// The message that reaches `cell`, which is not the entry.
BlockMessage message_to(Range range, int cell);

int steps_of(std::size_t block);

/// How a mesh of x · y > 1 nodes is cut: the steps within its blocks, and their width and height.
struct Cut {
  int steps, w, h;
};
Cut cut_of(int x, int y);

}  // namespace annelid::firmware::block_table
