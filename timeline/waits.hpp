// Where each head waited, and for whom: found from the flits on the channels alone.
#pragma once

#include "timeline/journeys.hpp"

namespace annelid::timeline {

/// Fills in the waits of all hops. What a head took from one channel to the next beyond transit()
/// is a wait before the latter; each of its cycles has the first cause of WaitCause that applies.
/// So the head's cycles from injection to ejection are the sum of transits and waits, exactly.
/// Virtual channels that a class of a torus forbids are taken for free ones: a wait for a class
/// may be called kRoom.
void find_waits(RecordedRun& run);

}  // namespace annelid::timeline
