// A run as a page for any browser: one file, nothing from the network.
#pragma once

#include <string>

#include "timeline/journeys.hpp"

namespace annelid::timeline {

/// HTML with the project's own style and script (timeline/page/) and the run's journeys as JSON.
[[nodiscard]] std::string page(const RecordedRun& run);

/// That JSON: title, network, and for each packet an array
///
///     [from, to, tag, step, bytes, flags, hop, hop, ...]
///
/// with nodes as numbers, flags 1 (control packet) and 2 (arrived). A hop is
/// [node, channel, vc, head, bursts] or [node, channel, vc, head, bursts, waits]: the head's cycle
/// counted from the head of the hop before (of the first one: from "begin"), the bursts as flits,
/// cycles without, flits, ..., or a number alone; the waits as cause, packet, cycles, cause, ...,
/// with the packet's number or -1 and WaitCause.
[[nodiscard]] std::string page_data(const RecordedRun& run);

}  // namespace annelid::timeline
