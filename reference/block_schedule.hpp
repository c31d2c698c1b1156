// Operations that move blocks about: schedules that say which blocks every message holds, in the
// order of its bytes.
#pragma once

#include <vector>

#include "reference/network.hpp"

namespace annelid::reference {

/// A message of whole blocks.
struct BlockMessage {
  Node from, to;
  /// In the order of the bytes. What a block's number means is said with the operation: the rank of
  /// the process that it comes from (gather, transposition) or goes to (scatter).
  std::vector<int> blocks;
};

/// By steps, as Schedule.
using BlockSchedule = std::vector<std::vector<BlockMessage>>;

/// The same messages with their lengths, a block having `bytes` bytes.
Schedule schedule_of(const BlockSchedule& messages, std::uint64_t bytes);

/// Which blocks every process holds in the end, by rank, ascending; `held` says which it has
/// before. Throws std::invalid_argument, with the message, if a sender does not hold what it sends
/// or a receiver has a block already.
std::vector<std::vector<int>> blocks_after(const Network& net, const BlockSchedule& messages,
                                           const std::vector<std::vector<int>>& held);

}  // namespace annelid::reference
