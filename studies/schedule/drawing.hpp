// A schedule as a picture: SVG, a panel for each step, with the channels that its messages take.
#pragma once

#include <string>

#include "reference/network.hpp"
#include "simulation/scenario/collective.hpp"

namespace annelid::studies {

/// Nodes with y upwards, the planes of a third dimension side by side. A message is drawn along its
/// channels, on the right of its direction, in its sender's colour and a shade of its own; channels
/// that several messages of the step need are underlaid in red. Channels around a ring leave the
/// picture on one side and come back on the other.
[[nodiscard]] std::string draw_schedule(const simulation::Collective& collective,
                                        const systemc::NetworkConfig& network,
                                        const reference::Schedule& schedule);

}  // namespace annelid::studies
