// The packets that wait for each other when a run ends in a deadlock.
#pragma once

#include "systemc/analysis/deadlock.hpp"
#include "timeline/journeys.hpp"

namespace annelid::timeline {

/// Finds the packets of the report among the journeys, and makes the run end a little after its
/// last flit, so that the standstill is visible. Changes nothing if the report is empty.
void add_stall(RecordedRun& run, const systemc::StallReport& report);

/// Describes a stop in words: "#5 0,0 → 3,0 waits at 2,0 for +x".
[[nodiscard]] std::string describe(const RecordedRun& run, const Stop& stop);

}  // namespace annelid::timeline
