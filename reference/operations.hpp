// What memory must hold after an operation: docs/internals/algorithms/operations.md, "Operations".
// Of the algorithm only a reduction's result knows, which is combined along the schedule's
// messages.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "reference/arithmetic.hpp"
#include "reference/catalogue.hpp"
#include "reference/network.hpp"

namespace annelid::reference {

using Bytes = std::vector<std::byte>;

/// What the processes' memory holds before an operation.
struct Inputs {
  Operation operation = Operation::kBroadcast;
  Network network;
  Node root;                  ///< of operations that have one
  std::uint64_t bytes = 0;    ///< of a block
  std::vector<Bytes> source;  ///< by node number; empty where the operation reads nothing
  Ranks ranks = {};           ///< of algorithms by rank: who takes part
};

/// Nodes that take no part read and write nothing.
bool takes_part(const Inputs& inputs, Node node);

/// Bytes of SOURCE at a process before the operation: 0 where it reads nothing.
std::uint64_t source_bytes(const Inputs& inputs, Node node);
/// Bytes that the operation writes to TARGET at a process. An exclusive scan writes nothing at rank
/// 0.
std::uint64_t target_bytes(const Inputs& inputs, Node node);

/// Broadcast: what SOURCE holds at every node that takes part: the root's block.
std::span<const std::byte> after_broadcast(const Inputs& inputs);
/// Gather, at the root, and all-gather: all blocks, by rank.
Bytes after_gather(const Inputs& inputs);
/// Scatter: the block of the node's rank.
Bytes after_scatter(const Inputs& inputs, Node node);
/// Transposition: the block of (y, x).
Bytes after_transpose(const Inputs& inputs, Node node);
/// All-to-all: the blocks for this node, by sender.
Bytes after_all_to_all(const Inputs& inputs, Node node);

/// Reduction and all-reduction: what each process holds when the last message has been combined, by
/// rank. In each step a process takes the messages that it receives in ascending (z, y, x) of their
/// senders. A message with contributions that it does not have is combined with what it has:
/// partial
/// := partial op message; one that brings all that it has and more takes its place. Throws
/// std::invalid_argument, with the message, if a block would be combined twice, or if a message has
/// not the length of a block.
std::vector<Bytes> combined(const Inputs& inputs, const Schedule& schedule, Operator op,
                            ElementType type);

/// The same for reductions and scans whose messages say what they hold: what each process has at
/// the end, by node number; nothing where it has nothing. Throws std::invalid_argument if a result
/// is not what the operation asks for, every block once, or if the operator needs an order and a
/// result has none.
std::vector<Bytes> combined(const Inputs& inputs, const DataFlow& flow, Operator op,
                            ElementType type);

/// What TARGET must hold at a node; `reduced` is the result of combined(), for reductions and
/// scans.
Bytes target_after(const Inputs& inputs, const std::vector<Bytes>& reduced, Node node);

}  // namespace annelid::reference
