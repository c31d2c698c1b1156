// Broadcast by scatter and collect, dimension by dimension: Tsai 1997, Section 5.3 and Table 5.2;
// Barnett and others 1994, Section 4 (MST scatter, bucket collect).
#pragma once

#include "reference/schedule/parts.hpp"

namespace annelid::reference {

/// The logical ring in which a line of nodes passes its pieces on.
enum class LogicalRing : std::uint8_t {
  kPlain,   ///< p -> p + 1, from the last back to the first
  kFolded,  ///< up the even positions, down the odd ones; plain where the network has a ring
};

/// There is a part for each place. After the scatter, the node at place p has part p. The schedule
/// is free of stepwise contention on every network.
PartSchedule scatter_collect_parts(const Network& net, Node root, LogicalRing ring);

/// The collect alone: every node's part goes to all nodes, along z, then y, then x.
PartSchedule collect_parts(const Network& net, LogicalRing ring);

Schedule scatter_collect_broadcast(const Network& net, Node root, std::uint64_t bytes,
                                   LogicalRing ring);

}  // namespace annelid::reference
