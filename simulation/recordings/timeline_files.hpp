// The two files that show a run: a page for a browser, and beside it a trace for Perfetto.
#pragma once

#include <filesystem>

#include "timeline/journeys.hpp"

namespace annelid::simulation {

/// Returns the trace's path: the page's path with .json in place of .html. Throws InputError, which
/// names `option`, if the page's name does not end in .html.
[[nodiscard]] std::filesystem::path trace_beside(const std::filesystem::path& page,
                                                 const std::string& option);

/// Writes both files. Throws InputError if a file cannot be written.
void write_timeline(const timeline::RecordedRun& run, const std::filesystem::path& page,
                    const std::filesystem::path& trace);

}  // namespace annelid::simulation
