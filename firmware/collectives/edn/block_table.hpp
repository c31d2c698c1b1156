// The stored schedules of blocks, packed: schedules/blocks.inc, rings.inc and plans.inc.
// docs/internals/algorithms/edn-any-mesh.md, "The tables", describes them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace annelid::firmware::block_table {

/// What reaches a cell of a block in the broadcast from its entry.
struct BlockMessage {
  std::uint8_t step, from;  ///< from 1; a cell
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

/// The steps in which a block's cells receive, at most.
inline constexpr int kMostSteps = 3;

/// A block's messages: for each cell a byte that says what reaches it.
class Messages {
 public:
  Messages(const std::uint32_t* words, int cells, int entry)
      : words_(words), cells_(cells), entry_(entry) {}

  /// Returns the message that reaches `cell`, which must not be the entry.
  [[nodiscard]] BlockMessage message_to(int cell) const {
    const auto at = static_cast<std::uint32_t>(cell);
    const std::uint32_t byte = words_[at / 4] >> 8 * (at % 4) & 0xFF;
    if (byte == kFromEntry) return {1, static_cast<std::uint8_t>(entry_)};
    return {static_cast<std::uint8_t>(2 + byte / 0x80), static_cast<std::uint8_t>(byte % 0x80)};
  }
  /// Calls what(to) for each message of a cell in a step, by ascending receivers.
  template <typename What>
  void for_each_message(int from, int step, const What& what) const {
    if (step == 1 && from != entry_) return;
    const std::uint32_t byte =
        step == 1 ? kFromEntry : static_cast<std::uint32_t>(from | (step - 2) << 7);
    const std::uint32_t bytes = byte * 0x01010101;
    for (int cell = 0; cell < cells_; cell += 4) {
      // Four cells at a time: the high bit of each byte that is equal.
      const std::uint32_t other = words_[cell / 4] ^ bytes;
      std::uint32_t equal = ~(((other & 0x7F7F7F7F) + 0x7F7F7F7F) | other) & 0x80808080;
      if (equal == 0) [[likely]]
        continue;
      for (int to = cell; equal != 0; ++to, equal >>= 8) {
        if ((equal & 0x80) != 0) what(to);
      }
    }
  }

  // What a byte says: the sender, and in the high bit whether the step is 3, not 2. In step 1 only
  // the entry sends.
  static constexpr std::uint32_t kFromEntry = 0x7F;  ///< in step 1
  static constexpr std::uint32_t kNobody = 0x7E;     ///< the entry, and what fills the last word

 private:
  const std::uint32_t* words_;
  int cells_, entry_;
};
/// Returns the messages of a block, as Messages wants them.
const std::uint32_t* messages_of(std::size_t block);

int steps_of(std::size_t block);

/// How a mesh of x · y > 1 nodes is cut into blocks: the steps within a block, and its width and
/// height in nodes.
struct Division {
  int steps, w, h;
};
Division cut_of(int x, int y);

}  // namespace annelid::firmware::block_table
