// How many cycles a user may let a run take.
#pragma once

#include "simulation/scenario/settings.hpp"
#include "systemc/network/types.hpp"

namespace annelid::simulation {

/// The largest limit, of every command. The sum of two such numbers is still a cycle.
inline constexpr Cycle kMostCycles = Cycle{1} << 62;

/// The key limits.cycles. Throws InputError if it is not between 1 and kMostCycles.
[[nodiscard]] inline Cycle limit_of_cycles(const Settings& s, Cycle otherwise) {
  return static_cast<Cycle>(s.integer("limits.cycles", static_cast<std::int64_t>(otherwise), 1,
                                      static_cast<std::int64_t>(kMostCycles)));
}

}  // namespace annelid::simulation
