// The building blocks of InterCom on one line of members: Barnett and others 1994, Section 4.
// Conventions: docs/internals/algorithms/intercom.md, "Building blocks".
#pragma once

#include <cstdint>
#include <vector>

namespace annelid::reference::intercom {

/// The six building blocks.
enum class Primitive : std::uint8_t {
  kMstBroadcast,       ///< 4.1
  kMstCombineToOne,    ///< 4.1: the MST broadcast in reverse
  kMstScatter,         ///< 4.1
  kMstGather,          ///< 4.1: the MST scatter in reverse
  kBucketCollect,      ///< 4.2
  kDistributedCombine  ///< 4.2: the bucket collect in reverse
};

/// "M", "R", "S", "G", "C", "D" in the order of Primitive. The paper has M, S and C.
char letter(Primitive primitive);

/// Whether a receiver combines what it gets with what it has.
constexpr bool combines(Primitive p) {
  return p == Primitive::kMstCombineToOne || p == Primitive::kDistributedCombine;
}

/// A message between members of a line. The line's data has a piece for each member; the message
/// holds the pieces first .. end - 1.
struct LineMessage {
  int from, to;
  int first, end;
  friend bool operator==(const LineMessage&, const LineMessage&) = default;
};

/// The messages by steps: steps[0] is step 1. Within a step they are sorted by sender.
using LineSteps = std::vector<std::vector<LineMessage>>;

/// Returns the messages of a building block among the members 0 .. members - 1. Bucket algorithms
/// have no root and ignore it. MST algorithms take ceil(log2 members) steps, bucket algorithms
/// members - 1. In a step, a member sends at most one message and receives at most one. If every
/// member is a node of a linear array, no two messages of a step need the same channel.
/// Throws std::invalid_argument if there is no member, or if the root is none.
LineSteps line_steps(Primitive primitive, int members, int root);

}  // namespace annelid::reference::intercom
