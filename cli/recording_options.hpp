// The options for what a run writes while it runs, and what it prints of these files.
#pragma once

#include <string>

#include "simulation/program/core_recordings.hpp"
#include "simulation/recordings/recordings.hpp"

namespace CLI {
class App;
}

namespace annelid::cli {

/// What the user wrote of the cores' trace and profile.
struct CoreArguments {
  std::string trace, nodes;  ///< no nodes: all
  std::string profile;       ///< "": none; "-": with the rest of the output; or a file

  [[nodiscard]] bool printed() const { return profile == "-"; }
  [[nodiscard]] simulation::CoreRecordingOptions options() const {
    return {nodes.empty() ? "all" : nodes, trace, printed() ? "" : profile, printed()};
  }
};

/// Throws InputError for nodes of which nothing is recorded.
void require_use(const CoreArguments& arguments);

/// Adds --trace, --trace-node and --profile.
void add_core_options(CLI::App& command, CoreArguments& arguments);

/// Adds --rtl, --flit-log, --timeline, and the options of a waveform: --wave, --wave-nodes,
/// --wave-window, --wave-trigger, --wave-before, --wave-after.
void add_recording_options(CLI::App& command, simulation::RecordingOptions& options);

/// The lines of a summary that name the files.
[[nodiscard]] std::string recorded_text(const simulation::RecordedFiles& files);

}  // namespace annelid::cli
