// Making groups: CCL (Bala and others 1995), Sections 2.1, 2.3 and 2.4.
//
// Each function takes node memory from its caller: a list, which belongs to the new group from then
// on, and scratch memory, which is free again at the end. Both must be at offsets that are
// multiples of 4. All messages have the call's tag.
#pragma once

#include <cstdint>

#include "firmware/platform/group.hpp"
#include "firmware/platform/node.hpp"
#include "firmware/platform/task.hpp"

namespace annelid::firmware {

/// CCL's group(size, list, label). Every member calls it with the same list of `size` identifiers,
/// which must be at `list` already. A member's rank is its place in the list. The process of rank 0
/// tells the others the value of its counter along a binomial tree, in ceil(log2 size) steps of 4
/// bytes. This is no barrier. The result is BAD_ARGUMENT if a number in the list is no process or
/// appears twice, and NOT_A_MEMBER if this process is not in the list. In both cases nothing is
/// sent. Scratch: group_scratch() bytes.
Task form_group(Context& me, std::uint32_t list, std::uint32_t size, std::uint32_t label,
                std::uint32_t scratch, Group& result);
/// Returns the bytes of scratch memory for form_group(): one bit per process of the network, and
/// the message.
constexpr std::uint32_t group_scratch(const Topology& topology) {
  return 4 * ((topology.nodes() + 31) / 32) + 4;
}

/// CCL's partition(G, myval, key). Every member of `parent` calls it. Members with the same `myval`
/// become a group. They are ranked by `key` (as signed numbers), and those with equal keys by their
/// ranks in `parent`. All members exchange (myval, key, counter) in ceil(log2 n) steps, by the
/// circulant-graph algorithm of Section 4.3, for any n. This is a barrier. List: 4 bytes per member
/// of the new group, so at most 4n. Scratch: partition_scratch(n) bytes.
Task partition(Context& me, const Group& parent, std::uint32_t myval, std::int32_t key,
               std::uint32_t list, std::uint32_t scratch, Group& result);
constexpr std::uint64_t partition_scratch(std::uint32_t members) {
  return std::uint64_t{members} * 12;
}

/// CCL's FORM2DGRID. It treats `parent`, which has x_size · y_size members, as a grid: rank r is in
/// column r mod x_size and row floor(r / x_size). It makes a group of each row (with the row's
/// number as label, ranked by column) and of each column. The result is BAD_ARGUMENT if the sizes
/// do not fit; then nothing is sent. List: 4 · (x_size + y_size) bytes, the row's members first.
/// Scratch: as partition().
Task form_2d_grid(Context& me, const Group& parent, std::uint32_t x_size, std::uint32_t y_size,
                  std::uint32_t list, std::uint32_t scratch, Group& row, Group& column);

}  // namespace annelid::firmware
