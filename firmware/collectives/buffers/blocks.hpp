// Buffers of a call that hold one block for each member of the group.
#pragma once

#include "firmware/collectives/collective.hpp"

namespace annelid::firmware {

/// Consecutive blocks of `bytes` each, in rank order.
struct Blocks {
  std::uint32_t offset = 0, bytes = 0;
  /// Returns `count` blocks, starting with that of `rank`.
  [[nodiscard]] Buffer at(std::uint32_t rank, std::uint32_t count = 1) const {
    return {offset + rank * bytes, count * bytes};
  }
};
/// Return the call's SOURCE or TARGET as a block for each member.
inline Blocks source_blocks(const Context& me) { return {me.call().source(), me.call().bytes()}; }
inline Blocks target_blocks(const Context& me) { return {me.call().target(), me.call().bytes()}; }
/// Return the call's single block at SOURCE or TARGET.
inline Buffer source_block(const Context& me) { return {me.call().source(), me.call().bytes()}; }
inline Buffer target_block(const Context& me) { return {me.call().target(), me.call().bytes()}; }

/// Whether the two areas do not overlap.
constexpr bool are_apart(std::uint32_t a, std::uint64_t a_bytes, std::uint32_t b,
                         std::uint64_t b_bytes) {
  return a_bytes == 0 || b_bytes == 0 || a + a_bytes <= b || b + b_bytes <= a;
}

/// Returns BAD_ARGUMENT unless `at_source` blocks at SOURCE and `at_target` blocks at TARGET are in
/// node memory, do not overlap, and are each short enough for one message.
CallResult check_blocks(const Context& me, std::uint32_t at_source, std::uint32_t at_target);

/// Returns BAD_ARGUMENT unless the call names an operator and an element type of the NIC, and has
/// separate blocks at SOURCE, TARGET and SCRATCH.
CallResult check_reduction(const Context& me);

/// Returns the rank that is `distance` after this process's rank. Rank 0 follows the last rank.
/// Requires distance < size.
inline std::uint32_t rank_after(const Group& group, std::uint32_t distance) {
  const std::uint32_t to_end = group.size() - group.rank();
  return distance < to_end ? group.rank() + distance : distance - to_end;
}
inline std::uint32_t rank_before(const Group& group, std::uint32_t distance) {
  return distance <= group.rank() ? group.rank() - distance
                                  : group.rank() + group.size() - distance;
}

}  // namespace annelid::firmware
