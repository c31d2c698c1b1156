// Where an operation's buffers lie in node memory, the same at every node, and what guards them.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "nic/node_memory.hpp"
#include "simulation/scenario/collective.hpp"

namespace annelid::simulation {

/// Offsets and lengths in bytes.
struct Buffer {
  std::uint64_t offset = 0, bytes = 0;
  [[nodiscard]] std::uint64_t end() const { return offset + bytes; }
};

/// Bytes that a process must leave as they are, with their name for messages.
struct Untouched {
  const char* name;
  Buffer where;
};

/// A guard, SOURCE, a guard, TARGET, a guard, SCRATCH, a guard. Buffers begin at multiples of 64,
/// guards reach to them.
struct MemoryLayout {
  static constexpr std::uint64_t kAlignment = 64, kLeastGuard = 64;

  Buffer source, target, scratch;
  std::uint64_t end = 0;  ///< behind the last guard: the node memory that a run needs

  [[nodiscard]] std::array<Buffer, 4> guards() const;
};

[[nodiscard]] MemoryLayout layout_of(const Collective& collective);

/// All of a node's memory that the operation does not write at this node: guards, buffers or parts
/// of them that it does not use there, and what lies behind the layout.
[[nodiscard]] std::vector<Untouched> untouched(const MemoryLayout& layout,
                                               const Collective& collective,
                                               const reference::Node& node,
                                               std::uint64_t memory_bytes);

/// The parts of a buffer that lie in pages of node memory which reach beyond it: those hold filler
/// before an operation. The pages wholly inside do not exist, so a large buffer costs nothing.
[[nodiscard]] std::array<Buffer, 2> filled_parts(Buffer untouched);

/// Limits of docs/internals/nic.md, sections 1 and 3: bytes of a node's memory, and of a message.
inline constexpr std::uint64_t kMostNodeMemory = std::uint64_t{1} << 31;
inline constexpr std::uint64_t kLongestMessage = std::uint64_t{16} << 20;

/// SOURCE and TARGET of all processes together, bytes.
[[nodiscard]] std::uint64_t buffer_bytes(const Collective& collective);

/// What must not be longer than a message: a block; of gather and scatter, whose players know one
/// buffer, all blocks together (firmware/README.md).
[[nodiscard]] std::uint64_t longest_buffer(const Collective& collective);

/// The schedule's first message that is longer than kLongestMessage.
[[nodiscard]] std::optional<reference::Message> too_long_message(
    const reference::Schedule& schedule);

/// What untouched bytes hold, and buffers before they are written: no offset looks like its
/// neighbours.
[[nodiscard]] std::byte filler(std::uint64_t offset);
/// The same for bytes from an offset on.
void write_filler(std::uint64_t offset, std::span<std::byte> to);
void fill(nic::NodeMemory& memory, Buffer where);

}  // namespace annelid::simulation
