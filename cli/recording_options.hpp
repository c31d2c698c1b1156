// The options for what a run writes while it runs, and what it prints of these files.
#pragma once

#include <string>

#include "simulation/recordings/recordings.hpp"

namespace CLI {
class App;
}

namespace annelid::cli {

/// Adds --rtl, --flit-log, --timeline, and the options of a waveform: --wave, --wave-nodes,
/// --wave-window, --wave-trigger, --wave-before, --wave-after.
void add_recording_options(CLI::App& command, simulation::RecordingOptions& options);

/// The lines of a summary that name the files.
[[nodiscard]] std::string recorded_text(const simulation::RecordedFiles& files);

}  // namespace annelid::cli
