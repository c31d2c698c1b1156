// Networks as parts of test names: 4x4r_one_L1_V2_..., r for a ring.
#pragma once

#include <ostream>
#include <string>

#include "systemc/network/arbiter.hpp"
#include "systemc/network/config.hpp"
#include "systemc/network/routing.hpp"

namespace annelid::systemc {

/// "_matrix"; empty for the first unit of the list.
template <class List>
std::string policy_name(typename List::Kind kind) {
  if (static_cast<int>(kind) == 0) return "";
  std::string name = "_";
  for (const char c : List::name_of(kind)) name += c == '-' ? '_' : c;
  return name;
}

inline void PrintTo(const NetworkConfig& network, std::ostream* out) {
  const RouterConfig& router = network.router;
  for (int d = 0; d < router.dims; ++d) {
    *out << (d > 0 ? "x" : "") << network.size_of(d) << (network.is_ring(d) ? "r" : "");
  }
  *out << (network.ideal ? "_ideal" : "") << (router.one_port() ? "_one" : "") << "_L"
       << router.local_ports << "_V" << router.vcs << "_VL" << router.local_vcs << "_D"
       << router.depth << "_P" << router.stages << "_R" << router.link_registers
       << policy_name<Arbiters>(router.arbiters) << policy_name<RoutingFunctions>(router.routing)
       << (router.classes == TorusClasses::kPlh ? "_plh" : "")
       << (router.control_vc ? "_control" : "");
}

}  // namespace annelid::systemc
