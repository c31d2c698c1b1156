// A run as a trace for ui.perfetto.dev or chrome://tracing.
#pragma once

#include <string>

#include "timeline/journeys.hpp"

namespace annelid::timeline {

/// JSON of the Trace Event Format (Google, "Trace Event Format", 2016): complete events on the
/// tracks of the processes "steps", "messages", "nodes", "channels" and "control packets". A cycle
/// is shown as a microsecond. A message's slice contains one for each router on its path, and that
/// one for its wait; an arrow goes from the sender's slice to the receiver's.
[[nodiscard]] std::string perfetto_trace(const RecordedRun& run);

}  // namespace annelid::timeline
