// The whole schedule of a hybrid: every message of every step. Barnett and others 1994, Sections 4
// to 6. Conventions: docs/internals/algorithms/intercom.md, "The vector" and "Which lines".
#pragma once

#include "reference/intercom/hybrid.hpp"
#include "reference/schedule/network.hpp"

namespace annelid::reference::intercom {

/// A collective operation of a group. Members are numbered by rank, 0 .. p - 1.
struct Call {
  Collective collective;
  int root = 0;  ///< a rank; of operations that have a root
  /// In bytes. Operations with blocks: the length of each rank's block, p lengths. Others: the
  /// length of the vector, alone.
  std::vector<std::uint64_t> counts;
};

/// Bytes first .. first + length - 1 of the vector, from one rank to another. The receiver puts
/// them at the same place, or combines them with what it has there. A message of a lower rank is
/// then the left operand, of a higher rank the right one.
struct Transfer {
  int from, to;
  std::uint64_t first, length;
  bool combine;
  friend bool operator==(const Transfer&, const Transfer&) = default;
};

struct StagedStep {
  std::size_t stage;  ///< an index of `stages`
  std::vector<Transfer> transfers;
};

struct StagedSchedule {
  int ranks = 0;
  std::vector<Stage> stages;
  std::vector<StagedStep> steps;  ///< steps[0] is step 1; stages do not overlap
  /// Operations with blocks: the vector consists of the blocks of these ranks, in this order.
  /// Others: empty.
  std::vector<int> block_order;
};

/// Returns p equal counts of `bytes` in all, as far as they can be equal: words of eight bytes are
/// not cut, and the first counts are a word longer (operations.md, "Places and parts").
std::vector<std::uint64_t> even_counts(std::uint64_t bytes, int p);

/// Throws std::invalid_argument if the root is no rank of the mesh, or if the number of counts is
/// not the one that the operation has.
StagedSchedule schedule_of(const Call& call, const Hybrid& hybrid);

/// Returns the messages between nodes; rank r is at nodes[r]. Throws std::invalid_argument unless
/// there is a node for each rank.
Schedule messages_of(const StagedSchedule& schedule, const std::vector<Node>& nodes);

}  // namespace annelid::reference::intercom
