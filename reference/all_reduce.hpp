// All-reduce with a commutative operator: a reduction and a broadcast, or by pieces: bucket
// distributed combine and bucket collect (Barnett and others 1994, Section 4), dimension by
// dimension.
#pragma once

#include <cstddef>
#include <functional>
#include <span>

#include "reference/parts.hpp"

namespace annelid::reference {

/// One schedule, then the other, in the steps after it.
Schedule followed_by(Schedule first, const Schedule& second);

/// 2 * sum(size - 1) steps, on every network free of stepwise contention.
Schedule ring_all_reduce(const Network& net, std::uint64_t bytes);

/// Its combining half: who sends which parts of its partial results; x, then y, then z.
PartSchedule combining_parts(const Network& net);

/// partial := partial (+) message, both of one length, a multiple of eight bytes but at the block's
/// end.
using Combine =
    std::function<void(std::span<std::byte> partial, std::span<const std::byte> message)>;

/// What every node has at the end, combined in the order of the ring. `blocks`: those of all ranks,
/// of one length (else std::invalid_argument).
std::vector<std::byte> ring_all_reduce_result(const Network& net,
                                              const std::vector<std::vector<std::byte>>& blocks,
                                              const Combine& combine);

}  // namespace annelid::reference
