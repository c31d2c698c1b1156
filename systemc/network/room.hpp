// Which of two permitted outputs a head takes (docs/internals/microarchitecture.md, section 5.1),
// from a router's registers as an observer sees them. RouterKernel asks its own registers.
#pragma once

#include "systemc/network/route.hpp"
#include "systemc/network/router_state.hpp"

namespace annelid::systemc {

/// The room of output `out` to the head at the front of an input VC: the credits of the VCs that
/// are open to it there and not owned.
inline int room(const RouterState& state, const RouterConfig& router, Address here,
                const HeadFields& head, bool control, Port out) {
  const VcRange open = open_vcs(router, control, out, here, head);
  int credits = 0;
  for (int w = open.first; w < open.first + open.count; ++w) {
    const OutputVcState& vc = state.output[out][static_cast<std::size_t>(w)];
    if (!vc.owned) credits += vc.credits;
  }
  return credits;
}

/// The output that the head at the front of input VC (in, vc) takes with these registers. It is the
/// one that it keeps if it has been routed.
inline Port output_of_head(const NetworkConfig& network, Address here, const HeadFields& head,
                           const RouterState& state, Port in, Vc vc) {
  if (state.input[in][vc].routed) return state.input[in][vc].out_port;
  unsigned outputs = permitted_outputs(network, here, head, in);
  const RouterConfig& router = network.router;
  const bool control = router.is_control(in, vc);
  auto best = static_cast<Port>(std::countr_zero(outputs));
  for (outputs &= outputs - 1; outputs != 0; outputs &= outputs - 1) {
    const auto other = static_cast<Port>(std::countr_zero(outputs));
    if (room(state, router, here, head, control, other) >
        room(state, router, here, head, control, best)) {
      best = other;
    }
  }
  return best;
}

}  // namespace annelid::systemc
