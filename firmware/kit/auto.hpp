// Calls by AUTO in programs for the nodes (docs/internals/algorithms/auto.md). A program has the
// tables of the operations that it makes by AUTO alone, and the algorithms that stand in them.
// The build writes a source for each operation from the tables of the tunings: auto.cmake.
#pragma once

#include "firmware/collectives/tuned.hpp"
#include "firmware/kit/used.hpp"

namespace annelid::firmware::kit {

/// What one operation by AUTO is chosen by.
struct AutoTables {
  std::span<const TunedTable> of_prepared, of_others;
  std::span<const TunedRow> rows;  ///< of all of these tables
  const Use* const* candidates;    ///< read by nobody: what is named here, the linker takes

  [[nodiscard]] TunedTables tables(bool prepared) const {
    return {prepared ? of_prepared : of_others, rows};
  }
};

CallResult serve_auto(const AutoTables& tables, Context& me, std::optional<Task>& task);

}  // namespace annelid::firmware::kit

/// Begins what NIC_USES(operation, AUTO) names.
#define NIC_AUTO(operation)                                   \
  extern "C" [[gnu::section(".nic_uses." #operation "_AUTO"), \
               gnu::aligned(alignof(Use))]] constexpr Use nic_uses_##operation##_AUTO[]
