// Groups whose members are a rectangular part of the network:
// docs/internals/algorithms/intercom.md, "Groups" (Barnett and others 1994, Section 9).
#pragma once

#include "firmware/platform/group.hpp"

namespace annelid::firmware {

/// Finds out whether `size` > 0 processes that are listed at `list` are a submesh, and in which
/// order their ranks go along its dimensions. A process looks at each member about once.
SubmeshSizes find_submesh(const Topology& network, Memory memory, std::uint32_t list,
                          std::uint32_t size);

}  // namespace annelid::firmware
