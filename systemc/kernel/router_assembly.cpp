#include "systemc/kernel/router_assembly.hpp"

#include <bit>

#include "systemc/kernel/router_assembly_kinds.hpp"

namespace annelid::systemc {

std::unique_ptr<RouterAssembly> RouterAssembly::make(const NetworkConfig& network,
                                                     RouterArrayHost& host, Cut* cut) {
  validate(network);
  const RouterConfig& router = network.router;
  const bool plain = PlainRouters::serve(router);
  const int vc_bits = std::bit_width(static_cast<unsigned>(router.max_vcs()) - 1);
  Assemble* const kind = router.ports() <= 8
                             ? (plain ? assemble<8, PlainRouters> : assemble<8, AllRouters>)
                             : (plain ? assemble<12, PlainRouters> : assemble<12, AllRouters>);
  return kind(vc_bits, network, host, cut);
}

}  // namespace annelid::systemc
