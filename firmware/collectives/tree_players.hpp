// The operations that any tree serves, each played by a node from its part of the tree.
//
// In all of them the transfers of one step are queued at once, so that all ports work in parallel.
// Nothing else than its own messages separates a node's steps from those of others, as in the
// dissertation's simulations (Tsai, 3.3.2).
#pragma once

#include "firmware/collectives/collective.hpp"
#include "firmware/collectives/tree.hpp"

namespace annelid::firmware {

/// One of them: as Collective, for any tree. Frames outlive the tasks that play in them.
struct TreePlayer {
  reg::Operation operation;
  /// Whether the tree is built for the network with its dimensions in reverse order.
  bool reversed;
  /// What is wrong with the call's arguments but the root.
  CallResult (*check)(const Context& me);
  Task (*run)(Context& me, const Frame& frame, const TreeRule& rule);
};

/// One receive, then the sends, step by step. Those of the next step are queued when all of a step
/// have left the node: a schedule promises that messages of one step do not meet, and says nothing
/// of messages of two steps that a node sends at the same time.
///
/// The buffer is at SOURCE, at the root and everywhere else. With PARAMETER_0 = 1 the NIC plays the
/// part: all sends are queued beforehand, held by a counter of the completions before them, so that
/// a hop costs no instruction. Where there is no room for that (Node::post_room) the core plays it.
CallResult check_broadcast(const Context& me);
Task broadcast_by(Context& me, const Frame& frame, const TreeRule& rule);
/// A part of another operation: the root's `buffer`, to the same place everywhere, in the steps
/// behind `steps_before`. `by_triggers` needs the call's counter 0.
Task broadcast_buffer(Context& me, const Frame& frame, const TreeRule& rule, Buffer buffer,
                      int steps_before, bool by_triggers = false);

/// The NIC combines the children's messages with the partial result as they come, in the order of
/// the steps and within a step of the senders, whichever comes first. SCRATCH: the partial result,
/// and a staging area for each of the receives under way, kReduceWindow at most.
CallResult check_reduce(const Context& me);
Task reduce_by(Context& me, const Frame& frame, const TreeRule& rule);
inline constexpr std::uint32_t kReduceWindow = 8;

/// A message holds the blocks of a subtree, its top's first. SCRATCH: N blocks, and at the root
/// the ranks in the order of the blocks.
CallResult check_gather_or_scatter(const Context& me);
Task gather_by(Context& me, const Frame& frame, const TreeRule& rule);
Task scatter_by(Context& me, const Frame& frame, const TreeRule& rule);

/// REDUCE to rank 0, then BROADCAST of its TARGET, by the algorithm's tree for each. ROOT does not
/// matter. SCRATCH as for REDUCE.
CallResult check_all_reduce(const Context& me);
Task all_reduce_by(Context& me, const Frame& frame, const TreeRule& rule);

/// The algorithm's tree that fits the frame, nullptr if there is none (table.cpp).
const TreeRule* find_tree(reg::Algorithm algorithm, Frame& frame);

inline constexpr TreePlayer kTreePlayers[] = {
    {reg::Operation::kBroadcast, false, check_broadcast, broadcast_by},
    {reg::Operation::kReduce, true, check_reduce, reduce_by},
    {reg::Operation::kGather, true, check_gather_or_scatter, gather_by},
    {reg::Operation::kScatter, false, check_gather_or_scatter, scatter_by},
    {reg::Operation::kAllReduce, true, check_all_reduce, all_reduce_by},
};

}  // namespace annelid::firmware
