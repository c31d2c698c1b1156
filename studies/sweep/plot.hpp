// Draws the latency-throughput curves of a sweep.
#pragma once

#include <filesystem>

#include "studies/sweep/table.hpp"

namespace annelid::studies {

/// Writes curves.svg and curves.png into a folder, and the gnuplot script with the data that made
/// them, curves.gp. Each combination of the keys other than the load has a line, with a cross where
/// it saturates. Throws RunFailure if gnuplot is missing or fails.
void plot_curves(const SweepGrid& grid, const SweepTable& table,
                 const std::filesystem::path& folder);

}  // namespace annelid::studies
