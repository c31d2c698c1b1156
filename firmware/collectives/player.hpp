// Plays one process's part of a schedule in which it sends at most one message and receives at most
// one in a step: docs/internals/algorithms/operations.md, "Playing a schedule".
#pragma once

#include "firmware/collectives/collective.hpp"

namespace annelid::firmware {

/// A message of a plan.
struct PlannedMessage {
  static constexpr std::uint32_t kAccumulates = 1, kMessageLeft = 2;  // flags
  static constexpr std::uint32_t kFollowed = 4, kFollowerLeft = 8;

  std::uint32_t step;  ///< from 1
  Address peer;
  std::uint32_t place, bytes;  ///< in node memory
  // Of a receive only.
  std::uint32_t flags;
  /// kAccumulates: the message is combined with what is here (left: message ⊕ accumulator) and
  /// stays at `place` too.
  std::uint32_t accumulator;
  /// kFollowed: then the bytes at `follower` are combined with those at `followed`, which stay
  /// there: followed := followed ⊕ follower (left: follower ⊕ followed). It takes a message of the
  /// process to itself, which the next sends wait for: for what a posted receive cannot do.
  std::uint32_t follower, followed;
  /// The receive uses bytes that are in use up to this step; 0: none.
  std::uint32_t not_before;
};

/// A part of node memory that is copied before it is used as an accumulator. The player copies in
/// growing pieces, ahead of the receives that need them.
struct PlannedCopy {
  std::uint32_t from = 0, to = 0, bytes = 0;
};

/// What a process does. Its messages come from two functions, each in the order of their steps.
struct Plan {
  /// False: there are no more.
  bool (*next_send)(Plan& plan, PlannedMessage& message);
  bool (*next_receive)(Plan& plan, PlannedMessage& message);
  static constexpr std::uint32_t kMostCopies = 2;
  PlannedCopy copies[kMostCopies];
  /// Bytes of the first piece of a copy.
  std::uint32_t first_piece = 0;
  /// A staging area for followers, as long as the longest message.
  std::uint32_t stage = 0;
  /// Receives are offered one after the other (docs/internals/nic.md, section 4, Receives in turn).
  bool in_turn = false;
};

/// A plan whose messages are those of P's send() and receive().
template <typename P>
struct PlanOf : Plan {
  PlanOf() {
    next_send = [](Plan& plan, PlannedMessage& m) { return static_cast<P&>(plan).send(m); };
    next_receive = [](Plan& plan, PlannedMessage& m) { return static_cast<P&>(plan).receive(m); };
  }
};
/// A message that is sent, or stored as it comes.
inline void set(PlannedMessage& message, std::uint32_t step, Address peer, Buffer buffer) {
  message.step = step;
  message.peer = peer;
  message.place = buffer.offset;
  message.bytes = buffer.bytes;
  message.flags = message.not_before = 0;
}

/// Composition of affine maps, combined by the core (docs/internals/algorithms/groups.md, "Operands
/// in order").
inline constexpr auto kAffine = static_cast<std::uint32_t>(reg::CoreOperator::kAffine);

/// Plays it, with the call's OPERATOR and TYPE. A send begins when all that earlier steps bring is
/// there, combined, and the earlier sends have left. Receives are posted ahead, in the order of the
/// steps. A plan outlives the task.
Task play(Context& me, Plan& plan);

}  // namespace annelid::firmware
