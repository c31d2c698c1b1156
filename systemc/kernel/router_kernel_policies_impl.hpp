// How RouterKernel asks its policies: the route of a head, the picks of the arbiters, the grants.
// Definitions for router_kernel_impl.hpp.
#pragma once

#include "systemc/kernel/router_kernel.hpp"
#include "systemc/network/ring.hpp"

namespace annelid::systemc {

// ---- Section 5.1 --------------------------------------------------------------------------------

template <class Space, class Policies>
inline auto RouterKernel<Space, Policies>::class_of(const KernelShape& shape, Slot in,
                                                    Mask owned) const -> Way {
  const std::size_t place = front(shape, in);
  if ((flags_[place] & 1) == 0) [[unlikely]]
    fail("a packet without a head is", Space::port_of(in));
  const std::uint64_t head = data_[place];
  const Port port = Space::port_of(in);
  const std::uint32_t away =
      (static_cast<std::uint32_t>(head) ^ address_) & shape.address_mask[port];
  if (away == 0) return {shape.arrived[port], KernelShape::kAllVcs};
  if constexpr (kGeneral) {
    if (shape.several_paths) [[unlikely]]
      return one_of_several(shape, in, head, owned);
  }
  const unsigned d = Policies::with_routing(shape, [&]<class Function>(Function) {
    if constexpr (Function::kOutputs == 1 && Function::kOrders == 1) {
      return Function::next_dimension(away);
    } else {
      __builtin_unreachable();  // one_of_several() has it
      return 0u;
    }
  });
  return along(shape, d, head);
}

/// The next hop is in dimension d.
template <class Space, class Policies>
inline auto RouterKernel<Space, Policies>::along(const KernelShape& shape, unsigned d,
                                                 std::uint64_t head) const -> Way {
  if (shape.ring[d]) return ring_way(shape, d, head);
  const unsigned here = address_ >> 8 * d & 0xff, there = head >> 8 * d & 0xff;
  return {static_cast<Port>(2 * d + (there < here)), KernelShape::kAllVcs};
}

/// A routing function that leaves paths open, for a packet that has hops left. Not inlined, so that
/// routers with other functions do not pay for it.
template <class Space, class Policies>
auto RouterKernel<Space, Policies>::one_of_several(const KernelShape& shape, Slot in,
                                                   std::uint64_t head, Mask owned) const -> Way {
  return RoutingFunctions::with(shape.routing, [&]<class Function>(Function) -> Way {
    if constexpr (Function::kOutputs > 1) {
      const auto source = static_cast<std::uint32_t>(head >> 24);
      const unsigned outputs =
          Function::outputs(address_, source, static_cast<std::uint32_t>(head));
      return {with_more_room(shape, in, outputs, owned), KernelShape::kAllVcs};
    } else {
      const unsigned order = Function::order_of(head);
      const std::uint32_t away =
          (static_cast<std::uint32_t>(head) ^ address_) & shape.address_mask[Space::port_of(in)];
      const unsigned d =
          Function::with_order(order, [&]<class Path>(Path) { return Path::next_dimension(away); });
      Way way = along(shape, d, head);
      way.vcs &= shape.order_vcs[order][d];
      return way;
    }
  });
}

/// Of one or two permitted outputs of a mesh, the one with more room to the head at the front; of
/// equals, that of x.
template <class Space, class Policies>
Port RouterKernel<Space, Policies>::with_more_room(const KernelShape& shape, Slot in,
                                                   unsigned outputs, Mask owned) const {
  const unsigned first = take_lowest(outputs);
  if (outputs == 0) return static_cast<Port>(first);
  const auto room = [&](unsigned port) {
    unsigned credits = 0;
    for (unsigned vcs = (shape.data_vcs[port] ^ shape.other_kind[in]) &
                        ((1u << shape.output_vcs[port]) - 1) & ~Space::vcs_of(owned, port);
         vcs != 0;) {
      credits += credits_[Space::slot_of(port, take_lowest(vcs))];
    }
    return credits;
  };
  const unsigned second = lowest_bit(outputs);
  return static_cast<Port>(room(second) > room(first) ? second : first);
}

template <class Space, class Policies>
inline auto RouterKernel<Space, Policies>::ring_way(const KernelShape& shape, unsigned d,
                                                    std::uint64_t head) const -> Way {
  const int here = address_ >> 8 * d & 0xff, there = head >> 8 * d & 0xff;
  const bool up = goes_up(here, there, shape.last[d] + 1);
  const auto port = static_cast<Port>(2 * d + !up);
  if (shape.ring_classes == 1) return {port, KernelShape::kAllVcs};
  const int source = head >> (24 + 8 * d) & 0xff;
  return {port, shape.class_vcs[class_in_ring(shape.classes, up, here, source, there)]};
}

/// The VCs that are open to the head at the front are those of its class and kind.
template <class Space, class Policies>
inline auto RouterKernel<Space, Policies>::route_of(const KernelShape& shape, Slot in,
                                                    Mask owned) const -> Way {
  if constexpr (Space::kOneVc) return class_of(shape, in, owned);
  Way way = class_of(shape, in, owned);
  if (shape.control_vc) [[unlikely]] {
    way.vcs &= static_cast<std::uint8_t>(shape.data_vcs[way.port] ^ shape.other_kind[in]);
  }
  return way;
}

/// The result of RC for the head at the front. RC runs now if it has no stage of its own, with the
/// output VCs that are owned at the start of the cycle.
template <class Space, class Policies>
inline auto RouterKernel<Space, Policies>::way_of(const KernelShape& shape, Slot in,
                                                  Mask owned) const -> Way {
  if constexpr (kGeneral) {
    if (shape.stages >= 3) return {Space::port_of(out_[in]), class_vcs_[in]};
  }
  return route_of(shape, in, owned);
}

// ---- VC selection (section 5.2) -----------------------------------------------------------------

template <class Space, class Policies>
unsigned RouterKernel<Space, Policies>::select_vc(const KernelShape& shape, const Way& way,
                                                  unsigned free) const {
  if constexpr (Space::kOneVc) return 0;
  return Policies::with_vc_selection(
      shape, [&](auto unit) __attribute__((always_inline)) {
        using S = decltype(unit);
        unsigned pointers = 0;
        if constexpr (S::kPointers) pointers = vc_pointers_[way.port] & way.vcs;
        return S::pick(free, pointers,
                       [&](unsigned w) { return credits_[Space::slot_of(way.port, w)]; });
      });
}

template <class Space, class Policies>
void RouterKernel<Space, Policies>::move_vc_pointer(const KernelShape& shape, Slot to) {
  if constexpr (Space::kOneVc) return;
  Policies::with_vc_selection(
      shape, [&](auto unit) __attribute__((always_inline)) {
        using S = decltype(unit);
        if constexpr (S::kPointers) {
          std::uint8_t& pointers = vc_pointers_[Space::port_of(to)];
          pointers = S::after(pointers, Space::vc_of(to), shape.vcs_beside[to]);
        }
      });
}

// ---- Arbiters -----------------------------------------------------------------------------------

template <class Space, class Policies>
template <class A>
typename A::State RouterKernel<Space, Policies>::order(const KernelShape& shape, Arbiter arbiter,
                                                       Port port) const {
  if constexpr (sizeof(typename A::State) == 1) {
    return order_[arbiter][port];
  } else {
    return orders_[arbiter * shape.ports + port];
  }
}

template <class Space, class Policies>
template <class A>
void RouterKernel<Space, Policies>::set_order(const KernelShape& shape, Arbiter arbiter, Port port,
                                              typename A::State state) {
  if constexpr (sizeof(typename A::State) == 1) {
    order_[arbiter][port] = state;
  } else {
    orders_[arbiter * shape.ports + port] = state;
  }
}

template <class Space, class Policies>
void RouterKernel<Space, Policies>::reset_arbiters(const KernelShape& shape) {
  Policies::with_arbiter(shape, [&]<class A>(A) {
    for (unsigned a = 0; a < order_.size(); ++a) {
      const auto arbiter = static_cast<Arbiter>(a);
      const bool is_output = arbiter == kOut || arbiter == kVaOut;
      for (unsigned p = 0; p < shape.ports; ++p) {
        const auto port = static_cast<Port>(p);
        set_order<A>(shape, arbiter, port,
                     A::initial(is_output ? shape.inputs_of(port)
                                          : Candidates{0, shape.input_vcs[port],
                                                       &shape.next_vc[Space::slot_of(port, 0)]}));
      }
    }
  });
  if (has_diagonals(shape)) order_[kOut].fill(0);
}

/// The pick of an output, one of the inputs, is final.
template <class Space, class Policies>
template <class A>
void RouterKernel<Space, Policies>::finish_output(const KernelShape& shape, Arbiter arbiter,
                                                  Port port, Port pick) {
  set_order<A>(shape, arbiter, port,
               A::after(order<A>(shape, arbiter, port),
                        {pick, shape.next_input[pick], shape.out_candidates}));
}

/// Both picks of a grant are final: that of an input VC by arbiter `in`, and that of an input by
/// arbiter `out`. The arbiters' kind is asked once for both.
template <class Space, class Policies>
inline void RouterKernel<Space, Policies>::finish_picks(const KernelShape& shape, Arbiter in,
                                                        Arbiter out, Slot from, Slot to) {
  const Port input = Space::port_of(from);
  Policies::with_arbiter(
      shape, [&](auto unit) __attribute__((always_inline)) {
        using A = decltype(unit);
        if constexpr (!Space::kOneVc) {
          set_order<A>(shape, in, input,
                       A::after(order<A>(shape, in, input),
                                {Space::vc_of(from), shape.next_vc[from], shape.input_vcs[input]}));
        }
        if (out == kOut && has_diagonals(shape)) return;
        finish_output<A>(shape, out, Space::port_of(to), input);
      });
}

// ---- Allocators (section 5.3) -------------------------------------------------------------------

/// The picks of the arbiters `in` and `out` of the ports, whose unit is A.
template <class Space, class Policies>
template <class A>
auto RouterKernel<Space, Policies>::picks_of(const KernelShape& shape, Arbiter in,
                                             Arbiter out) const {
  return Picks{[this, &shape, in](Port i, unsigned vcs) {
                 return Space::kOneVc ? 0u : A::pick(order<A>(shape, in, i), vcs);
               },
               [this, &shape, out](Port o, unsigned inputs) {
                 return A::pick(order<A>(shape, out, o), inputs);
               },
               [this, &shape](Port i, Port o) {
                 const unsigned m = shape.out_candidates;
                 const unsigned first = order_[kOut][shape.first_input[o]];
                 return (shape.candidate[i] + shape.candidate[o] + m - first) % m;
               }};
}

/// The grants of an input-first allocator with one round. The arbiters' kind is asked once for all
/// picks.
template <class Space, class Policies>
inline void RouterKernel<Space, Policies>::arbitrate(const KernelShape& shape, Arbiter in,
                                                     Arbiter out, Mask requests,
                                                     const std::array<Slot, kSlots>& target,
                                                     Grants& grants) const {
  Policies::with_arbiter(
      shape, [&](auto unit) __attribute__((always_inline)) {
        using A = decltype(unit);
        InputFirstAllocator::grant<Space>(requests, target, picks_of<A>(shape, in, out), grants);
      });
}

/// The grants of SA with another allocator, or in several rounds. Returns the outputs that the
/// first round has granted. Not inlined, so that other routers do not pay for it.
template <class Space, class Policies>
unsigned RouterKernel<Space, Policies>::match_otherwise(const KernelShape& shape, Mask requests,
                                                        const std::array<Slot, kSlots>& target,
                                                        Grants& grants) const {
  return Policies::with_allocator(shape, [&]<class Allocator>(Allocator) {
    return Policies::with_arbiter(shape, [&]<class A>(A) {
      return grant_in_rounds<Allocator, Space>(shape.iterations, requests, target,
                                               picks_of<A>(shape, kIn, kOut), grants);
    });
  });
}

/// `outputs` are those that SA has granted.
template <class Space, class Policies>
inline void RouterKernel<Space, Policies>::end_allocation(const KernelShape& shape,
                                                          unsigned outputs) {
  if (has_diagonals(shape)) [[unlikely]]
    turn_diagonals(shape, outputs);
}

/// The diagonal of each switch that has granted something moves on by one.
template <class Space, class Policies>
void RouterKernel<Space, Policies>::turn_diagonals(const KernelShape& shape, unsigned outputs) {
  for (unsigned turned = 0; outputs != 0;) {
    const Port first = shape.first_input[take_lowest(outputs)];
    std::uint8_t& diagonal = order_[kOut][first];
    if ((turned >> first & 1) == 0) {
      diagonal = static_cast<std::uint8_t>((diagonal + 1u) % shape.out_candidates);
    }
    turned |= 1u << first;
  }
}

}  // namespace annelid::systemc
