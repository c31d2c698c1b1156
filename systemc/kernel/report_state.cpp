#include "systemc/kernel/report_state.hpp"

#include "systemc/network/route.hpp"

namespace annelid::systemc {
namespace {

BlockCause cause_of(const InputVcState& input, const std::array<OutputVcState, kMaxVcs>& output,
                    VcRange open) {
  if (input.active) {
    return output[input.out_vc].credits == 0 ? BlockCause::kNoCredit : BlockCause::kLostSwitch;
  }
  bool all_owned = true;
  for (int w = open.first; w < open.first + open.count; ++w) {
    const OutputVcState& vc = output[static_cast<std::size_t>(w)];
    if (vc.owned) continue;
    if (vc.credits > 0) return BlockCause::kLostSwitch;
    all_owned = false;
  }
  return all_owned ? BlockCause::kNoVc : BlockCause::kNoCredit;
}

/// Whether the front flit of an input VC goes on in this cycle: in RC, in VA or in SA.
bool is_served(const RouterState& state, const RouterConfig& config, Port in, Vc vc, Port out) {
  const InputVcState& input = state.input[in][vc];
  if (config.stages >= 3 && !input.active && !input.routed) return true;
  const Grant& grant = state.grant[out];
  const VaGrant& va = state.va_grant[out];
  return (grant.valid && grant.in_port == in && grant.in_vc == vc) ||
         (va.valid && va.in_port == in && va.in_vc == vc);
}

}  // namespace

void report_blocked(const RouterState& state, const NetworkConfig& network, Address address,
                    NodeId node, Cycle cycle, FabricObserver& observer) {
  const RouterConfig& config = network.router;
  for (Port i = 0; i < config.ports(); ++i) {
    for (Vc v = 0; v < config.input_vcs(i); ++v) {
      const InputVcState& input = state.input[i][v];
      if (input.count == 0) continue;
      const HeadFields head = unpack_head(input.front.data);
      const Port out = input.active || input.routed ? input.out_port
                                                    : route(network, address, head.destination, i);
      if (is_served(state, config, i, v, out)) continue;
      const VcRange open =
          open_vcs(config, config.is_control(i, v), out, address, head.source, head.destination);
      observer.blocked(cycle, node, i, v, out, cause_of(input, state.output[out], open));
    }
  }
}

void report_grants(const RouterState& state, const RouterConfig& config, NodeId node, Cycle cycle,
                   FabricObserver& observer) {
  for (Port o = 0; o < config.ports(); ++o) {
    if (const Grant& grant = state.grant[o]; grant.valid && config.stages > 1) {
      Flit flit = state.input[grant.in_port][grant.in_vc].front;
      flit.vc = grant.out_vc;
      observer.granted(cycle, node, grant.in_port, grant.in_vc, o, flit);
    }
    const VaGrant& va = state.va_grant[o];
    if (va.valid) observer.allocated(cycle, node, va.in_port, va.in_vc, o, va.out_vc);
  }
}

}  // namespace annelid::systemc
