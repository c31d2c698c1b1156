// What an observer sees of RouterKernel (docs/internals/microarchitecture.md, section 8):
// definitions for router_kernel_impl.hpp.
#pragma once

#include "systemc/kernel/router_kernel.hpp"

namespace annelid::systemc {

/// Reports everything except grants of the switch: granted VCs, and front flits that stay. `masks`
/// are those of the start of the cycle, `granted` the input VCs with a grant of the switch.
template <class Space, class Policies>
void RouterKernel<Space, Policies>::report_rest(const KernelShape& shape, const Masks& masks,
                                                const Allocation& allocation, Mask granted,
                                                StepContext& context) const {
  for (unsigned rest = allocation.va.outputs; rest != 0;) {
    const unsigned o = take_lowest(rest);
    const Slot from = allocation.va.from[o], to = allocation.va.to[o];
    context.report_grants();
    context.observer->allocated(context.now, node_, Space::port_of(from), Space::vc_of(from),
                                Space::port_of(to), Space::vc_of(to));
  }
  const Mask served = granted | allocation.va.inputs() | allocation.computing;
  for (Mask rest = masks.occupied & ~served; rest != 0;) {
    const auto in = static_cast<Slot>(take_lowest(rest));
    const bool active = Space::has(masks.active, in);
    const Way way = active ? Way{Space::port_of(out_[in]), 0} : way_of(shape, in);
    const unsigned open = way.vcs & ((1u << shape.output_vcs[way.port]) - 1);
    const BlockCause cause = Space::has(allocation.requests, in) ? BlockCause::kLostSwitch
                             : !active && (open & ~Space::vcs_of(masks.owned, way.port)) == 0
                                 ? BlockCause::kNoVc
                                 : BlockCause::kNoCredit;
    context.report_grants();
    context.observer->blocked(context.now, node_, Space::port_of(in), Space::vc_of(in), way.port,
                              cause);
  }
}

template <class Space, class Policies>
void RouterKernel<Space, Policies>::state(const KernelShape& shape, Cycle now,
                                          RouterState& state) const {
  state = {};
  registers(shape, now, ~0u, state);
  RouterKernel view = *this;  // shares the FIFOs, which hold the arrivals already
  view.absorb_arrivals(view.masks_, now);
  Allocation allocation;
  view.allocate(shape, view.masks_, allocation);
  for (unsigned rest = allocation.sa.outputs; rest != 0;) {
    const unsigned o = take_lowest(rest);
    const Slot from = allocation.sa.from[o], to = allocation.sa.to[o];
    state.grant[Space::port_of(to)] = {true, Space::port_of(from), Space::vc_of(from),
                                       Space::vc_of(to)};
  }
  for (unsigned rest = allocation.va.outputs; rest != 0;) {
    const unsigned o = take_lowest(rest);
    const Slot from = allocation.va.from[o], to = allocation.va.to[o];
    state.va_grant[Space::port_of(to)] = {true, Space::port_of(from), Space::vc_of(from),
                                          Space::vc_of(to)};
  }
}

template <class Space, class Policies>
void RouterKernel<Space, Policies>::registers(const KernelShape& shape, Cycle now, unsigned ports,
                                              RouterState& state) const {
  const auto pointer = [&](Arbiter a, Port p) {
    return Policies::with_arbiter(shape,
                                  [&]<class A>(A) { return A::first(order<A>(shape, a, p)); });
  };
  for (unsigned rest = ports & ((1u << shape.ports) - 1); rest != 0;) {
    const auto p = static_cast<Port>(take_lowest(rest));
    for (Vc v = 0; v < shape.input_vcs[p]; ++v) {
      const Slot slot = Space::slot_of(p, v);
      InputVcState& input = state.input[p][v];
      input.count = static_cast<std::uint8_t>(count_at(now, p, v));
      input.front = {};
      if (input.count > 0) {
        const std::size_t place = front(shape, slot);
        input.front = flit_of(data_[place], flags_[place], v);
      }
      input.routed = Space::has(masks_.routed, slot);
      input.active = Space::has(masks_.active, slot);
      input.out_port = Space::port_of(out_[slot]);
      input.out_vc = Space::vc_of(out_[slot]);
    }
    for (Vc w = 0; w < shape.output_vcs[p]; ++w) {
      const Slot slot = Space::slot_of(p, w);
      state.output[p][w] = {static_cast<std::uint8_t>(credits_at(now, p, w)),
                            Space::has(masks_.owned, slot)};
    }
    state.in_pointer[p] = static_cast<Vc>(pointer(kIn, p));
    state.out_pointer[p] = shape.candidate[pointer(kOut, p)];
    if (shape.stages < 4) continue;
    state.va_in_pointer[p] = static_cast<Vc>(pointer(kVaIn, p));
    state.va_out_pointer[p] = shape.candidate[pointer(kVaOut, p)];
  }
}

}  // namespace annelid::systemc
