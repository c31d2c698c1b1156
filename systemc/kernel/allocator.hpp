// The allocators of a switch (docs/internals/microarchitecture.md, section 5.3): a policy unit for
// each. The router kernel asks the unit for the grants of a cycle.
#pragma once

#include <array>
#include <cstdint>
#include <iterator>

#include "systemc/network/config.hpp"
#include "systemc/network/policy.hpp"
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

/// What an allocator asks its router.
template <typename PickVc, typename PickInput, typename DiagonalOf>
struct Picks {
  PickVc vc;                ///< vc(input, vcs): the pick of an input's arbiter
  PickInput input;          ///< input(output, inputs): the pick of an output's arbiter
  DiagonalOf diagonal = {}; /**< diagonal(input, output): how many diagonals a wavefront passes
                               before it reaches the one with this pair */
};
// Clang 14 deduces no arguments of an aggregate by itself.
template <typename PickVc, typename PickInput, typename DiagonalOf>
Picks(PickVc, PickInput, DiagonalOf) -> Picks<PickVc, PickInput, DiagonalOf>;

// Every unit has grant(requests, target, picks, grants), which is one round: it adds the grants of
// `requests`, whose outputs and inputs have none so far. `target` has the output VC of each input
// VC in `requests`. With kDiagonal the switch has a diagonal, and its outputs have no arbiters.
//
// Every allocator grants a request that no other request competes with, for its input or its
// output: RouterKernel::follow, pass_lone_flit and go_without_rivals rely on that.

/// For each input port, an arbiter picks one of its VCs, then for each output port one of the
/// inputs.
struct InputFirstAllocator {
  static constexpr AllocatorKind kKind = AllocatorKind::kInputFirst;
  static constexpr bool kPlanes = true;  ///< plane_kernel.hpp has it, too
  static constexpr bool kDiagonal = false;

  template <class Space, class Picks>
  [[gnu::always_inline]] static void grant(typename Space::Mask requests,
                                           const std::array<Slot, Space::kSlots>& target,
                                           const Picks& picks, Grants<Space>& grants) {
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
      const unsigned v = picks.vc(i, Space::vcs_of(requests, i));
      requests &= ~Space::port_mask(i);
      nominee[i] = Space::slot_of(i, v);
      const Port o = Space::port_of(target[nominee[i]]);
      const unsigned others = (outputs >> o & 1) != 0 ? wishes[o] : 0u;
      wishes[o] = static_cast<std::uint16_t>(others | 1u << i);
      outputs |= 1u << o;
    }
    while (outputs != 0) {
      const auto o = static_cast<Port>(take_lowest(outputs));
      const unsigned i = picks.input(o, wishes[o]);
      grants.add(nominee[i], target[nominee[i]]);
    }
  }
};

/// For each output port, an arbiter picks one of the inputs, to which the output offers itself.
/// Then for each input port one of the VCs whose output offers itself is picked.
struct OutputFirstAllocator {
  static constexpr AllocatorKind kKind = AllocatorKind::kOutputFirst;
  static constexpr bool kPlanes = false;
  static constexpr bool kDiagonal = false;

  template <class Space, class Picks>
  static void grant(typename Space::Mask requests, const std::array<Slot, Space::kSlots>& target,
                    const Picks& picks, Grants<Space>& grants) {
    using Mask = typename Space::Mask;
    std::array<unsigned, Space::kPorts> wishes{};  // of an output: the inputs that request it
    unsigned outputs = 0;
    for (Mask rest = requests; rest != 0;) {
      const auto in = static_cast<Slot>(take_lowest(rest));
      const Port o = Space::port_of(target[in]);
      wishes[o] |= 1u << Space::port_of(in);
      outputs |= 1u << o;
    }
    std::array<unsigned, Space::kPorts> offers{};  // to an input: the outputs
    while (outputs != 0) {
      const auto o = static_cast<Port>(take_lowest(outputs));
      offers[picks.input(o, wishes[o])] |= 1u << o;
    }
    for (unsigned i = 0; i < unsigned{Space::kPorts}; ++i) {
      unsigned vcs = 0;
      for (unsigned rest = Space::vcs_of(requests, i); rest != 0;) {
        const unsigned v = take_lowest(rest);
        vcs |= (offers[i] >> Space::port_of(target[Space::slot_of(i, v)]) & 1) << v;
      }
      if (vcs == 0) continue;
      const Slot from = Space::slot_of(i, picks.vc(static_cast<Port>(i), vcs));
      grants.add(from, target[from]);
    }
  }
};

/// Goes through the pairs of an input and an output, diagonal by diagonal, and matches those that
/// it can. The requests of an input that are on the same diagonal have the same output.
struct WavefrontAllocator {
  static constexpr AllocatorKind kKind = AllocatorKind::kWavefront;
  static constexpr bool kPlanes = false;
  static constexpr bool kDiagonal = true;

  template <class Space, class Picks>
  static void grant(typename Space::Mask requests, const std::array<Slot, Space::kSlots>& target,
                    const Picks& picks, Grants<Space>& grants) {
    using Mask = typename Space::Mask;
    std::array<Mask, Space::kPorts> on{};  // by diagonal: the requests
    for (Mask rest = requests; rest != 0;) {
      const auto in = static_cast<Slot>(take_lowest(rest));
      on[picks.diagonal(Space::port_of(in), Space::port_of(target[in]))] |= Space::bit(in);
    }
    Mask matched = 0;  // all VCs of the inputs
    for (const Mask diagonal : on) {
      for (Mask rest = diagonal & ~matched; rest != 0;) {
        const auto in = static_cast<Slot>(lowest_bit(rest));
        const Port i = Space::port_of(in);
        rest &= ~Space::port_mask(i);
        if ((grants.outputs >> Space::port_of(target[in]) & 1) != 0) continue;
        const Slot from = Space::slot_of(i, picks.vc(i, Space::vcs_of(diagonal, i)));
        grants.add(from, target[from]);
        matched |= Space::port_mask(i);
      }
    }
  }
};

/// All allocators, in the order of AllocatorKind.
using Allocators = PolicyList<InputFirstAllocator, OutputFirstAllocator, WavefrontAllocator>;
static_assert(Allocators::kCount == std::ssize(parameters::kAllocatorValues),
              "a unit for each name");

/// The requests whose input and output have no grant.
template <class Space>
typename Space::Mask without_grant(typename Space::Mask requests,
                                   const std::array<Slot, Space::kSlots>& target,
                                   const Grants<Space>& grants) {
  for (unsigned rest = grants.outputs; rest != 0;) {
    requests &= ~Space::port_mask(Space::port_of(grants.from[take_lowest(rest)]));
  }
  for (typename Space::Mask rest = requests; rest != 0;) {
    const auto in = static_cast<Slot>(take_lowest(rest));
    if ((grants.outputs >> Space::port_of(target[in]) & 1) != 0) requests &= ~Space::bit(in);
  }
  return requests;
}

/// The grants of several rounds. Returns the outputs that the first one has granted: its picks
/// alone are final.
template <class Allocator, class Space, class Picks>
unsigned grant_in_rounds(unsigned rounds, typename Space::Mask requests,
                         const std::array<Slot, Space::kSlots>& target, const Picks& picks,
                         Grants<Space>& grants) {
  Allocator::template grant<Space>(requests, target, picks, grants);
  const unsigned first = grants.outputs;
  for (unsigned round = 1; round < rounds; ++round) {
    requests = without_grant<Space>(requests, target, grants);
    if (requests == 0) break;
    Allocator::template grant<Space>(requests, target, picks, grants);
  }
  return first;
}

}  // namespace annelid::systemc
