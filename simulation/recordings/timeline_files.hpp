// The files that show a run: a page for a browser, and a trace for Perfetto.
#pragma once

#include <filesystem>
#include <string>

#include "base/command_files.hpp"
#include "timeline/journeys.hpp"

namespace annelid::simulation {

/// The files that are asked for; an empty path is none.
struct TimelineFiles {
  std::filesystem::path page = {}, trace = {};
  [[nodiscard]] bool any() const { return !page.empty() || !trace.empty(); }
};

/// Throws InputError, which names the option, unless the names end in .html and .json, the files
/// can be created, and none of them is in `files`, to which it adds them.
void require_writable(const TimelineFiles& timeline, const std::string& page_option,
                      CommandFiles& files);

/// What is recorded for these files. `window` is the text of `option`, or empty. Throws InputError
/// for a text that is no range of cycles, and for a window without a file.
[[nodiscard]] timeline::Recorded recorded_for(const TimelineFiles& timeline,
                                              const std::string& option, const std::string& window);

/// Whether there is nothing in the window that was asked for.
[[nodiscard]] bool is_empty(const timeline::RecordedRun& run);

/// Writes the files. Throws InputError if a file cannot be written.
void write_timeline(const timeline::RecordedRun& run, const TimelineFiles& files);

}  // namespace annelid::simulation
