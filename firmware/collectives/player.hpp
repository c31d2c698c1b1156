// Plays one process's part of a schedule. In each step a process sends at most one message and
// receives at most one: docs/internals/algorithms/operations.md, "Playing a schedule".
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
  // The members below are used by receives only.
  std::uint32_t flags;
  /// kAccumulates: the message is combined with the bytes here (kMessageLeft: message ⊕
  /// accumulator). It also stays at `place`.
  std::uint32_t accumulator;
  /// kFollowed: afterwards followed := followed ⊕ follower (kFollowerLeft: follower ⊕ followed);
  /// the bytes at `follower` stay there. This takes a message of the process to itself, and the
  /// next sends wait for it. A posted receive cannot do this.
  std::uint32_t follower, followed;
  /// Other messages use the receive's bytes up to this step; 0: none do.
  std::uint32_t not_before;
};

/// A part of node memory that is copied before it serves as an accumulator. The player copies it in
/// growing pieces, ahead of the receives that need them.
struct PlannedCopy {
  std::uint32_t from = 0, to = 0, bytes = 0;
};

/// One process's part. Two functions supply its messages, each in the order of the steps.
struct Plan {
  /// Both set `message` to the next message. They return false if there are no more.
  bool (*next_send)(Plan& plan, PlannedMessage& message);
  bool (*next_receive)(Plan& plan, PlannedMessage& message);
  static constexpr std::uint32_t kMostCopies = 2;
  PlannedCopy copies[kMostCopies];
  /// Bytes of the first piece of a copy.
  std::uint32_t first_piece = 0;
  /// A staging area for followers, as long as the longest message.
  std::uint32_t stage = 0;
  /// Whether receives are offered one after the other (docs/internals/nic.md, section 4, Receives
  /// in turn).
  bool in_turn = false;
};

/// A plan whose messages come from P's send() and receive().
template <typename P>
struct PlanOf : Plan {
  PlanOf() {
    next_send = [](Plan& plan, PlannedMessage& m) { return static_cast<P&>(plan).send(m); };
    next_receive = [](Plan& plan, PlannedMessage& m) { return static_cast<P&>(plan).receive(m); };
  }
};
/// Fills in a message that is sent, or stored as it arrives.
inline void set(PlannedMessage& message, std::uint32_t step, Address peer, Buffer buffer) {
  message.step = step;
  message.peer = peer;
  message.place = buffer.offset;
  message.bytes = buffer.bytes;
  message.flags = message.not_before = 0;
}

/// The composition of affine maps, which the core combines (docs/internals/algorithms/groups.md,
/// "Operands in order").
inline constexpr auto kAffine = static_cast<std::uint32_t>(reg::CoreOperator::kAffine);

/// Plays the plan, with the call's OPERATOR and TYPE. A send begins when the messages of all
/// earlier steps have arrived and are combined, and the earlier sends have left. Receives are
/// posted ahead, in the order of the steps. The plan must outlive the task.
Task play(Context& me, Plan& plan);

}  // namespace annelid::firmware
