// How RouterKernel steps with an observer where nothing has to be arbitrated: definitions for the
// files that instantiate it.
#pragma once

#include "systemc/kernel/router_kernel_impl.hpp"

namespace annelid::systemc {

/// Where the front flit of an input VC can go if nothing else wants to go there, or kNoSlot.
template <class Space, class Policies>
Slot RouterKernel<Space, Policies>::next_of(const KernelShape& shape, Slot from) const {
  const Slot held = out_[from];
  if (Space::has(masks_.active, from)) return Space::has(masks_.credit, held) ? held : kNoSlot;
  const Way way = way_of(shape, from);
  const unsigned vcs = Space::vcs_of(masks_.credit & ~masks_.owned, way.port) & way.vcs;
  return vcs == 0 ? kNoSlot : Space::slot_of(way.port, select_vc(shape, way, vcs));
}

template <class Space, class Policies>
bool RouterKernel<Space, Policies>::pass_lone_flit(const KernelShape& shape, RouterKernel* kernels,
                                                   StepContext& context) {
  if (!is_empty() || (kGeneral && shape.stages >= 3)) return false;
  const unsigned before = inbox_before(context.now);
  const std::uint64_t low = word_at(flit_inbox_[before].data());
  const std::uint64_t high = kInboxBytes > 8 ? word_at(flit_inbox_[before].data() + 8) : 0;
  const std::uint64_t word = low | high;
  if (word == 0 || (word & (word - 1)) != 0 || (low != 0 && high != 0)) return false;
  take_inbox<Space>(credit_inbox_[before], credits_, masks_.credit);
  const unsigned bit = lowest_bit(word);
  const Slot from = Space::slot_of((high != 0 ? 8 : 0) + bit / 8, bit % 8);
  const Slot to = next_of(shape, from);
  if (to == kNoSlot) return false;
  flit_inbox_[before] = {};
  note(Space::bit(from), Space::bit(to), context);
  commit<true>(shape, masks_, from, to);
  move<true, kUnknownKind>(shape, from, to, kernels, context);
  ++context.moved;
  take_credits_early(context.now);
  return true;
}

template <class Space, class Policies>
bool RouterKernel<Space, Policies>::go_without_rivals(const KernelShape& shape, std::uint32_t self,
                                                      RouterKernel* kernels, StepContext& context) {
  if (kGeneral && shape.stages >= 3 && (masks_.occupied & ~masks_.active) != 0) return false;
  Grants grants;
  Mask waiting = 0, all_from = 0, all_to = 0;
  unsigned inputs = 0;
  for (Mask rest = masks_.occupied; rest != 0;) {
    const auto in = static_cast<Slot>(take_lowest(rest));
    const Slot to = next_of(shape, in);
    if (to == kNoSlot) {
      if (!Space::has(masks_.active, in)) return false;
      waiting |= Space::bit(in);
      continue;
    }
    const Port i = Space::port_of(in), o = Space::port_of(to);
    if (((inputs >> i | grants.outputs >> o) & 1u) != 0) return false;
    inputs |= 1u << i;
    grants.add(in, to);
    all_from |= Space::bit(in);
    all_to |= Space::bit(to);
  }
  while (waiting != 0) {
    const auto in = static_cast<Slot>(take_lowest(waiting));
    context.report_grants();
    context.observer->blocked(context.now, node_, Space::port_of(in), Space::vc_of(in),
                              Space::port_of(out_[in]), BlockCause::kNoCredit);
  }
  note(all_from, all_to, context);
  while (grants.outputs != 0) {
    const unsigned o = take_lowest(grants.outputs);
    commit<true>(shape, masks_, grants.from[o], grants.to[o]);
    forward<true, kUnknownKind>(shape, grants.from[o], grants.to[o], kernels, context);
    ++context.moved;
  }
  if (is_empty()) {
    take_credits_early(context.now);
  } else {
    context.wake_next(self);
  }
  return true;
}

/// Takes the credits that came in this cycle. A router that has sent its last flit has no use for
/// them in this cycle, and it need not be awake in the next one.
template <class Space, class Policies>
inline void RouterKernel<Space, Policies>::take_credits_early(Cycle now) {
  take_inbox<Space>(credit_inbox_[now % kInboxes], credits_, masks_.credit);
}

}  // namespace annelid::systemc
