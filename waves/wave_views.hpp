// Views of a waveform, made from the file alone. A view is what GTKWave shows first.
#pragma once

#include <cstdint>
#include <string>

#include "waves/gtkw.hpp"
#include "waves/wave_contents.hpp"

namespace annelid::waves {

/// The path of message `number` (WaveContents::messages) from its source to its destination,
/// channel by channel: the flits, and what they wait for.
[[nodiscard]] GtkwFile message_view(WaveContents& contents, std::size_t number);

/// A node's router: for each port, the flits that come in, wait, are granted and leave. `node` is a
/// text such as "2,0".
[[nodiscard]] GtkwFile router_view(WaveContents& contents, const std::string& node);

/// All messages of a message-passing step, at their sources and where they leave the network.
[[nodiscard]] GtkwFile step_view(WaveContents& contents, std::uint32_t step);

/// The messages that the NICs of all nodes send and receive, with a marker at each step.
[[nodiscard]] GtkwFile nics_view(WaveContents& contents);

/// The flits that still wait at the end and since when, each above the one that it waits for.
[[nodiscard]] GtkwFile deadlock_view(WaveContents& contents);

}  // namespace annelid::waves
