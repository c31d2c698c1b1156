// All-reduce with a commutative operator that works by pieces, dimension by dimension: bucket
// distributed combine and bucket collect (Barnett and others 1994, Section 4).
#pragma once

#include <cstddef>
#include <functional>
#include <span>

#include "reference/schedule/parts.hpp"

namespace annelid::reference {

/// Takes 2 * sum(size - 1) steps, without stepwise contention on any network.
Schedule ring_all_reduce(const Network& net, std::uint64_t bytes);

/// Returns the combining half: which parts of its partial result each node sends to which node,
/// along x, then y, then z.
PartSchedule combining_parts(const Network& net);

/// partial := partial (+) message. Both have the same length, which is a multiple of eight bytes
/// except at the block's end.
using Combine =
    std::function<void(std::span<std::byte> partial, std::span<const std::byte> message)>;

/// Returns the bytes that every node has at the end, combined in the order of the ring. `blocks`
/// holds the blocks of all ranks. Throws std::invalid_argument if their lengths differ.
std::vector<std::byte> ring_all_reduce_result(const Network& net,
                                              const std::vector<std::vector<std::byte>>& blocks,
                                              const Combine& combine);

}  // namespace annelid::reference
