// Compares node memory after a run with what the reference says.
#pragma once

#include <cstdint>
#include <string>

#include "reference/operations.hpp"
#include "simulation/machine/simulation.hpp"

namespace annelid::simulation {

struct MemoryVerdict {
  std::uint64_t nodes_verified = 0;  ///< all of whose bytes are as they must be
  std::string difference;            ///< the first one; empty if there is none
  std::string detail;                ///< what was compared
};

/// SOURCE and TARGET of every process (docs/internals/algorithms/operations.md, "Operations"), and
/// all of node memory that the operation does not write there: untouched() of memory_layout.hpp.
[[nodiscard]] MemoryVerdict check_memory(Simulation& simulation, const Collective& collective,
                                         const reference::Inputs& inputs,
                                         const reference::Schedule& schedule);

}  // namespace annelid::simulation
