// Drawings by gnuplot: what its scripts have in common, and how one is run.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

namespace annelid::studies {

/// A text in double quotes, for gnuplot.
[[nodiscard]] std::string gnuplot_text(const std::string& text);

/// Colours, lines and marks that can be told apart, `set style line 1` to kLineStyles, grid and
/// border. Of those after the eighth the line is dashed.
inline constexpr std::size_t kLineStyles = 24;
[[nodiscard]] std::string gnuplot_styles();

/// Writes a script, and runs it in its folder. Throws RunFailure if gnuplot is missing or fails;
/// then its words are in gnuplot.log.
void run_gnuplot(const std::filesystem::path& file, const std::string& script);

}  // namespace annelid::studies
