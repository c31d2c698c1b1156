// Operations that move whole blocks. Their schedules say which blocks every message holds, in the
// order of its bytes.
#pragma once

#include <vector>

#include "reference/schedule/network.hpp"

namespace annelid::reference {

/// A message of whole blocks.
struct BlockMessage {
  Node from, to;
  /// In the order of the bytes. The number of a block is the rank of the process where it starts
  /// (gather, transposition) or where it ends (scatter). Each operation's comment says which.
  std::vector<int> blocks;
};

/// The messages of each step, as in Schedule.
using BlockSchedule = std::vector<std::vector<BlockMessage>>;

/// Returns the same messages with their lengths, where a block has `bytes` bytes.
Schedule schedule_of(const BlockSchedule& messages, std::uint64_t bytes);

/// Returns the blocks that every process holds at the end, by rank, each list ascending. `held` has
/// the blocks at the start. Throws std::invalid_argument, which names the message, if a sender does
/// not hold what it sends or a receiver already has a block.
std::vector<std::vector<int>> blocks_after(const Network& net, const BlockSchedule& messages,
                                           const std::vector<std::vector<int>>& held);

}  // namespace annelid::reference
