// The costs of the routers of a sweep: area, and nanoseconds beside the cycles.
#pragma once

#include <filesystem>

#include "base/progress.hpp"
#include "studies/sweep/table.hpp"

namespace annelid::studies {

/// Synthesizes each different router of the points that have a row, once, and gives the table their
/// costs. `rtl_dir` is the folder of rtl.f. Routers of the cache take no time, others about a
/// minute each. Throws InputError if a tool is missing, cost::CostError if one fails.
void add_costs(const SweepGrid& grid, const std::filesystem::path& rtl_dir, SweepTable& table,
               Progress& progress);

}  // namespace annelid::studies
