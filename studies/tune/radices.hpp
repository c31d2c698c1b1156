// The radices that a tuning of the all-to-all by `radix` compares.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "simulation/scenario/collective.hpp"
#include "simulation/scenario/settings.hpp"

namespace annelid::studies {

/// The radix of each place, the lowest first; of one alone, that of all places.
using Radices = std::vector<std::uint32_t>;

/// Returns what is worth a run on so many processes: each radix from 2 to their number; and those
/// lists of two to four radices with which no other radix or list has fewer steps (C1) or blocks
/// (C2), and no more of the other. Of lists that send the same messages it returns the first one.
[[nodiscard]] std::vector<Radices> radices_to_tune(int processes);

/// Returns the settings of a call with these radices. `origin`: what asked for them.
[[nodiscard]] simulation::Settings with_radices(const simulation::Settings& call,
                                                const Radices& radices, const std::string& origin);

/// "radix 8", "radix 4,4,2"; of a call that names no radix, the name of its algorithm.
[[nodiscard]] std::string name_with_radices(const simulation::Collective& call);

}  // namespace annelid::studies
