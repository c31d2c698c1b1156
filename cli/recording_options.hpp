// The options for the files that a run writes while it runs, and the lines of the summary that name
// these files.
#pragma once

#include <string>

#include "simulation/recordings/core_recordings.hpp"
#include "simulation/recordings/recordings.hpp"

namespace CLI {
class App;
}

namespace annelid::cli {

/// The user's options for the cores' trace and profile.
struct CoreArguments {
  std::string trace, nodes;  ///< no nodes means all nodes
  std::string profile;       ///< "": none; "-": with the rest of the output; or a file
  std::string by;            ///< what the profile has rows for; "": functions

  [[nodiscard]] bool printed() const { return profile == "-"; }
  [[nodiscard]] simulation::CoreRecordingOptions options() const {
    return {nodes.empty() ? "all" : nodes, trace, printed() ? "" : profile, printed(),
            profile_by()};
  }

 private:
  [[nodiscard]] simulation::ProfileBy profile_by() const;
};

/// Throws InputError if nodes are given but neither a trace nor a profile is, or rows of a profile
/// that is not.
void require_use(const CoreArguments& arguments);

/// Adds --trace, --trace-node, --profile and --profile-by.
void add_core_options(CLI::App& command, CoreArguments& arguments);

/// Adds --perfetto, and the option for the cycles of a timeline.
void add_timeline_options(CLI::App& command, const char* window_option, std::string& window,
                          std::string& perfetto);

/// Adds --rtl, --flit-log, --timeline and what belongs to it, and the options of a waveform:
/// --wave, --wave-nodes, --wave-window, --wave-trigger, --wave-before, --wave-after.
void add_recording_options(CLI::App& command, simulation::RecordingOptions& options);

/// Says on standard error which files were wanted, and why they are missing.
void warn_of_missing(const simulation::RecordedFiles& files);

/// Returns the lines of a summary that name the files.
[[nodiscard]] std::string recorded_text(const simulation::RecordedFiles& files);

}  // namespace annelid::cli
