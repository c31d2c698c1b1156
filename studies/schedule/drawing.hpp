// Draws a schedule as SVG: one panel for each step, with the channels of its messages.
#pragma once

#include <string>

#include "reference/schedule/network.hpp"
#include "simulation/scenario/collective.hpp"

namespace annelid::studies {

/// Returns the drawing. The y axis points upwards, and the planes of a third dimension are side by
/// side. A message follows its channels, on the right of its direction, in its sender's colour and
/// a shade of its own. A red background marks channels that several messages of the step need.
/// Channels around a ring leave the picture on one side and return on the other.
[[nodiscard]] std::string draw_schedule(const simulation::Collective& collective,
                                        const systemc::NetworkConfig& network,
                                        const reference::Schedule& schedule);

}  // namespace annelid::studies
