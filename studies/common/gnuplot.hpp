// Drawings by gnuplot: the common parts of its scripts, and a function that runs one.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

namespace annelid::studies {

/// Returns the text in quotes, for gnuplot, without control characters.
[[nodiscard]] std::string gnuplot_text(const std::string& text);

/// Returns gnuplot commands for distinct colours, lines and marks, `set style line 1` to
/// kLineStyles, and for grid and border. Lines after the eighth are dashed.
inline constexpr std::size_t kLineStyles = 24;
[[nodiscard]] std::string gnuplot_styles();

/// Writes a script, NAME.gp, into a folder, and runs it to draw NAME.svg and NAME.png there. Throws
/// RunFailure if gnuplot is missing or fails; the error holds gnuplot's message.
void run_gnuplot(const std::filesystem::path& folder, const std::string& name,
                 const std::string& script);

}  // namespace annelid::studies
