// Slots and masks of slots: the router kernel's way to speak of up to 8 ports of 8 VCs at once.
#pragma once

#include <bit>

#include "systemc/types.hpp"

namespace annelid {

/// A (port, VC) pair: port * 8 + vc.
using Slot = std::uint8_t;

/// A yes or no for each slot: bit port * 8 + vc.
using SlotMask = std::uint64_t;

/// Ports of the switches that this kernel steps.
inline constexpr int kKernelPorts = 8;

constexpr Slot slot_of(Port port, Vc vc) { return static_cast<Slot>(port * kMaxVcs + vc); }
constexpr Port port_of(Slot slot) { return slot / kMaxVcs; }
constexpr Vc vc_of(Slot slot) { return slot % kMaxVcs; }

constexpr SlotMask slot_bit(Slot slot) { return SlotMask{1} << slot; }
constexpr bool has(SlotMask mask, Slot slot) { return (mask >> slot & 1) != 0; }

/// The eight VCs of a port; in a mask of wishes, the eight inputs that want an output.
constexpr unsigned byte_of(SlotMask mask, Port port) {
  return static_cast<unsigned>(mask >> (port * kMaxVcs)) & 0xffu;
}
constexpr SlotMask byte_mask(Port port) { return SlotMask{0xff} << (port * kMaxVcs); }

constexpr Slot lowest(SlotMask mask) { return static_cast<Slot>(std::countr_zero(mask)); }
/// The lowest slot of a mask that is not empty, which then leaves the mask.
constexpr Slot take_lowest(SlotMask& mask) {
  const Slot slot = lowest(mask);
  mask &= mask - 1;
  return slot;
}

/// Round-robin from `pointer`: the first requester at or after it, else the first of all. At least
/// one of the 8 request bits is set.
constexpr unsigned round_robin(unsigned requests, unsigned pointer) {
  const unsigned at_or_after = requests & (0xffu << pointer);
  return static_cast<unsigned>(std::countr_zero(at_or_after != 0 ? at_or_after : requests));
}

}  // namespace annelid
