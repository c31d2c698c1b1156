// Draws the curves of an item of `annelid reproduce`.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "studies/reproduce/outcome.hpp"

namespace annelid::studies {

/// Writes name.svg and name.png into a folder, and the gnuplot script with the data that made them.
/// Several plots are drawn side by side. Throws RunFailure if gnuplot is missing or fails.
void draw_plots(const std::vector<reproduction::Plot>& plots, const std::filesystem::path& folder,
                const std::string& name);

}  // namespace annelid::studies
