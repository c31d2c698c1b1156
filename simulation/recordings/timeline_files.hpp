// The two files that show a run: a page for a browser, and beside it a trace for Perfetto.
#pragma once

#include <filesystem>

#include "timeline/journeys.hpp"

namespace annelid::simulation {

/// The trace's path: the page's with .json in the place of .html. Throws InputError, with `option`,
/// if the page's name does not end in .html.
[[nodiscard]] std::filesystem::path trace_beside(const std::filesystem::path& page,
                                                 const std::string& option);

/// Writes both. Throws InputError if that fails.
void write_timeline(const timeline::RecordedRun& run, const std::filesystem::path& page,
                    const std::filesystem::path& trace);

}  // namespace annelid::simulation
