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
/// "cause, packet, cycles, cause, ...", where the cause is a WaitCause and the packet is its place
/// in the list of packets, or -1.
///
/// Beside "packets" there are, if the run has them:
///
///     "calls"    the names of calls, by tag
///     "window"   [first cycle, last cycle] of what was asked for, and
///     "numbers"  Journey::number of each packet, if they do not simply count from 1
///     "trees"    a digit for each packet: its tree, or 0
///     "cores"    for each node a list "cycles asleep, cycles at work, ..." from "begin" on
///     "loads"    Loads: then only the packets of a deadlock are in the list. Each of its channels
///                is [node, channel, flits, text]. The text has a letter of Base64 for each part:
///                the load from 0 to 63, where 0 is without any flit.
[[nodiscard]] std::string page_data(const RecordedRun& run);

}  // namespace annelid::timeline
