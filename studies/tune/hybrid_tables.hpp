// The tables that a tuning of hybrids leaves for programs: tuned.inc for the firmware, and a part
// of tune.json for the program that checks it.
#pragma once

#include <string>
#include <vector>

#include "simulation/scenario/tuned_hybrids.hpp"
#include "studies/tune/hybrids.hpp"

namespace annelid::studies {

/// Returns the hybrid to take from so many bytes on: at each length the fastest run, or the hybrid
/// of the length before if it is at most 1 % slower. Between two lengths the hybrid changes at
/// their geometric middle, rounded up to whole words. Below the first length and above the last one
/// nothing was measured, and the rule chooses.
[[nodiscard]] std::vector<simulation::TunedHybrid> tuned_choices(
    const std::vector<HybridLength>& lengths);

/// Returns a table for each case that can have one: not for blocks of different lengths, nor for an
/// operator that needs an order.
[[nodiscard]] std::vector<simulation::TunedHybrids> hybrid_tables(
    const TuneGrid& grid, const std::vector<HybridResult>& results);

/// Returns tuned.inc, the tables that the firmware includes, for a tuning of this name.
[[nodiscard]] std::string hybrids_header(const std::vector<simulation::TunedHybrids>& tables,
                                         const std::string& name);

}  // namespace annelid::studies
