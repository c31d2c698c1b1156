// Plays one process's part of a schedule. In each step a process sends at most one message and
// receives at most one: docs/internals/algorithms/operations.md, "Playing a schedule".
#pragma once

#include "firmware/collectives/collective.hpp"

namespace annelid::firmware {

/// A message of a plan.
struct PlannedMessage {
  static constexpr std::uint32_t kCombines = 1, kMessageLeft = 2, kAlso = 4;  // flags

  std::uint32_t step;  ///< from 1
  Address peer;
  std::uint32_t place, bytes;  ///< in node memory
  // The members below are used by receives only.
  std::uint32_t flags;
  /// kCombines: target := operand ⊕ message (kMessageLeft: message ⊕ operand). The operand may be
  /// the target; the message stays at `place`. Or else `place` may be the target.
  std::uint32_t operand, target;
  /// kAlso: afterwards also_target := message ⊕ also_operand, from the message at `place`. This
  /// takes a message of the process to itself. Only sends of also_target wait for it.
  std::uint32_t also_operand, also_target;
  /// Other messages use the receive's bytes up to this step; 0: none do.
  std::uint32_t not_before;
};

/// A part of node memory that is copied. No message of the plan uses the copy.
struct PlannedCopy {
  std::uint32_t from = 0, to = 0, bytes = 0;
};

/// One process's part. Two functions supply its messages, each in the order of the steps.
struct Plan {
  /// Both set `message` to the next message. They return false if there are no more.
  bool (*next_send)(Plan& plan, PlannedMessage& message);
  bool (*next_receive)(Plan& plan, PlannedMessage& message);
  PlannedCopy copy;
  /// A staging area, as long as the longest message, for kAlso with the operand as the target.
  std::uint32_t stage = 0;
  /// Whether receives are offered one after the other (docs/internals/nic/messages.md, "Receives
  /// in turn").
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

/// The receives that are posted at most: enough for two streams, of which each peer's next offer is
/// under way.
inline constexpr std::uint32_t kReceivesAhead = 7;

/// Plays the plan, with the call's OPERATOR and TYPE. A send begins when the messages of all
/// earlier steps have arrived and are combined, and the earlier sends have left. Receives are
/// posted ahead, in the order of the steps. The plan must outlive the task.
Task play(Context& me, Plan& plan);

}  // namespace annelid::firmware
