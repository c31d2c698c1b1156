// Computes what memory must hold after an operation: docs/internals/algorithms/operations.md,
// "Operations". Only the result of a reduction depends on the algorithm: it is combined along the
// messages of the schedule.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "reference/catalogue.hpp"
#include "reference/schedule/arithmetic.hpp"
#include "reference/schedule/network.hpp"

namespace annelid::reference {

using Bytes = std::vector<std::byte>;

/// The contents of the processes' memory before an operation.
struct Inputs {
  Operation operation = Operation::kBroadcast;
  Network network;
  Node root;                  ///< of operations that have one
  std::uint64_t bytes = 0;    ///< of a block
  std::vector<Bytes> source;  ///< by node number; empty where the operation reads nothing
  Ranks ranks = {};           ///< for algorithms by rank: the nodes that take part
  std::vector<std::uint64_t> lengths = {};  ///< of different blocks, as Request::lengths
  /// PARAMETER_1 and PARAMETER_0 of a shift's call (shift.hpp).
  std::uint32_t parameter = 0, parameter_0 = 0;
};

/// Whether a node takes part. Other nodes read and write nothing.
bool takes_part(const Inputs& inputs, Node node);

/// Returns the bytes of SOURCE at a process before the operation; 0 where it reads nothing.
std::uint64_t source_bytes(const Inputs& inputs, Node node);
/// Returns the number of bytes that the operation writes to TARGET at a process. An exclusive scan
/// writes nothing at rank 0, and a shift with ends nothing at ranks that no block goes to.
std::uint64_t target_bytes(const Inputs& inputs, Node node);

/// Broadcast: the contents of SOURCE at every node that takes part, which are the root's block.
std::span<const std::byte> after_broadcast(const Inputs& inputs);
/// For reduction and all-reduction, returns what each process holds after the last message has been
/// combined, by rank. In each step a process takes its messages in ascending (z, y, x) of their
/// senders. If a message has contributions that the process lacks, then partial := partial op
/// message. If a message has all of the process's contributions and more, it replaces the partial
/// result. Throws std::invalid_argument, naming the message, if a block would be combined twice, or
/// if the length of a message is not that of a block.
std::vector<Bytes> combined(const Inputs& inputs, const Schedule& schedule, Operator op,
                            ElementType type);

/// For reductions and scans with a DataFlow, returns what each process has at the end, by node
/// number; empty where it has nothing. Throws std::invalid_argument if a result does not contain
/// each required block exactly once, or if the operator needs an order and a result has none.
std::vector<Bytes> combined(const Inputs& inputs, const DataFlow& flow, Operator op,
                            ElementType type);

/// What TARGET must hold at the nodes. What they have in common is made once.
class Targets {
 public:
  /// `reduced` is the result of combined(), for reductions and scans. Both must outlive this.
  Targets(const Inputs& inputs, const std::vector<Bytes>& reduced);
  /// At one of them; until the next call.
  [[nodiscard]] std::span<const std::byte> at(Node node);

 private:
  std::span<const std::byte> all_blocks();
  [[nodiscard]] std::span<const std::byte> scattered(int rank) const;
  std::span<const std::byte> exchanged(int rank);
  [[nodiscard]] std::span<const std::byte> shifted(int rank) const;

  const Inputs& inputs_;
  const std::vector<Bytes>& reduced_;
  std::vector<Node> members_;  ///< by rank
  Bytes all_;                  ///< of a gather, or the last of an all-to-all
};

/// Returns the same, of one node alone.
Bytes target_after(const Inputs& inputs, const std::vector<Bytes>& reduced, Node node);

}  // namespace annelid::reference
