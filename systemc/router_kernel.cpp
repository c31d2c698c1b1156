#include "systemc/router_kernel.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <stdexcept>
#include <string>

#include "systemc/route.hpp"
#include "systemc/slot.hpp"

namespace annelid {
namespace {

// An inbox is read as one mask: its byte p is bits 8p+7 : 8p.
static_assert(std::endian::native == std::endian::little);

SlotMask take_inbox(std::array<std::uint8_t, kKernelPorts>& inbox) {
  SlotMask mask;
  std::memcpy(&mask, inbox.data(), sizeof mask);
  inbox.fill(0);
  return mask;
}

template <typename Index>
Index next_index(unsigned index, int size) {
  return static_cast<Index>(static_cast<int>(index) + 1 == size ? 0 : index + 1);
}

Flit on_vc(const Flit& flit, Vc vc) { return {flit.data, vc, flit.head, flit.tail}; }

/// The logarithm of the places that a ring of at least n has.
unsigned ring_bits(int n) {
  return static_cast<unsigned>(std::bit_width(static_cast<unsigned>(n) - 1));
}

}  // namespace

std::size_t RouterKernel::ring_flits(const RouterConfig& config) {
  const int vcs = std::max(config.vcs, config.local_vcs);
  return static_cast<std::size_t>(config.ports()) << (ring_bits(vcs) + ring_bits(config.depth));
}

RouterKernel::RouterKernel(const NetworkConfig& network, Address address, NodeId node, Flit* rings)
    : address_(address),
      ring_mask_(static_cast<std::uint8_t>((1u << ring_bits(network.router.depth)) - 1)),
      vc_shift_(static_cast<std::uint8_t>(ring_bits(network.router.depth))),
      port_shift_(static_cast<std::uint8_t>(
          vc_shift_ + ring_bits(std::max(network.router.vcs, network.router.local_vcs)))),
      node_(node),
      rings_(rings),
      network_(network),
      config_(network.router) {
  const RouterConfig& config = config_;
  for (Port p = 0; p < config.ports(); ++p) {
    eject_[p] = route(network, address, address, p);
    for (Vc w = 0; w < config.link_vcs(p); ++w) {
      masks_.credit |= slot_bit(slot_of(p, w));
      credits_[slot_of(p, w)] = static_cast<std::uint8_t>(config.depth);
    }
  }
}

inline void RouterKernel::take_flit(Port in, Vc vc, const Flit& flit, Cycle now) {
  const Slot slot = slot_of(in, vc);
  std::uint8_t& write = write_[slot];
  Flit& place = rings_[ring(slot) + write];
  place = flit;
  place.vc = vc;
  write = (write + 1) & ring_mask_;
  flit_inbox_[now & 1][in] = static_cast<std::uint8_t>(1u << vc);
}

void RouterKernel::take_flit(Port in, const Flit& flit, Cycle now) {
  take_flit(in, flit.vc, flit, now);
}

bool RouterKernel::may_take_flit(Port in, Vc vc, Cycle now) const {
  if (vc >= config_.link_vcs(in) || flit_inbox_[now & 1][in] != 0) return false;
  const int before = flit_inbox_[(now + 1) & 1][in] >> vc & 1;
  return count_[slot_of(in, vc)] + before < config_.depth;
}

bool RouterKernel::may_take_credit(Port out, Vc vc, Cycle now) const {
  if (vc >= config_.link_vcs(out) || credit_inbox_[now & 1][out] != 0) return false;
  const int before = credit_inbox_[(now + 1) & 1][out] >> vc & 1;
  return credits_[slot_of(out, vc)] + before < config_.depth;
}

inline void RouterKernel::absorb_arrivals(Masks& masks, Cycle now) {
  const auto parity = (now + 1) & 1;
  SlotMask flits = take_inbox(flit_inbox_[parity]);
  masks.occupied |= flits;
  while (flits != 0) ++count_[take_lowest(flits)];
  SlotMask credits = take_inbox(credit_inbox_[parity]);
  masks.credit |= credits;
  while (credits != 0) ++credits_[take_lowest(credits)];
}

inline Port RouterKernel::route_of(Slot in) const {
  const Flit& head = front(in);
  if (!head.head) [[unlikely]]
    fail("a packet without a head is", port_of(in));
  const Port output = dimension_order(network_, address_, unpack_head(head.data).destination);
  return output == config_.first_local() ? eject_[port_of(in)] : output;
}

inline void RouterKernel::allocate(const Masks& masks, Allocation& allocation) const {
  std::array<Slot, kSlots> target;  // the output VC of each requesting input VC
  const SlotMask free = masks.credit & ~masks.owned;
  SlotMask requests = 0;
  for (SlotMask rest = masks.occupied & masks.active; rest != 0;) {
    const Slot in = take_lowest(rest);
    target[in] = out_[in];
    requests |= SlotMask{has(masks.credit, target[in])} << in;
  }
  for (SlotMask rest = masks.occupied & ~masks.active; rest != 0;) {
    const Slot in = take_lowest(rest);
    const Port output = route_of(in);
    const unsigned vcs = byte_of(free, output);
    if (vcs == 0) continue;
    target[in] = slot_of(output, static_cast<Vc>(std::countr_zero(vcs)));
    requests |= slot_bit(in);
  }
  allocation.requests = requests;

  std::array<Slot, kKernelPorts> nominee;
  SlotMask wishes = 0;  // bit i of byte o: the nominee of input i requests output o
  while (requests != 0) {
    const Port i = port_of(lowest(requests));
    const unsigned v = round_robin(byte_of(requests, i), in_pointer_[i]);
    requests &= ~byte_mask(i);
    nominee[i] = slot_of(i, static_cast<Vc>(v));
    wishes |= slot_bit(slot_of(port_of(target[nominee[i]]), i));
  }
  while (wishes != 0) {
    const Port o = port_of(lowest(wishes));
    const unsigned i = round_robin(byte_of(wishes, o), out_pointer_[o]);
    wishes &= ~byte_mask(o);
    const auto grant = static_cast<std::size_t>(allocation.grants++);
    allocation.from[grant] = nominee[i];
    allocation.to[grant] = target[nominee[i]];
    allocation.granted |= slot_bit(nominee[i]);
  }
}

inline void RouterKernel::traverse(Slot from, Slot to, const Flit& flit, StepContext& context) {
  const Port output = port_of(to), input = port_of(from);
  const KernelLink& ahead = links_[output];
  if (ahead.kernel != nullptr) {
    ahead.kernel->take_flit(ahead.port, vc_of(to), flit, context.now);
    context.awake_next[ahead.index] = 1;
  } else if (ahead.other != nullptr) {
    ahead.other->put_flit(on_vc(flit, vc_of(to)));
  } else {
    fail("a flit left", output);
  }
  context.ejected += config_.is_ejection(output);

  const KernelLink& behind = links_[input];
  if (behind.kernel != nullptr) {
    behind.kernel->take_credit(behind.port, vc_of(from), context.now);
    context.awake_next[behind.index] = 1;
  } else {
    behind.other->put_credit(vc_of(from));
  }
}

inline void RouterKernel::commit(Masks& masks, Slot from, Slot to, bool tail) {
  const Port input = port_of(from), output = port_of(to);
  read_[from] = (read_[from] + 1) & ring_mask_;
  if (--count_[from] == 0) masks.occupied &= ~slot_bit(from);
  if (--credits_[to] == 0) masks.credit &= ~slot_bit(to);
  out_[from] = to;  // what it was already, but for a head
  if (tail) {
    masks.active &= ~slot_bit(from);
    masks.owned &= ~slot_bit(to);
  } else {
    masks.active |= slot_bit(from);
    masks.owned |= slot_bit(to);
  }
  in_pointer_[input] = next_index<Vc>(vc_of(from), config_.link_vcs(input));
  out_pointer_[output] = next_index<Port>(input, config_.ports());
}

template <bool kObserved>
bool RouterKernel::step(StepContext& context) {
  Masks masks = masks_;
  absorb_arrivals(masks, context.now);
  Allocation allocation;
  allocate(masks, allocation);
  if constexpr (kObserved) report_blocked(masks, allocation, context);
  for (std::size_t g = 0; g < static_cast<std::size_t>(allocation.grants); ++g) {
    const Slot from = allocation.from[g], to = allocation.to[g];
    const Flit& flit = front(from);
    traverse(from, to, flit, context);
    if constexpr (kObserved) {
      context.observer->moved(context.now, node_, port_of(from), vc_of(from), port_of(to),
                              on_vc(flit, vc_of(to)));
    }
    commit(masks, from, to, flit.tail);
  }
  masks_ = masks;
  context.moved += static_cast<std::uint64_t>(allocation.grants);
  return allocation.grants != 0 || (kObserved && masks.occupied != 0);
}

template bool RouterKernel::step<false>(StepContext&);
template bool RouterKernel::step<true>(StepContext&);

// ---- What an observer sees: section 8 -----------------------------------------------------------

void RouterKernel::report_blocked(const Masks& masks, const Allocation& allocation,
                                  const StepContext& context) const {
  for (SlotMask rest = masks.occupied & ~allocation.granted; rest != 0;) {
    const Slot in = take_lowest(rest);
    const bool active = has(masks.active, in);
    const Port output = active ? port_of(out_[in]) : route_of(in);
    const unsigned all_vcs = (1u << config_.link_vcs(output)) - 1;
    const BlockCause cause = has(allocation.requests, in) ? BlockCause::kLostSwitch
                             : !active && byte_of(masks.owned, output) == all_vcs
                                 ? BlockCause::kNoVc
                                 : BlockCause::kNoCredit;
    context.observer->blocked(context.now, node_, port_of(in), vc_of(in), output, cause);
  }
}

void RouterKernel::state(Cycle now, RouterState& state) const {
  RouterKernel view = *this;  // shares the rings, which hold the arrivals already
  view.absorb_arrivals(view.masks_, now);
  Allocation allocation;
  view.allocate(view.masks_, allocation);

  state = {};
  for (Port p = 0; p < config_.ports(); ++p) {
    for (Vc v = 0; v < config_.link_vcs(p); ++v) {
      const Slot slot = slot_of(p, v);
      InputVcState& input = state.input[p][v];
      input.count = view.count_[slot];
      if (input.count > 0) {
        input.front = view.front(slot);
        input.front.vc = v;
      }
      input.active = has(view.masks_.active, slot);
      input.out_port = port_of(view.out_[slot]);
      input.out_vc = vc_of(view.out_[slot]);
      state.output[p][v] = {view.credits_[slot], has(view.masks_.owned, slot)};
    }
    state.in_pointer[p] = view.in_pointer_[p];
    state.out_pointer[p] = view.out_pointer_[p];
  }
  for (std::size_t g = 0; g < static_cast<std::size_t>(allocation.grants); ++g) {
    const Slot from = allocation.from[g];
    state.grant[port_of(allocation.to[g])] = {true, port_of(from), vc_of(from)};
  }
}

void RouterKernel::fail(const char* what, Port port) const {
  throw std::logic_error("router " + std::to_string(address_.x) + "," + std::to_string(address_.y) +
                         ": " + what + " at port " + std::to_string(port));
}

}  // namespace annelid
