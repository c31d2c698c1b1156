// What all broadcasts along a tree have in common: a node's part of the schedule, and playing it.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>

#include "firmware/address.hpp"
#include "firmware/platform/node.hpp"
#include "firmware/platform/task.hpp"

namespace annelid::firmware {

/// What one node does in a broadcast: from whom it receives, and to whom it sends in which step.
/// Steps count from 1.
class BroadcastPlan {
 public:
  struct Send {
    Address to;
    std::uint8_t step = 0;
    friend constexpr bool operator==(const Send&, const Send&) = default;
  };
  /// EDN's root on 256 x 256 that is a top of every level: 2 in the startup, 3 in each of 7 steps.
  static constexpr std::size_t kMaxSends = 24;
  /// One per external channel of a node in a 2D mesh.
  static constexpr std::size_t kMaxSendsPerStep = 4;

  std::optional<Address> parent;  ///< none at the root
  int receive_step = 0;           ///< of the message from the parent

  /// Ordered by step, within a step by (y, x) of the receiver.
  [[nodiscard]] std::span<const Send> sends() const { return {sends_.data(), count_}; }

  /// Adds a send. Steps are added in ascending order.
  void add(int step, Address to);

 private:
  std::array<Send, kMaxSends> sends_;
  std::size_t count_ = 0;
};

/// A node's part, computed by the node itself in O(log N) time and memory for N nodes.
/// `size` fits the algorithm and contains both nodes.
using BroadcastRule = BroadcastPlan (*)(Address self, Size size, Address root);

/// Plays the node's part: one receive, then the sends. The sends of one step are queued at once, so
/// that all ports work in parallel. Those of the next step are queued when all of them have left
/// the node: a schedule promises that messages of one step do not meet, and says nothing of
/// messages of two steps that a node sends at the same time. Nothing else separates steps; a node
/// that has the message goes on without waiting for others, as in the dissertation's simulations
/// (Tsai, 3.3.2).
Task broadcast_by(Node& node, Call call, BroadcastRule rule);

}  // namespace annelid::firmware
