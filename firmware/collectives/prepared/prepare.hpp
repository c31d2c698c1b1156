// Works out what a process does in a call, as a list that the NIC plays.
#pragma once

#include "firmware/collectives/collective.hpp"

namespace annelid::firmware {

/// The words of a call that is prepared, and where its list goes.
struct Preparation {
  std::array<std::uint32_t, reg::kCallWords> words;
  std::uint32_t offset, room;  ///< multiples of 8, in node memory
};
/// What the answer to PREPARE says.
struct PreparedCall {
  std::uint32_t handle = HandleTable::kNone, bytes = 0;
};

/// Prepares a call for a group in the place of the call that `me` is serving. A call of an
/// operation that no list can perform is an UNKNOWN_OPERATION.
CallResult prepare(Context& me, const Preparation& preparation, const Group& group,
                   Node::Serve serve, PreparedCall& prepared);

}  // namespace annelid::firmware
