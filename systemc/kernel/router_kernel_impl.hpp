// The definitions of RouterKernel, for the files that instantiate it: router_array_*.cpp.
#pragma once

#include <algorithm>
#include <bit>
#include <cstring>
#include <stdexcept>
#include <string>

#include "systemc/kernel/router_kernel.hpp"
#include "systemc/kernel/router_kernel_policies_impl.hpp"
#include "systemc/kernel/router_kernel_view_impl.hpp"
#include "systemc/network/node_text.hpp"

namespace annelid::systemc {

// An inbox is read as words: byte p of it is bits 8p+7 : 8p.
static_assert(std::endian::native == std::endian::little);

template <class Space, class Policies>
RouterKernel<Space, Policies>::RouterKernel(const KernelShape& shape, Address address, NodeId node,
                                            std::uint64_t* data, std::uint8_t* flags,
                                            std::uint64_t* orders)
    : data_(data), flags_(flags), address_(pack(address)), node_(node), orders_(orders) {
  kind_.fill(kUnused);
  for (unsigned p = 0; p < shape.ports; ++p) {
    for (unsigned w = 0; w < shape.output_vcs[p]; ++w) {
      masks_.credit |= Space::bit(Space::slot_of(p, w));
      credits_[Space::slot_of(p, w)] = static_cast<std::uint8_t>(shape.depth);
    }
  }
  reset_arbiters(shape);
  if constexpr (kGeneral) std::copy_n(shape.vc_pointers.begin(), kPorts, vc_pointers_.begin());
}

inline std::uint64_t word_at(const std::uint8_t* bytes) {
  std::uint64_t word;
  std::memcpy(&word, bytes, sizeof word);
  return word;
}

template <std::size_t bytes>
inline bool any_byte(const std::array<std::uint8_t, bytes>& array) {
  static_assert(bytes % 8 == 0);
  std::uint64_t any = 0;
  for (std::size_t at = 0; at < bytes; at += 8) any |= word_at(array.data() + at);
  return any != 0;
}

// ---- Between neighbours -------------------------------------------------------------------------

template <class Space, class Policies>
inline void RouterKernel<Space, Policies>::take_flit(const KernelShape& shape, Port in, Vc vc,
                                                     std::uint64_t data, std::uint8_t flags,
                                                     Cycle at) {
  const Slot slot = Space::slot_of(in, vc);
  std::uint8_t& write = write_[slot];
  const std::size_t place = std::size_t{shape.fifo[slot]} + write;
  data_[place] = data;
  flags_[place] = flags;
  write = static_cast<std::uint8_t>((write + 1u) & shape.fifo_mask);
  flit_inbox_[at % kInboxes][in] = static_cast<std::uint8_t>(1u << vc);
}

template <class Space, class Policies>
bool RouterKernel<Space, Policies>::is_empty() const {
  if constexpr (Space::kOneVc) return !any_byte(count_);  // `occupied` may be out of date
  return masks_.occupied == 0;
}

template <class Space, class Policies>
bool RouterKernel<Space, Policies>::take_credit_asleep(Port out, Vc vc, Cycle now) {
  if (!is_empty() || any_byte(flit_inbox_[inbox_before(now)])) return false;
  ++credits_[Space::slot_of(out, vc)];
  masks_.credit |= Space::bit(Space::slot_of(out, vc));
  return true;
}

template <class Space, class Policies>
bool RouterKernel<Space, Policies>::may_take_flit(const KernelShape& shape, Port in, Vc vc,
                                                  Cycle now) const {
  if (vc >= shape.input_vcs[in] || flit_inbox_[now % kInboxes][in] != 0) return false;
  return count_at(now, in, vc) < shape.depth;
}

template <class Space, class Policies>
bool RouterKernel<Space, Policies>::may_take_credit(const KernelShape& shape, Port out, Vc vc,
                                                    Cycle now) const {
  if (vc >= shape.output_vcs[out]) return false;
  return credits_at(now, out, vc) < shape.depth;
}

/// Empties the inbox, and counts each of its slots. `nonzero` are the slots whose count is not 0.
template <class Space, std::size_t bytes, typename Counts>
inline void take_inbox(std::array<std::uint8_t, bytes>& inbox, Counts& counts,
                       typename Space::Mask& nonzero) {
  if constexpr (Space::kOneVc) {  // a byte is 0 or 1, and all are added to their counts at once
    nonzero = 0;
    for (std::size_t at = 0; at < bytes; at += 8) {
      const std::uint64_t sums = word_at(counts.data() + at) + word_at(inbox.data() + at);
      std::memcpy(counts.data() + at, &sums, sizeof sums);
      std::memset(inbox.data() + at, 0, sizeof sums);
      nonzero |= typename Space::Mask{nonzero_bytes(sums)} << at;
    }
    return;
  }
  for (std::size_t at = 0; at < bytes; at += 8) {
    std::uint64_t word = word_at(inbox.data() + at);
    if (word == 0) continue;
    std::memset(inbox.data() + at, 0, sizeof word);
    do {
      const unsigned bit = take_lowest(word);
      const Slot slot = Space::slot_of(static_cast<unsigned>(at) + bit / 8, bit % 8);
      ++counts[slot];
      nonzero |= Space::bit(slot);
    } while (word != 0);
  }
}

template <class Space, class Policies>
inline void RouterKernel<Space, Policies>::absorb_arrivals(Masks& masks, Cycle now) {
  const unsigned before = inbox_before(now);
  take_inbox<Space>(flit_inbox_[before], count_, masks.occupied);
  take_inbox<Space>(credit_inbox_[before], credits_, masks.credit);
}

// ---- One cycle ----------------------------------------------------------------------------------

/// `kHeadsOnly`: the caller handles the flits that follow a head.
template <class Space, class Policies>
template <bool kHeadsOnly>
inline void RouterKernel<Space, Policies>::allocate(const KernelShape& shape, const Masks& masks,
                                                    Allocation& allocation) const {
  std::array<Slot, kSlots> target;  // the output VC of each requesting input VC
  const Mask free = masks.credit & ~masks.owned;
  Mask requests = 0, head_requests = 0;
  for (Mask rest = kHeadsOnly ? 0 : masks.occupied & masks.active; rest != 0;) {
    const auto in = static_cast<Slot>(take_lowest(rest));
    target[in] = out_[in];
    requests |= Mask{Space::has(masks.credit, target[in])} << in;
  }
  Mask heads = masks.occupied & ~masks.active;
  if constexpr (kGeneral) {
    if (shape.stages >= 3) {
      allocation.computing = heads & ~masks.routed;
      heads &= masks.routed;
    }
  }
  while (heads != 0) {
    const auto in = static_cast<Slot>(take_lowest(heads));
    const Way way = way_of(shape, in);
    const unsigned vcs = Space::vcs_of(free, way.port) & way.vcs;
    if (vcs == 0) continue;
    target[in] = Space::slot_of(way.port, select_vc(shape, way, vcs));
    head_requests |= Space::bit(in);
  }
  allocation.requests = requests | head_requests;
  if constexpr (kGeneral) {
    if (shape.stages == 4) {
      if (head_requests != 0) {
        arbitrate(shape, kVaIn, kVaOut, head_requests, target, allocation.va);
      }
      head_requests = 0;
    }
  }
  arbitrate(shape, kIn, kOut, requests | head_requests, target, allocation.sa);
}

template <class Space, class Policies>
inline void RouterKernel<Space, Policies>::wake(std::uint32_t kernel, Cycle at,
                                                StepContext& context) {
  if constexpr (kGeneral) {
    context.wake(kernel, at);
  } else {
    context.wake_next(kernel);
  }
}

template <class Space, class Policies>
template <MoveKind kind>
inline void RouterKernel<Space, Policies>::send_flit(const KernelShape& shape, Slot to,
                                                     std::uint64_t data, std::uint8_t flags,
                                                     RouterKernel* kernels, StepContext& context) {
  const Port output = Space::port_of(to);
  const KernelLink& ahead = ahead_[output];
  const Cycle reaches = context.now + (kGeneral ? shape.output_delay[output] : 0);
  if (kind == kUnknownKind ? ahead.kind == KernelLink::Kind::kKernel : (kind & kToOther) == 0) {
    const std::uint32_t next = ahead.index;
    kernels[next].take_flit(shape, ahead.port, Space::vc_of(to), data, flags, reaches);
    wake(next, reaches + 1, context);
    return;
  }
  if (ahead.kind != KernelLink::Kind::kOther) [[unlikely]]
    fail("a flit left", output);
  const bool ejected = shape.network.router.is_ejection(output);
  const Flit flit = flit_of(data, flags, Space::vc_of(to));
  LinkIf* const other = context.others[ahead.index];
  if (reaches == context.now) {
    context.ejected += ejected;
    other->put_flit(flit);
  } else {
    context.outbox[reaches % kFlightCycles].push_back({other, flit, false, ejected});
  }
}

template <class Space, class Policies>
template <MoveKind kind>
inline void RouterKernel<Space, Policies>::send_credit(const KernelShape& shape, Slot from,
                                                       RouterKernel* kernels,
                                                       StepContext& context) {
  const Port input = Space::port_of(from);
  const KernelLink& back = behind_[input];
  const Cycle returns = context.now + (kGeneral ? shape.input_delay[input] : 0);
  if (kind == kUnknownKind ? back.kind == KernelLink::Kind::kKernel : (kind & kFromOther) == 0) {
    RouterKernel& kernel = kernels[back.index];
    // With an observer, a router that has flits is awake in the next cycle anyway, or takes its
    // credits early.
    const bool needs_no_wake = kind == kUnknownKind && returns == context.now;
    if (needs_no_wake && kernel.take_credit_asleep(back.port, Space::vc_of(from), returns)) return;
    kernel.take_credit(back.port, Space::vc_of(from), returns);
    if (!needs_no_wake) wake(back.index, returns + 1, context);
    return;
  }
  if (back.kind != KernelLink::Kind::kOther) return;
  LinkIf* const other = context.others[back.index];
  if (returns == context.now) {
    other->put_credit(Space::vc_of(from));
  } else {
    context.outbox[returns % kFlightCycles].push_back(
        {other, {.vc = Space::vc_of(from)}, true, false});
  }
}

/// An input VC gets an output VC for its packet.
template <class Space, class Policies>
inline void RouterKernel<Space, Policies>::claim(Masks& masks, Slot from, Slot to) {
  out_[from] = to;
  const bool from_other = behind_[Space::port_of(from)].kind != KernelLink::Kind::kKernel;
  const bool to_other = ahead_[Space::port_of(to)].kind != KernelLink::Kind::kKernel;
  kind_[from] = static_cast<std::uint8_t>(from_other * kFromOther | to_other * kToOther);
  masks.active |= Space::bit(from);
  masks.owned |= Space::bit(to);
}

/// Everything that a grant of the switch changes, except the flit's own move. A grant changes
/// nothing that another grant of the cycle reads. The flits behind a head have claimed their output
/// VC already: to do it again costs less than to ask, where no processor predicts the answer.
template <class Space, class Policies>
template <bool kObserved>
inline void RouterKernel<Space, Policies>::commit(const KernelShape& shape, Masks& masks, Slot from,
                                                  Slot to) {
  const bool is_head = !Space::has(masks.active, from);
  if (is_head) move_vc_pointer(shape, to);
  if (!kObserved || is_head) claim(masks, from, to);
  finish_picks(shape, kIn, kOut, from, to);
}

/// The grants of VA, and the results of RC, where these have stages of their own.
template <class Space, class Policies>
inline void RouterKernel<Space, Policies>::commit_heads(const KernelShape& shape, Masks& masks,
                                                        const Allocation& allocation) {
  for (unsigned rest = allocation.va.outputs; rest != 0;) {
    const unsigned o = take_lowest(rest);
    const Slot from = allocation.va.from[o], to = allocation.va.to[o];
    move_vc_pointer(shape, to);
    claim(masks, from, to);
    finish_picks(shape, kVaIn, kVaOut, from, to);
  }
  for (Mask rest = allocation.computing; rest != 0;) {
    const auto in = static_cast<Slot>(take_lowest(rest));
    const Way way = route_of(shape, in);
    out_[in] = Space::slot_of(way.port, Space::vc_of(out_[in]));
    class_vcs_[in] = way.vcs;
    masks.routed |= Space::bit(in);
  }
}

/// With one VC per port an output belongs to its packet from head to tail, so the flits behind a
/// head have no contenders, and move without arbitration. True if any flit moves.
template <class Space, class Policies>
inline bool RouterKernel<Space, Policies>::follow(const KernelShape& shape, const Masks& masks,
                                                  std::uint32_t self, Moves& moves) {
  constexpr Mask kLast = Space::bit(kSlots - 1);
  bool any = false;
  Mask rest = masks.occupied & masks.active;
  const auto take_one = [&] {
    const auto from = static_cast<Slot>(lowest_bit(rest | kLast));
    const Slot to = out_[from];
    const bool goes = (rest != 0) & Space::has(masks.credit, to);
    if constexpr (kGeneral) {  // with a stage for VA, the head is among them
      if (goes) {
        Policies::with_arbiter(shape, [&]<class A>(A) {
          finish_output<A>(shape, kOut, Space::port_of(to), Space::port_of(from));
        });
      }
    }
    moves.add({self, from, to}, kind_[from], goes);
    rest &= rest - 1;
    any |= goes;
  };
  // Most routers have none, one or two, and no processor predicts how many, so these use no branch.
  take_one();
  take_one();
  while (rest != 0) take_one();
  return any;
}

template <class Space, class Policies>
template <bool kObserved>
bool RouterKernel<Space, Policies>::arrive(const KernelShape& shape, std::uint32_t self,
                                           StepContext& context, Moves& moves) {
  Masks masks = masks_;
  absorb_arrivals(masks, context.now);
  masks_.occupied = masks.occupied;
  masks_.credit = masks.credit;
  if constexpr (kDirect<kObserved>) {
    context.wake_next_if(follow(shape, masks, self, moves), self);
    return (masks.occupied & ~masks.active) != 0;
  }
  return masks.occupied != 0;
}

template <class Space, class Policies>
template <bool kObserved>
bool RouterKernel<Space, Policies>::decide(const KernelShape& shape, std::uint32_t self,
                                           StepContext& context, Moves& moves) {
  Masks masks = masks_;
  Allocation allocation;
  allocate<kDirect<kObserved>>(shape, masks, allocation);
  Mask all_from = 0, all_to = 0;
  for (unsigned rest = allocation.sa.outputs; rest != 0;) {
    const unsigned o = take_lowest(rest);
    const Slot from = allocation.sa.from[o], to = allocation.sa.to[o];
    commit<kObserved>(shape, masks, from, to);
    moves.add({self, from, to}, kObserved ? unsigned{kInside} : kind_[from]);
    if constexpr (kObserved) {
      all_from |= Space::bit(from);
      all_to |= Space::bit(to);
    }
  }
  if constexpr (kObserved) {
    report_rest(shape, masks_, allocation, all_from, context);
    note(all_from, all_to, context);
    if (allocation.va.outputs != 0 || allocation.computing != 0) context.changed = context.now;
  }
  if constexpr (kGeneral) commit_heads(shape, masks, allocation);
  // Nothing else of them has changed. The heads that have got a VC need no route any more.
  masks_.active = masks.active;
  masks_.owned = masks.owned;
  if constexpr (kGeneral) masks_.routed = masks.routed & ~masks.active;
  const bool busy = (allocation.sa.outputs | allocation.va.outputs) != 0 ||
                    allocation.computing != 0 || (kObserved && masks.occupied != 0);
  context.wake_next_if(busy, self);
  return busy;
}

template <class Space, class Policies>
template <bool kObserved, MoveKind kind>
void RouterKernel<Space, Policies>::forward(const KernelShape& shape, Slot from, Slot to,
                                            RouterKernel* kernels, StepContext& context) {
  move<kObserved, kind>(shape, from, to, kernels, context);
  const bool empty = --count_[from] == 0;
  if constexpr (!Space::kOneVc) masks_.occupied &= ~(Mask{empty} << from);
}

/// forward() without the FIFO's count.
template <class Space, class Policies>
template <bool kObserved, MoveKind kind>
void RouterKernel<Space, Policies>::move(const KernelShape& shape, Slot from, Slot to,
                                         RouterKernel* kernels, StepContext& context) {
  const std::size_t place = front(shape, from);
  const std::uint64_t data = data_[place];
  const std::uint8_t flags = flags_[place];
  if constexpr (kObserved) {
    SentFlit& sent = context.granted.add();
    sent.node = node_;
    sent.in = Space::port_of(from);
    sent.in_vc = Space::vc_of(from);
    sent.out = Space::port_of(to);
    sent.flit = flit_of(data, flags, Space::vc_of(to));
  }
  std::uint8_t& read = read_[from];
  read = static_cast<std::uint8_t>((read + 1u) & shape.fifo_mask);
  const bool spent = --credits_[to] == 0;
  if (!Space::kOneVc && (!kObserved || spent)) masks_.credit &= ~(Mask{spent} << to);
  if constexpr (kObserved) {
    if (flags != 0) context.changed = context.now;
  }
  if (!kObserved || flags >= 2) {
    const Mask tail = flags >> 1;  // gives both back
    masks_.active ^= tail << from;
    masks_.owned ^= tail << to;
  }
  // The calls come last, so that nothing has to be kept across them.
  send_flit<kind>(shape, to, data, flags, kernels, context);
  send_credit<kind>(shape, from, kernels, context);
}

// ---- Cycles that repeat themselves --------------------------------------------------------------

template <class Space, class Policies>
inline void RouterKernel<Space, Policies>::note(Mask from, Mask to, StepContext& context) {
  if (from == 0) return;  // StepContext::compare_moved sees that nothing moves
  const std::uint64_t last = std::exchange(moved_in_, context.step);
  if (from == moved_from_ && to == moved_to_ && last + 1 == context.step) return;
  moved_from_ = from;
  moved_to_ = to;
  context.changed = context.now;
}

template <class Space, class Policies>
bool RouterKernel<Space, Policies>::add_places(const KernelShape& shape, Port in, Vc vc,
                                               std::uint64_t step,
                                               std::vector<std::uint64_t*>& places, Slot& to) {
  const Slot slot = Space::slot_of(in, vc);
  if (!moves_from(in, vc, step) || !Space::has(masks_.active, slot)) return false;
  to = out_[slot];
  const unsigned first = read_[slot];
  unsigned at = write_[slot];  // equal to `first` if the FIFO is full
  do {
    at = (at + shape.fifo_mask) & shape.fifo_mask;
    const std::size_t place = std::size_t{shape.fifo[slot]} + at;
    if (flags_[place] != 0) return false;
    places.push_back(&data_[place]);
  } while (at != first);
  return true;
}

template <class Space, class Policies>
void RouterKernel<Space, Policies>::fail(const char* what, Port port) const {
  throw std::logic_error("router " + node_text(address(), 3) + ": " + what + " at port " +
                         std::to_string(port));
}

}  // namespace annelid::systemc
