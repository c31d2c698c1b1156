// The hybrid of a call that names none: docs/internals/algorithms/intercom.md, "Choosing".
#pragma once

#include "reference/schedule/request.hpp"

namespace annelid::reference::intercom {

/// Returns the extents of a group from near to far: row, column and so on of whole rows of nodes,
/// ranked by rows; the sizes of a listed group that is a submesh, in the order of its ranks; the
/// number of ranks of any other group. Extents of 1 are left out, so one rank
/// has none.
std::vector<int> extents_of(const Network& net, const Ranks& ranks);

/// The times of a kind of firmware, in cycles: "The machine" of the page.
struct Times {
  std::uint64_t down, up, ring;  ///< start-ups of a tree's steps, and of a ring's
  std::uint64_t besides;         ///< what a step takes besides its words
  std::uint64_t stage, order;  ///< what a long stage takes more, and the short algorithm on blocks
  std::uint64_t hardly;        ///< what the short algorithm on a vector may take for its words
};
inline constexpr Times kCoreTimes{850, 1500, 1400, 250, 600, 1500, 4000};
inline constexpr Times kHostTimes{20, 20, 20, 12, 0, 0, 0};

/// Returns the hybrid that the page's rule gives. `bytes`: of a block, or of the vector of an
/// operation without blocks. `in_order`: the operator does not commute. Throws
/// std::invalid_argument for an operation that InterCom does not have.
HybridChoice chosen_hybrid(Operation operation, const std::vector<int>& extents,
                           std::uint64_t bytes, bool in_order, const Times& times);

/// Returns the bytes that a request chooses for: of its block, or of an equal share of its lengths,
/// rounded up.
std::uint64_t share_of(const Request& request);

/// Returns the rule's hybrid for a request: with the extents of its ranks, and its share.
HybridChoice chosen_hybrid(Operation operation, const Request& request, bool in_order,
                           const Times& times);

}  // namespace annelid::reference::intercom
