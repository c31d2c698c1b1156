// CCL's hybrid of a tree and an exchange, for the all-reduce and the scans: one leader for 2^k
// ranks (docs/internals/algorithms/trade-offs.md; Bala and others 1995, Section 4.2).
#pragma once

#include <cstdint>

#include "reference/schedule/data_flow.hpp"

namespace annelid::reference {

/// Takes ceil(log2 ranks) + k steps. A k above ceil(log2 ranks) stands for that.
DataFlow leaders_all_reduction(int ranks, std::uint32_t k);

/// Whether the operands of the all-reduction are in the order of the ranks: the number of leaders
/// is a power of two.
bool leaders_keep_order(int ranks, std::uint32_t k);

/// A k above floor(log2 ranks) stands for that. With k = 0 it is the simultaneous binomial scan.
/// The order is always kept.
DataFlow leaders_scan(int ranks, std::uint32_t k, bool exclusive);

}  // namespace annelid::reference
