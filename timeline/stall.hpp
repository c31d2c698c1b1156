// The packets that wait for each other when a run ends in a deadlock.
#pragma once

#include "systemc/analysis/deadlock.hpp"
#include "timeline/journeys.hpp"

namespace annelid::timeline {

/// Finds the packets of the report among the journeys, and lets the run last a little longer than
/// its last flit, so that the standstill can be seen. Without a report nothing changes.
void add_stall(RecordedRun& run, const systemc::StallReport& report);

/// "#5 0,0 → 3,0 waits at 2,0 for +x": a stop in words.
[[nodiscard]] std::string describe(const RecordedRun& run, const Stop& stop);

}  // namespace annelid::timeline
