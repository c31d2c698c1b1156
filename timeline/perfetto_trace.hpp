// Writes a run as a trace for ui.perfetto.dev or chrome://tracing.
#pragma once

#include <string>

#include "timeline/journeys.hpp"

namespace annelid::timeline {

/// Returns JSON in the Trace Event Format (Google, "Trace Event Format", 2016): complete events on
/// the tracks of the processes "steps", "messages", "nodes", "channels", "control packets" and, if
/// the run has any, "cores". The viewer shows a cycle as a microsecond. A message's slice contains
/// a slice for each router on its path, and that slice contains one for the wait there. An arrow
/// leads from the sender's slice to the receiver's.
[[nodiscard]] std::string perfetto_trace(const RecordedRun& run);

}  // namespace annelid::timeline
