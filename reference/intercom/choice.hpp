// The hybrid of a call that names none: docs/internals/algorithms/intercom.md, "Choosing".
#pragma once

#include "reference/catalogue.hpp"

namespace annelid::reference::intercom {

/// Returns the extents of a group from near to far: row, column and so on of whole rows of nodes,
/// ranked by rows; the sizes of a listed group that is a submesh, in the order of its ranks; the
/// number of ranks of any other group. Extents of 1 are left out, so one rank
/// has none.
std::vector<int> extents_of(const Network& net, const Ranks& ranks);

/// Returns the hybrid that the page's rule gives. `bytes`: of a block, or of the vector of an
/// operation without blocks. `in_order`: the operator does not commute. Throws
/// std::invalid_argument for an operation that InterCom does not have.
HybridChoice chosen_hybrid(Operation operation, const std::vector<int>& extents,
                           std::uint64_t bytes, bool in_order);

/// The same for a request: with the extents of its ranks, and the bytes of its block, or of an
/// equal share of its lengths, rounded up.
HybridChoice chosen_hybrid(Operation operation, const Request& request, bool in_order);

}  // namespace annelid::reference::intercom
