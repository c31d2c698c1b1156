// Copies inside node memory: the core copies short ones; the NIC copies longer ones, as messages of
// this process to itself. (A delivery moves eight bytes per cycle, the core about one.)
#pragma once

#include "firmware/collectives/collective.hpp"

namespace annelid::firmware {

/// Lets the NIC copy within node memory, by a message from this process to itself. `to` must be as
/// long as `from`, and they must not overlap.
inline Exchange copy(Context& me, Buffer from, Buffer to) {
  const Address self = me.topology().self();
  return {me, message(me, self, from), message(me, self, to)};
}

/// The number of bytes that the core copies in about the time that it needs to describe a send and
/// a receive.
inline constexpr std::uint32_t kCopiedByCore = 128;

/// Whether the core copies so many bytes itself. Of a call that is recorded the NIC copies all.
inline bool is_copied_by_core(const Context& me, std::uint32_t bytes) {
  return bytes <= kCopiedByCore && (bytes == 0 || !me.node().recording());
}

inline void copy_by_core(Memory memory, std::uint32_t to, Buffer from) {
  std::uint32_t i = 0;
  if (((to | from.offset) & 3) == 0) {
    for (; i + 4 <= from.bytes; i += 4)
      memory.store(to + i, memory.load<std::uint32_t>(from.offset + i));
  }
  for (; i < from.bytes; ++i) memory.store(to + i, memory.load<std::uint8_t>(from.offset + i));
}

/// Copies `from` to `to`, at once or as transfers of the batch: `if (!copies.has_room(2)) co_await
/// copies; add_copy(me, copies, to, from);` ... `co_await copies;`
template <std::uint32_t N>
void add_copy(Context& me, Batch<N>& copies, std::uint32_t to, Buffer from) {
  if (is_copied_by_core(me, from.bytes)) {
    copy_by_core(me.memory(), to, from);
    return;
  }
  const Address self = me.topology().self();
  copies.add(me, Direction::kReceive, message(me, self, {to, from.bytes}));
  copies.add(me, Direction::kSend, message(me, self, from));
}

}  // namespace annelid::firmware
