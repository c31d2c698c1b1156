// The allocation of a router's outputs (docs/internals/microarchitecture.md, sections 5.2 and 5.3):
// the policy unit by which a kernel finds the grants of a cycle.
#pragma once

#include <array>
#include <cstdint>

#include "systemc/network/slot.hpp"

namespace annelid::systemc {

/// At most one grant for each output, and for each input.
template <class Space>
struct Grants {
  unsigned outputs = 0;                      ///< the granted output ports
  std::array<Slot, Space::kPorts> from, to;  ///< input VC, output VC of each

  void add(Slot input, Slot output) {
    const Port port = Space::port_of(output);
    outputs |= 1u << port;
    from[port] = input;
    to[port] = output;
  }
  [[nodiscard]] typename Space::Mask inputs() const {
    typename Space::Mask inputs = 0;
    for (unsigned rest = outputs; rest != 0;) inputs |= Space::bit(from[take_lowest(rest)]);
    return inputs;
  }
};

/// The separable allocator, inputs first: for each input port, an arbiter picks one of its VCs,
/// then for each output port one of the inputs. Both picks of a grant are final.
///
/// Every allocator grants a request that no other request competes with, for its input or its
/// output: RouterKernel::follow, pass_lone_flit and go_without_rivals rely on that.
struct SeparableAllocator {
  /// `target` has the output VC of each input VC in `requests`. `pick_vc(input, vcs)` and
  /// `pick_input(output, inputs)` are the picks of the arbiters.
  template <class Space, typename PickVc, typename PickInput>
  [[gnu::always_inline]] static void grant(typename Space::Mask requests,
                                           const std::array<Slot, Space::kSlots>& target,
                                           PickVc pick_vc, PickInput pick_input,
                                           Grants<Space>& grants) {
    if ((requests & (requests - 1)) == 0) {  // one at most: nothing to arbitrate
      if (requests == 0) return;
      const auto from = static_cast<Slot>(lowest_bit(requests));
      grants.add(from, target[from]);
      return;
    }
    std::array<Slot, Space::kPorts> nominee;
    std::array<std::uint16_t, Space::kPorts> wishes;  // of an output: the inputs that request it
    unsigned outputs = 0;
    while (requests != 0) {
      const Port i = Space::port_of(static_cast<Slot>(lowest_bit(requests)));
      const unsigned v = pick_vc(i, Space::vcs_of(requests, i));
      requests &= ~Space::port_mask(i);
      nominee[i] = Space::slot_of(i, v);
      const Port o = Space::port_of(target[nominee[i]]);
      const unsigned others = (outputs >> o & 1) != 0 ? wishes[o] : 0u;
      wishes[o] = static_cast<std::uint16_t>(others | 1u << i);
      outputs |= 1u << o;
    }
    while (outputs != 0) {
      const auto o = static_cast<Port>(take_lowest(outputs));
      const unsigned i = pick_input(o, wishes[o]);
      grants.add(nominee[i], target[nominee[i]]);
    }
  }
};

}  // namespace annelid::systemc
