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

SlotMask take_inbox(std::array<std::uint8_t, kMaxPorts>& inbox) {
  SlotMask mask;
  std::memcpy(&mask, inbox.data(), sizeof mask);
  inbox.fill(0);
  return mask;
}

template <typename Index>
Index next_index(unsigned index, int size) {
  return static_cast<Index>(static_cast<int>(index) + 1 == size ? 0 : index + 1);
}

std::size_t ring_places(const RouterConfig& config) {
  return std::bit_ceil(static_cast<unsigned>(config.depth));
}
std::size_t ring_vcs(const RouterConfig& config) {
  return static_cast<std::size_t>(std::max(config.vcs, config.local_vcs));
}

}  // namespace

std::size_t RouterKernel::ring_flits(const RouterConfig& config) {
  return static_cast<std::size_t>(config.ports()) * ring_vcs(config) * ring_places(config);
}

RouterKernel::RouterKernel(const RouterConfig& config, Address address, NodeId node, Flit* rings)
    : address_(address),
      ring_mask_(static_cast<std::uint8_t>(ring_places(config) - 1)),
      ring_vcs_(static_cast<std::uint8_t>(ring_vcs(config))),
      node_(node),
      rings_(rings),
      config_(config) {
  for (Port p = 0; p < config.ports(); ++p) {
    eject_[p] = ejection_port(p, config.local_ports);
    for (Vc w = 0; w < config.vcs_of(p); ++w) {
      credit_ |= slot_bit(slot_of(p, w));
      credits_[slot_of(p, w)] = static_cast<std::uint8_t>(config.depth);
    }
  }
}

void RouterKernel::take_flit(Port in, const Flit& flit, Cycle now) {
  const Slot slot = slot_of(in, flit.vc);
  std::uint8_t& write = write_[slot];
  rings_[ring(slot) + write] = flit;
  write = (write + 1) & ring_mask_;
  flit_inbox_[now & 1][in] = static_cast<std::uint8_t>(1u << flit.vc);
}

bool RouterKernel::may_take_flit(Port in, Vc vc, Cycle now) const {
  if (vc >= config_.vcs_of(in) || flit_inbox_[now & 1][in] != 0) return false;
  const int before = flit_inbox_[(now + 1) & 1][in] >> vc & 1;
  return count_[slot_of(in, vc)] + before < config_.depth;
}

bool RouterKernel::may_take_credit(Port out, Vc vc, Cycle now) const {
  if (vc >= config_.vcs_of(out) || credit_inbox_[now & 1][out] != 0) return false;
  const int before = credit_inbox_[(now + 1) & 1][out] >> vc & 1;
  return credits_[slot_of(out, vc)] + before < config_.depth;
}

void RouterKernel::absorb_arrivals(Cycle now) {
  const auto parity = (now + 1) & 1;
  SlotMask flits = take_inbox(flit_inbox_[parity]);
  occupied_ |= flits;
  while (flits != 0) ++count_[take_lowest(flits)];
  SlotMask credits = take_inbox(credit_inbox_[parity]);
  credit_ |= credits;
  while (credits != 0) ++credits_[take_lowest(credits)];
}

Port RouterKernel::route_of(Slot in) const {
  const Flit& head = front(in);
  if (!head.head) [[unlikely]]
    fail("a packet without a head is", port_of(in));
  const Port output = dimension_order(address_, unpack_head(head.data).destination);
  return output == kFirstLocal ? eject_[port_of(in)] : output;
}

void RouterKernel::allocate(Allocation& allocation) const {
  std::array<Slot, kSlots> target;  // the output VC of each requesting input VC
  const SlotMask credit = credit_, free = credit_ & ~owned_;
  SlotMask requests = 0;
  for (SlotMask rest = occupied_ & active_; rest != 0;) {
    const Slot in = take_lowest(rest);
    target[in] = out_[in];
    requests |= SlotMask{has(credit, target[in])} << in;
  }
  for (SlotMask rest = occupied_ & ~active_; rest != 0;) {
    const Slot in = take_lowest(rest);
    const Port output = route_of(in);
    const unsigned vcs = byte_of(free, output);
    if (vcs == 0) continue;
    target[in] = slot_of(output, static_cast<Vc>(std::countr_zero(vcs)));
    requests |= slot_bit(in);
  }
  allocation.requests = requests;

  std::array<Slot, kMaxPorts> nominee;
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

void RouterKernel::traverse(Slot from, Slot to, StepContext& context, const Flit& flit) {
  const Port output = port_of(to), input = port_of(from);
  const KernelLink& ahead = links_[output];
  if (ahead.kernel != nullptr) {
    ahead.kernel->take_flit(ahead.port, flit, context.now);
    context.awake_next[ahead.index] = 1;
  } else if (ahead.other != nullptr) {
    ahead.other->put_flit(flit);
  } else {
    fail("a flit left", output);
  }
  context.ejected += output >= kFirstLocal;

  const KernelLink& behind = links_[input];
  if (behind.kernel != nullptr) {
    behind.kernel->take_credit(behind.port, vc_of(from), context.now);
    context.awake_next[behind.index] = 1;
  } else {
    behind.other->put_credit(vc_of(from));
  }
}

template <bool kObserved>
bool RouterKernel::step(StepContext& context) {
  absorb_arrivals(context.now);
  Allocation allocation;
  allocate(allocation);
  if constexpr (kObserved) report_blocked(allocation, context);
  for (std::size_t g = 0; g < static_cast<std::size_t>(allocation.grants); ++g) {
    const Slot from = allocation.from[g], to = allocation.to[g];
    const Port input = port_of(from), output = port_of(to);
    Flit flit = front(from);
    flit.vc = vc_of(to);
    traverse(from, to, context, flit);
    if constexpr (kObserved) {
      context.observer->moved(context.now, node_, input, vc_of(from), output, flit);
    }

    read_[from] = (read_[from] + 1) & ring_mask_;
    if (--count_[from] == 0) occupied_ &= ~slot_bit(from);
    if (--credits_[to] == 0) credit_ &= ~slot_bit(to);
    out_[from] = to;  // what it was already, but for a head
    if (flit.tail) {
      active_ &= ~slot_bit(from);
      owned_ &= ~slot_bit(to);
    } else {
      active_ |= slot_bit(from);
      owned_ |= slot_bit(to);
    }
    in_pointer_[input] = next_index<Vc>(vc_of(from), config_.vcs_of(input));
    out_pointer_[output] = next_index<Port>(input, config_.ports());
  }
  context.moved += static_cast<std::uint64_t>(allocation.grants);
  return allocation.grants != 0 || (kObserved && occupied_ != 0);
}

template bool RouterKernel::step<false>(StepContext&);
template bool RouterKernel::step<true>(StepContext&);

void RouterKernel::fail(const char* what, Port port) const {
  throw std::logic_error("router " + std::to_string(address_.x) + "," + std::to_string(address_.y) +
                         ": " + what + " at port " + std::to_string(port));
}

}  // namespace annelid
