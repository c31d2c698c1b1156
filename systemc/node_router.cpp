#include "systemc/node_router.hpp"

#include "systemc/route.hpp"

namespace annelid {
namespace {

BlockCause cause_of(const InputVcState& input, const std::array<OutputVcState, kMaxVcs>& output,
                    int vcs) {
  if (input.active) {
    return output[input.out_vc].credits == 0 ? BlockCause::kNoCredit : BlockCause::kLostSwitch;
  }
  bool all_owned = true;
  for (int w = 0; w < vcs; ++w) {
    const OutputVcState& vc = output[static_cast<std::size_t>(w)];
    if (vc.owned) continue;
    if (vc.credits > 0) return BlockCause::kLostSwitch;
    all_owned = false;
  }
  return all_owned ? BlockCause::kNoVc : BlockCause::kNoCredit;
}

}  // namespace

NodeRouter::NodeRouter(const sc_core::sc_module_name& name, const RouterSite& site)
    : sc_module(name),
      to_neighbour("to_neighbour", static_cast<std::size_t>(site.network.router.links())),
      from_neighbour("from_neighbour", static_cast<std::size_t>(site.network.router.links())),
      site_(site) {
  validate(site.network);
}

void report_blocked(const RouterState& state, const RouterSite& site, Cycle cycle,
                    FabricObserver& observer) {
  const RouterConfig& config = site.network.router;
  for (Port i = 0; i < config.ports(); ++i) {
    for (Vc v = 0; v < config.input_vcs(i); ++v) {
      const InputVcState& input = state.input[i][v];
      if (input.count == 0) continue;
      const Port out = input.active ? input.out_port
                                    : route(site.network, site.address,
                                            unpack_head(input.front.data).destination, i);
      const Grant& grant = state.grant[out];
      if (grant.valid && grant.in_port == i && grant.in_vc == v) continue;
      observer.blocked(cycle, site.node, i, v, out,
                       cause_of(input, state.output[out], config.output_vcs(out)));
    }
  }
}

}  // namespace annelid
