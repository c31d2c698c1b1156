// Where an operation's buffers and their guards lie in node memory. All nodes have the same layout.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "simulation/scenario/collective.hpp"

namespace annelid::simulation {

/// Offsets and lengths in bytes.
struct Buffer {
  std::uint64_t offset = 0, bytes = 0;
  [[nodiscard]] std::uint64_t end() const { return offset + bytes; }
};

/// The layout is guard, SOURCE, guard, TARGET, guard, SCRATCH, guard. Blocks of different lengths
/// have a list of them behind that, and one more guard. Buffers begin at multiples of
/// 64 bytes, and each guard reaches up to the next buffer.
struct MemoryLayout {
  static constexpr std::uint64_t kAlignment = 64, kLeastGuard = 64;

  Buffer source, target, scratch;
  Buffer lengths;           ///< empty, at the end of SCRATCH, if all blocks are equal
  std::uint64_t begin = 0;  ///< of the first guard
  std::uint64_t end = 0;    ///< behind the last guard

  [[nodiscard]] std::array<Buffer, 4> guards() const;
};

/// The layout of a call whose first guard begins at `begin`, a multiple of 64.
[[nodiscard]] MemoryLayout layout_of(const Collective& collective, std::uint64_t begin = 0);

/// The limits of docs/internals/nic/core.md and registers.md: bytes of a node's memory, and bytes
/// of a message.
inline constexpr std::uint64_t kMostNodeMemory = std::uint64_t{1} << 31;
inline constexpr std::uint64_t kLongestMessage = std::uint64_t{16} << 20;

/// Returns what all members use of SCRATCH before the operation: for CCL's develop mode.
[[nodiscard]] std::uint64_t comparison_bytes(const Collective& collective);

/// Returns the bytes of all processes' SOURCE and TARGET together.
[[nodiscard]] std::uint64_t buffer_bytes(const Collective& collective);

/// Appends a 32-bit word as node memory holds it: the lowest byte first.
void append_word(std::vector<std::byte>& bytes, std::uint32_t word);

/// The list of lengths that a node finds in its memory, in elements: 32-bit words.
[[nodiscard]] std::vector<std::byte> length_words(const Collective& collective,
                                                  const reference::Node& node);

/// Returns the blocks of an operation that has one for each process.
[[nodiscard]] std::uint64_t blocks_of(const Collective& collective);

/// Returns the bytes that must fit into one message: a block, or all blocks together for gather,
/// scatter, reduce-scatter and InterCom's all-gather, which keep them in one buffer
/// (firmware/README.md).
[[nodiscard]] std::uint64_t longest_buffer(const Collective& collective);

/// Returns the schedule's first message that is longer than kLongestMessage, or nothing.
[[nodiscard]] std::optional<reference::Message> too_long_message(
    const reference::Schedule& schedule);

}  // namespace annelid::simulation
