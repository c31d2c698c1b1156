// Views of a waveform: what GTKWave shows of it first, made from the file alone.
#pragma once

#include <cstdint>
#include <string>

#include "waves/gtkw.hpp"
#include "waves/wave_contents.hpp"

namespace annelid::waves {

/// The path of message `number` (WaveContents::messages) from its source to its destination,
/// channel by channel: its flits, and what they wait for.
[[nodiscard]] GtkwFile message_view(WaveContents& contents, std::size_t number);

/// A node's router: by port, what comes in, waits, is granted and leaves. `node` as in "2,0".
[[nodiscard]] GtkwFile router_view(WaveContents& contents, const std::string& node);

/// All messages of a message-passing step: at their source, and where they leave the network.
[[nodiscard]] GtkwFile step_view(WaveContents& contents, std::uint32_t step);

/// What the NICs send and receive, all nodes, with a marker at each step.
[[nodiscard]] GtkwFile nics_view(WaveContents& contents);

/// The flits that still wait at the end, each above the one that it waits for; and since when.
[[nodiscard]] GtkwFile deadlock_view(WaveContents& contents);

}  // namespace annelid::waves
