// Writes a run as a page for any browser: one file that loads nothing from the network.
#pragma once

#include <string>

#include "timeline/journeys.hpp"

namespace annelid::timeline {

/// Returns HTML with the project's own style and script (timeline/page/), and the run's journeys as
/// JSON.
[[nodiscard]] std::string page(const RecordedRun& run);

/// Returns that JSON: the title, the network, the names of calls by tag if there are several, and
/// for each packet an array
///
///     [from, to, tag, step, bytes, flags, hop, hop, ...]
///
/// Nodes are numbers. The flags are 1 (control packet) and 2 (arrived). A hop is [node, channel,
/// vc, head, bursts] or [node, channel, vc, head, bursts, waits]. `head` is the cycle of the head,
/// counted from the head of the previous hop (for the first hop: from "begin"). `bursts` is a list
/// "flits, cycles without flits, flits, ...", or a single number of flits. `waits` is a list
/// "cause, packet, cycles, cause, ...", where the cause is a WaitCause and the packet is its number
/// or -1.
[[nodiscard]] std::string page_data(const RecordedRun& run);

}  // namespace annelid::timeline
