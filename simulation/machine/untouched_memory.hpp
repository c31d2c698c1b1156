// The node memory that an operation must not change, and the filler that it holds.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "nic/node_memory.hpp"
#include "simulation/scenario/memory_layout.hpp"

namespace annelid::simulation {

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
