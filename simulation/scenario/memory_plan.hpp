// Where the buffers of all calls of a run lie in node memory, and the lists of its groups. All
// nodes have the same plan.
#pragma once

#include <cstdint>
#include <vector>

#include "simulation/scenario/memory_layout.hpp"
#include "simulation/scenario/scenario.hpp"

namespace annelid::simulation {

/// What making groups needs at a node. At least 64 bytes lie behind each buffer.
struct GroupLayout {
  Buffer list;     ///< of members; of a grid first the row's, then the column's
  Buffer scratch;  ///< of the operation that makes the groups

  /// The list of a node's group in this set: 4 bytes for each member.
  [[nodiscard]] Buffer list_of(const GroupSet& set, const ProcessGroup& group,
                               const reference::Network& network) const;
};

/// What a prepared call has beside its buffers. All are empty if a call is not prepared. At least
/// 64 bytes lie behind each.
struct PreparedLayout {
  Buffer words;   ///< of the call, which PREPARE reads
  Buffer answer;  ///< the handle, and the bytes that the list takes
  Buffer list;    ///< as much room as the call gives it
};

/// The calls' buffers come first, in the order of their tables. The calls of a table have the same
/// place: no node takes part in two of them. What prepared calls have beside follows in the same
/// order, and the lists of groups come last.
struct MemoryPlan {
  std::vector<MemoryLayout> calls;       ///< by call
  std::uint64_t calls_end = 0;           ///< behind the last guard of the calls
  std::vector<PreparedLayout> prepared;  ///< by call
  std::vector<GroupLayout> groups;       ///< by set of groups
  std::uint64_t end = 0;                 ///< the node memory that a run needs
};

/// Returns what prepared calls have beside their buffers, by place.
[[nodiscard]] std::vector<Buffer> kept_buffers(const MemoryPlan& plan);
/// Returns these and those of groups by their place, without those that are empty or at the place
/// of another.
[[nodiscard]] std::vector<Buffer> buffers_behind_calls(const MemoryPlan& plan);

[[nodiscard]] MemoryPlan plan_memory(const Scenario& scenario);

}  // namespace annelid::simulation
