// What all broadcasts along a tree have in common: a process's part of the schedule, and playing
// it.
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "firmware/collectives/collective.hpp"

namespace annelid::firmware {

/// What one process does in a broadcast, found step by step: what is computed while a message is on
/// its way costs nothing.
class BroadcastPlan {
 public:
  /// One per external channel of a node in a 2D mesh.
  static constexpr std::uint32_t kMaxSendsPerStep = 4;
  /// In all steps: EDN's root on 256 x 256 that is a top of every level, 2 in the startup and 3 in
  /// each of 7 steps; recursive doubling has one for each halving of 2^24 processes.
  static constexpr std::uint32_t kMaxSends = 24;

  BroadcastPlan() {}  // not = default, which would clear the room for sends

  /// Who sends to this process, and in which step, from 1. The root has no parent: its step is 0.
  Address parent;
  int receive_step = 0;

  /// To whom it sends in `step`, ordered by (z, y, x).
  int step = 0;
  [[nodiscard]] std::span<const Address> sends() const { return {sends_, count_}; }
  void clear() { count_ = 0; }
  void add(Address to);

  std::array<std::uint32_t, 4> state;  ///< the rule's own, between its functions

 private:
  std::uint32_t count_ = 0;
  union {
    Address sends_[kMaxSendsPerStep];
  };
};

/// A process's part, computed by itself in O(log N) time and memory for N processes. `group` and
/// `root`, a rank, have been checked.
struct BroadcastRule {
  /// Sets the plan's parent and receive_step; comes first.
  void (*find_parent)(const Group& group, std::uint32_t root, BroadcastPlan& plan);
  /// Gives the plan the sends of the next step in which this process sends; false if there is none.
  bool (*next_step)(const Group& group, std::uint32_t root, BroadcastPlan& plan);
};

/// What is wrong with the arguments of any broadcast.
CallResult check_broadcast_call(const Context& me);

/// Plays the process's part: one receive, then the sends. The sends of one step are queued at once,
/// so that all ports work in parallel. Those of the next step are queued when all of them have left
/// the node: a schedule promises that messages of one step do not meet, and says nothing of
/// messages of two steps that a node sends at the same time. Nothing else separates steps; a node
/// that has the message goes on without waiting for others, as in the dissertation's simulations
/// (Tsai, 3.3.2).
///
/// The buffer is at SOURCE, at the root and everywhere else. With PARAMETER_0 = 1 the NIC plays the
/// part: all sends are queued beforehand, held by a counter of the completions before them, so that
/// a hop costs no instruction. Where there is no room for that (Node::post_room) the core plays it.
Task broadcast_by(Context& me, BroadcastRule rule);

}  // namespace annelid::firmware
