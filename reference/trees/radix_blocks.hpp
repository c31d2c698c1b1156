// CCL's scatter and gather by a radix, from log2 p steps to p - 1
// (docs/internals/algorithms/trade-offs.md; Bala and others 1995, Section 4.2).
#pragma once

#include <cstdint>
#include <vector>

#include "reference/schedule/block_schedule.hpp"

namespace annelid::reference {

/// The nodes by rank, and the root's rank. A block's number is the node number of the process where
/// the block ends. A radix of 0 stands for 2, and one above the number of ranks for that number.
/// Throws std::invalid_argument for a radix of 1.
BlockSchedule radix_scatter(const Network& net, const std::vector<Node>& nodes, int root,
                            std::uint32_t radix);

/// The scatter in reverse. A block's number is the node number of the process where it starts.
BlockSchedule radix_gather(const Network& net, const std::vector<Node>& nodes, int root,
                           std::uint32_t radix);

}  // namespace annelid::reference
