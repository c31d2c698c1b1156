// The root of a collective in a scenario: the keys collective.root and collective.root_rank.
#pragma once

#include "simulation/scenario/collective.hpp"
#include "simulation/scenario/settings.hpp"

namespace annelid::simulation {

/// Reads the key collective.root; (0,0,0) if it is not set. Throws InputError for a wrong number of
/// coordinates, and for a node outside the network.
[[nodiscard]] reference::Node read_root(const Settings& settings,
                                        const systemc::NetworkConfig& network);

/// Reads the root in a listed group, whose members have ranks too: rank 0 if no key is set. Throws
/// InputError for both keys, for a rank outside the group and for a node that is no member.
[[nodiscard]] reference::Node read_root_in_group(const Settings& settings,
                                                 const systemc::NetworkConfig& network,
                                                 const Collective& collective);

}  // namespace annelid::simulation
