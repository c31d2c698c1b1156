// The keys of a tuning, and what a tuning does not take.
#pragma once

#include <cstdint>
#include <vector>

#include "studies/tune/grid.hpp"

namespace annelid::studies {

inline constexpr const char *kCountsKey = "collective.counts", *kColumnsKey = "tune.columns";

/// Returns the sizes of a tuning that has no counts.
[[nodiscard]] std::vector<std::uint64_t> read_sizes(const simulation::Settings& settings);

/// Throws InputError for keys that a tuning does not take, or not beside each other.
void require_tuning(const simulation::Settings& settings);

/// Throws InputError for values that no run of a complete grid would use.
void require_tuned_effect(const simulation::Settings& settings, const TuneGrid& grid);

}  // namespace annelid::studies
