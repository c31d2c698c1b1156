// What differs between two routers, in words.
#pragma once

#include <string>

#include "systemc/network/router_state.hpp"
#include "testbench/lockstep/neighbours.hpp"

namespace annelid::lockstep {

/// One line: what a router did in a cycle.
std::string trace(const Response& response);

/// The first register or grant that differs; empty if none does.
std::string difference(const systemc::RouterState& model, const systemc::RouterState& rtl);

/// The first output that differs; empty if none does.
std::string difference(const Response& model, const Response& rtl);

}  // namespace annelid::lockstep
