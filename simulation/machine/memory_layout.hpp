// Where an operation's buffers and their guards lie in node memory. All nodes have the same layout.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "nic/node_memory.hpp"
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

/// Returns the parts of a buffer that share a page of node memory with bytes outside it. They hold
/// filler before an operation. Pages wholly inside the buffer are not allocated, so a large buffer
/// costs nothing.
[[nodiscard]] std::array<Buffer, 2> filled_parts(Buffer untouched);

/// Bytes that a process must not change, and their name in messages.
struct Untouched {
  const char* name;
  Buffer where;
  std::array<Buffer, 2> filled;  ///< filled_parts(where)

  Untouched(const char* called, Buffer bytes)
      : name(called), where(bytes), filled(filled_parts(bytes)) {}
};

/// All of nodes' memory that an operation does not write there: guards, buffers or parts of buffers
/// that a node does not use, and the memory after the layout.
class UntouchedMemory {
 public:
  /// The first two must outlive this. `memory_bytes`: the end of the memory.
  UntouchedMemory(const MemoryLayout& layout, const Collective& collective,
                  std::uint64_t memory_bytes)
      : layout_(layout),
        collective_(collective),
        memory_bytes_(memory_bytes),
        buffers_(collective) {}

  /// At a node; until the next call. Most nodes have the same as the one before.
  [[nodiscard]] const std::vector<Untouched>& at(const reference::Node& node);
  [[nodiscard]] const BufferBytes& buffers() const { return buffers_; }

 private:
  /// What of a node decides.
  struct Use {
    bool member = false, called = false;
    std::uint64_t source = 0, target = 0;
    friend bool operator==(const Use&, const Use&) = default;
  };

  const MemoryLayout& layout_;
  const Collective& collective_;
  const std::uint64_t memory_bytes_;
  const BufferBytes buffers_;
  std::optional<Use> use_;  ///< of the last node
  std::vector<Untouched> parts_;
};

/// The limits of docs/internals/nic/core.md and registers.md: bytes of a node's memory, and bytes
/// of a message.
inline constexpr std::uint64_t kMostNodeMemory = std::uint64_t{1} << 31;
inline constexpr std::uint64_t kLongestMessage = std::uint64_t{16} << 20;

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

/// The bytes of untouched memory, and of buffers before they are written. They depend on the offset
/// alone, and neighbours differ. All nodes have the same in all calls, so pages that were needed
/// once are kept.
class Filler {
 public:
  void fill(nic::NodeMemory& memory, Buffer where);
  /// The first of these offsets whose byte differs in `memory`.
  [[nodiscard]] std::optional<std::uint64_t> first_difference(const nic::NodeMemory& memory,
                                                              Buffer where);
  [[nodiscard]] static std::byte at(std::uint64_t offset);

 private:
  template <typename F>
  void for_each_part(Buffer where, F f);

  std::unordered_map<std::uint64_t, std::vector<std::byte>> pages_;
};

}  // namespace annelid::simulation
