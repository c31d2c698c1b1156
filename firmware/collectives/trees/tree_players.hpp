// The operations that any tree serves. A node plays each of them from its own part of the tree.
//
// The transfers of one step are queued at once, so that all ports work in parallel. Only its own
// messages hold a node back from its next step, as in the dissertation's simulations (Tsai, 3.3.2).
#pragma once

#include "firmware/collectives/collective.hpp"
#include "firmware/collectives/trees/tree.hpp"

namespace annelid::firmware {

/// One of these operations: like Collective, but for any tree. A frame outlives the tasks that use
/// it.
struct TreePlayer {
  reg::Operation operation;
  /// Whether the tree is built for the network with its dimensions in reverse order.
  bool reversed;
  /// Returns SUCCESS, or the error in the call's arguments. It does not check the root.
  CallResult (*check)(const Context& me);
  Task (*run)(Context& me, const Frame& frame, const TreeRule& rule);
};

/// One receive, then the sends, step by step. The sends of a step are queued when all sends of the
/// step before have left the node. A schedule promises that the messages of one step share no
/// channel. It promises nothing for messages of two steps that a node sends at the same time.
///
/// The buffer is at SOURCE, at the root and at all other nodes. The NIC plays the part: all sends
/// are queued beforehand, and each is held back until a counter has counted the completions that
/// must come first. A hop then costs no instruction. With PARAMETER_0 = 1, and if the call is
/// recorded, the core plays the part.
CallResult check_broadcast(const Context& me);
Task broadcast_by(Context& me, const Frame& frame, const TreeRule& rule);
/// Plays a broadcast as a part of another operation. The root's `buffer` goes to the same offset at
/// all nodes, in the steps after `steps_before`. It needs the call's counter 0.
Task broadcast_buffer(Context& me, const Frame& frame, const TreeRule& rule, Buffer buffer,
                      int steps_before, bool by_core = false);

/// Makes the task of a broadcast over ALL by a rule that has find_part(), or gives the error.
CallResult serve_at_home(Context& me, const TreeRule& rule, std::optional<Task>& task);

/// The NIC combines the children's messages with the partial result: in the order of the steps, and
/// within a step in the order of the senders, whichever message arrives first. SCRATCH has the
/// partial result, and a staging area for each receive in progress, at most kReduceWindow.
CallResult check_reduce(const Context& me);
Task reduce_by(Context& me, const Frame& frame, const TreeRule& rule);
inline constexpr std::uint32_t kReduceWindow = 8;

/// A message holds the blocks of a subtree, with the block of its top first. SCRATCH has N blocks,
/// and at the root the ranks in the order of the blocks.
CallResult check_gather_or_scatter(const Context& me);
Task gather_by(Context& me, const Frame& frame, const TreeRule& rule);
Task scatter_by(Context& me, const Frame& frame, const TreeRule& rule);

/// REDUCE to rank 0, then BROADCAST of the TARGET of rank 0, each by the algorithm's tree. ROOT
/// does not matter. SCRATCH is as for REDUCE.
CallResult check_all_reduce(const Context& me);
Task all_reduce_by(Context& me, const Frame& frame, const TreeRule& rule);

/// Returns the algorithm's tree that fits the frame, or nullptr if there is none (table.cpp).
const TreeRule* find_tree(reg::Algorithm algorithm, Frame& frame);

inline constexpr TreePlayer kTreePlayers[] = {
    {reg::Operation::kBroadcast, false, check_broadcast, broadcast_by},
    {reg::Operation::kReduce, true, check_reduce, reduce_by},
    {reg::Operation::kGather, true, check_gather_or_scatter, gather_by},
    {reg::Operation::kScatter, false, check_gather_or_scatter, scatter_by},
    {reg::Operation::kAllReduce, true, check_all_reduce, all_reduce_by},
};

}  // namespace annelid::firmware
