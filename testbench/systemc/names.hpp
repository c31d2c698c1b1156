// Networks as parts of test names: 4x4r_one_L1_V2_..., r for a ring.
#pragma once

#include <algorithm>
#include <ostream>
#include <string>

#include "systemc/network/config.hpp"

namespace annelid::systemc {

inline void PrintTo(const NetworkConfig& network, std::ostream* out) {
  const RouterConfig& router = network.router;
  for (int d = 0; d < router.dims; ++d) {
    *out << (d > 0 ? "x" : "") << network.size_of(d) << (network.is_ring(d) ? "r" : "");
  }
  *out << (network.ideal ? "_ideal" : "") << (router.one_port() ? "_one" : "") << "_L"
       << router.local_ports << "_V" << router.vcs << "_VL" << router.local_vcs << "_D"
       << router.depth << "_P" << router.stages << "_R" << router.link_registers;
  const auto name = [&](std::string text) {  // "fixed-priority"
    std::ranges::replace(text, '-', '_');
    *out << '_' << text;
  };
  if (router.arbiters != RouterConfig{}.arbiters) name(name_of(router.arbiters));
  if (router.classes != RouterConfig{}.classes) name(name_of(router.classes));
  if (router.routing != RouterConfig{}.routing) name(name_of(router.routing));
  if (router.vc_selection != RouterConfig{}.vc_selection) name(name_of(router.vc_selection));
  if (router.allocator != RouterConfig{}.allocator) name(name_of(router.allocator));
  if (router.iterations != 1) name(std::to_string(router.iterations) + "-iterations");
  *out << (router.control_vc ? "_control" : "");
}

}  // namespace annelid::systemc
