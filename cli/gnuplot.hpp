// What all plots have in common.
#pragma once

#include <filesystem>
#include <string>

namespace annelid::cli {

/// A text as gnuplot reads it, in double quotes.
std::string gnuplot_text(const std::string& text);

/// `set style line 1` to 8 in colours that the colour-blind can tell apart, and the frame.
std::string gnuplot_style();

/// Writes the script `name`.gp into a folder and runs it there. Throws RunFailure if gnuplot is
/// missing or fails.
void run_gnuplot(const std::filesystem::path& folder, const std::string& name,
                 const std::string& script);

}  // namespace annelid::cli
