// Drawings by gnuplot: what its scripts have in common, and how one is run.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

namespace annelid::studies {

/// A text in quotes, for gnuplot; without control characters.
[[nodiscard]] std::string gnuplot_text(const std::string& text);

/// Colours, lines and marks that can be told apart, `set style line 1` to kLineStyles, grid and
/// border. Of those after the eighth the line is dashed.
inline constexpr std::size_t kLineStyles = 24;
[[nodiscard]] std::string gnuplot_styles();

/// Writes a script, NAME.gp, into a folder, and the drawings that it makes in its own folder,
/// NAME.svg and NAME.png. Throws RunFailure if gnuplot is missing or fails, with its words.
void run_gnuplot(const std::filesystem::path& folder, const std::string& name,
                 const std::string& script);

}  // namespace annelid::studies
