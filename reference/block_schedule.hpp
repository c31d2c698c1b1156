// Operations that move whole blocks. Their schedules say which blocks every message holds, in the
// order of its bytes.
#pragma once

#include <vector>

#include "reference/network.hpp"

namespace annelid::reference {

/// A message of whole blocks.
struct BlockMessage {
  Node from, to;
  /// In the order of the bytes. The number of a block is the rank of the process that it comes from
  /// (gather, transposition) or goes to (scatter); each operation says which.
  std::vector<int> blocks;
};

/// By steps, as Schedule.
using BlockSchedule = std::vector<std::vector<BlockMessage>>;

/// The same messages with their lengths, where a block has `bytes` bytes.
Schedule schedule_of(const BlockSchedule& messages, std::uint64_t bytes);

/// The blocks that every process holds at the end, by rank, ascending. `held` has the blocks that
/// it holds before. Throws std::invalid_argument, with the message, if a sender does not hold what
/// it sends or a receiver has a block already.
std::vector<std::vector<int>> blocks_after(const Network& net, const BlockSchedule& messages,
                                           const std::vector<std::vector<int>>& held);

}  // namespace annelid::reference
