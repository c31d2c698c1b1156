// A network of Annelid's routers as the judge sees it: every channel between routers, and the
// routers' own rules for the next one. No limit follows from the shape, as opposed to the tables of
// systemc/network/channel_dependencies.hpp, but large networks take long.
#pragma once

#include "deadlock/network.hpp"
#include "systemc/network/config.hpp"

namespace annelid::deadlock {

/// `network` must pass validate(), and must not be ideal. Nodes are named "1,0"; the switches of
/// one-port routers "1,0/x". Channels are named "1,0+x", and "1,0x>y" inside one-port routers.
/// Injection and ejection channels are left out: before them nobody waits for more than a NIC.
[[nodiscard]] Network of_network(const systemc::NetworkConfig& network);

}  // namespace annelid::deadlock
