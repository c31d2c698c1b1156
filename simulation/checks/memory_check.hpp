// Compares node memory after a run with the contents that the reference expects.
#pragma once

#include <cstdint>
#include <string>

#include "reference/operations.hpp"
#include "simulation/machine/simulation.hpp"

namespace annelid::simulation {

struct MemoryVerdict {
  std::uint64_t nodes_verified = 0;  ///< nodes whose bytes are all as expected
  std::string difference;            ///< the first one; empty if there is none
  std::string detail;                ///< what was compared
};

/// Checks SOURCE and TARGET of every process (docs/internals/algorithms/operations.md,
/// "Operations"), and all node memory that the operation must not write: UntouchedMemory in
/// memory_layout.hpp.
[[nodiscard]] MemoryVerdict check_memory(Simulation& simulation, const Scenario& scenario,
                                         const MemoryPlan& plan, std::size_t call,
                                         const reference::Inputs& inputs,
                                         const reference::Schedule& schedule);

/// Checks the lists of groups at their members: GROUP must not have changed them, PARTITION and
/// FORM_GRID must have made them, and no call may have changed them. Checks that nothing is written
/// around them, nor behind them, nor to what calls were prepared with.
[[nodiscard]] MemoryVerdict check_groups(Simulation& simulation, const Scenario& scenario,
                                         const MemoryPlan& plan);

}  // namespace annelid::simulation
