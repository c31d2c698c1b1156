// Finds where each head waited, and for which packet, from nothing but the flits on the channels.
#pragma once

#include "timeline/journeys.hpp"

namespace annelid::timeline {

/// Fills in the waits of all hops. If a head takes longer than transit() from one channel to the
/// next, the extra cycles are a wait before the next channel. Each of these cycles gets the first
/// cause of WaitCause that applies. So a head's cycles from injection to ejection are exactly the
/// sum of its transits and waits. The search does not know the classes of a torus, and treats VCs
/// of a forbidden class as free. It may therefore report a wait for a class as kRoom.
///
/// Also fills in Journey::last_wait of each packet whose head waits in a router when the run ends.
void find_waits(RecordedRun& run);

}  // namespace annelid::timeline
