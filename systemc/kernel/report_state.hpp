// What a router reports of a cycle, found in its registers.
#pragma once

#include "systemc/network/config.hpp"
#include "systemc/network/observer.hpp"
#include "systemc/network/router_state.hpp"

namespace annelid::systemc {

/// Reports the blocked front flits of a cycle (docs/internals/microarchitecture.md, section 8).
/// `state` is the router's state at the start of `cycle`.
void report_blocked(const RouterState& state, const NetworkConfig& network, Address address,
                    NodeId node, Cycle cycle, FabricObserver& observer);

/// Reports the grants of SA (only with two or more stages) and of VA in a cycle, from the same
/// state.
void report_grants(const RouterState& state, const RouterConfig& config, NodeId node, Cycle cycle,
                   FabricObserver& observer);

}  // namespace annelid::systemc
