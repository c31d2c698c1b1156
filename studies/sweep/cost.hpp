// Adds the costs of its routers to a sweep: area, and nanoseconds beside the cycles.
#pragma once

#include <filesystem>

#include "base/progress.hpp"
#include "studies/sweep/table.hpp"

namespace annelid::studies {

/// Synthesizes each different router once, for all points that have a row, and adds the costs to
/// the table. `rtl_dir` is the folder of rtl.f. A router in the cache takes no time, any other
/// about a minute. Throws InputError if a tool is missing, and cost::CostError if a tool fails.
void add_costs(const SweepGrid& grid, const std::filesystem::path& rtl_dir, SweepTable& table,
               Progress& progress);

}  // namespace annelid::studies
