// What an observer sees of a router kernel: docs/microarchitecture.md, section 8.
#include "systemc/route.hpp"
#include "systemc/router_kernel.hpp"

namespace annelid {

void RouterKernel::report_blocked(const Allocation& allocation, const StepContext& context) const {
  for (SlotMask rest = occupied_ & ~allocation.granted; rest != 0;) {
    const Slot in = take_lowest(rest);
    const bool active = has(active_, in);
    const Port output = active ? port_of(out_[in]) : route_of(in);
    const unsigned all_vcs = (1u << config_.vcs_of(output)) - 1;
    const BlockCause cause = has(allocation.requests, in) ? BlockCause::kLostSwitch
                             : !active && byte_of(owned_, output) == all_vcs
                                 ? BlockCause::kNoVc
                                 : BlockCause::kNoCredit;
    context.observer->blocked(context.now, node_, port_of(in), vc_of(in), output, cause);
  }
}

void RouterKernel::state(Cycle now, RouterState& state) const {
  RouterKernel view = *this;  // shares the rings, which hold the arrivals already
  view.absorb_arrivals(now);
  Allocation allocation;
  view.allocate(allocation);

  state = {};
  for (Port p = 0; p < config_.ports(); ++p) {
    for (Vc v = 0; v < config_.vcs_of(p); ++v) {
      const Slot slot = slot_of(p, v);
      InputVcState& input = state.input[p][v];
      input.count = view.count_[slot];
      if (input.count > 0) {
        input.front = view.front(slot);
        input.front.vc = v;
      }
      input.active = has(view.active_, slot);
      input.out_port = port_of(view.out_[slot]);
      input.out_vc = vc_of(view.out_[slot]);
      state.output[p][v] = {view.credits_[slot], has(view.owned_, slot)};
    }
    state.in_pointer[p] = view.in_pointer_[p];
    state.out_pointer[p] = view.out_pointer_[p];
  }
  for (std::size_t g = 0; g < static_cast<std::size_t>(allocation.grants); ++g) {
    const Slot from = allocation.from[g];
    state.grant[port_of(allocation.to[g])] = {true, port_of(from), vc_of(from)};
  }
}

}  // namespace annelid
