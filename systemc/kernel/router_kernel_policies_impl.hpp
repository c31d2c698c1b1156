// How RouterKernel asks its policies: the route of a head, the picks of the arbiters, the grants.
// Definitions for router_kernel_impl.hpp.
#pragma once

#include "systemc/kernel/router_kernel.hpp"
#include "systemc/network/ring.hpp"

namespace annelid::systemc {

// ---- Section 5.1 --------------------------------------------------------------------------------

template <class Space, class Policies>
inline auto RouterKernel<Space, Policies>::class_of(const KernelShape& shape, Slot in) const
    -> Way {
  const std::size_t place = front(shape, in);
  if ((flags_[place] & 1) == 0) [[unlikely]]
    fail("a packet without a head is", Space::port_of(in));
  const std::uint64_t head = data_[place];
  const Port port = Space::port_of(in);
  const std::uint32_t away =
      (static_cast<std::uint32_t>(head) ^ address_) & shape.address_mask[port];
  if (away == 0) return {shape.arrived[port], KernelShape::kAllVcs};
  const unsigned d = Policies::with_routing(
      shape, [&]<class Function>(Function) { return Function::next_dimension(away); });
  if (shape.ring[d]) return ring_way(shape, d, head);
  const unsigned here = address_ >> 8 * d & 0xff, there = head >> 8 * d & 0xff;
  return {static_cast<Port>(2 * d + (there < here)), KernelShape::kAllVcs};
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
inline auto RouterKernel<Space, Policies>::route_of(const KernelShape& shape, Slot in) const
    -> Way {
  if constexpr (Space::kOneVc) return class_of(shape, in);
  Way way = class_of(shape, in);
  if (shape.control_vc) [[unlikely]] {
    way.vcs &= static_cast<std::uint8_t>(shape.data_vcs[way.port] ^ shape.other_kind[in]);
  }
  return way;
}

/// The result of RC for the head at the front. RC runs now if it has no stage of its own.
template <class Space, class Policies>
inline auto RouterKernel<Space, Policies>::way_of(const KernelShape& shape, Slot in) const -> Way {
  if constexpr (kGeneral) {
    if (shape.stages >= 3) return {Space::port_of(out_[in]), class_vcs_[in]};
  }
  return route_of(shape, in);
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
        finish_output<A>(shape, out, Space::port_of(to), input);
      });
}

/// The allocator's grants, with the arbiters `in` and `out` of the ports. The arbiters' kind is
/// asked once for all picks.
template <class Space, class Policies>
inline void RouterKernel<Space, Policies>::arbitrate(const KernelShape& shape, Arbiter in,
                                                     Arbiter out, Mask requests,
                                                     const std::array<Slot, kSlots>& target,
                                                     Grants& grants) const {
  Policies::with_arbiter(
      shape, [&](auto unit) __attribute__((always_inline)) {
        using A = decltype(unit);
        Policies::Allocator::template grant<Space>(
            requests, target,
            [&](Port i, unsigned vcs) {
              return Space::kOneVc ? 0u : A::pick(order<A>(shape, in, i), vcs);
            },
            [&](Port o, unsigned inputs) { return A::pick(order<A>(shape, out, o), inputs); },
            grants);
      });
}

}  // namespace annelid::systemc
