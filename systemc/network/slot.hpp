// Slots and masks of slots, with which the router kernel handles all ports and VCs at once.
#pragma once

#include <bit>
#include <cstdint>
#include <type_traits>

#include "systemc/network/types.hpp"

namespace annelid::systemc {

/// A (port, VC) pair of a router: port * stride + vc, where the stride is a power of two.
using Slot = std::uint8_t;

__extension__ using Mask128 = unsigned __int128;

template <typename Mask>
constexpr unsigned lowest_bit(Mask mask) {
  if constexpr (sizeof(Mask) <= 8) {
    return static_cast<unsigned>(std::countr_zero(mask));
  } else {
    const auto low = static_cast<std::uint64_t>(mask);
    return static_cast<unsigned>(
        low != 0 ? std::countr_zero(low)
                 : 64 + std::countr_zero(static_cast<std::uint64_t>(mask >> 64)));
  }
}

/// Removes the lowest bit from a mask that is not empty, and returns its number.
template <typename Mask>
constexpr unsigned take_lowest(Mask& mask) {
  const unsigned bit = lowest_bit(mask);
  mask &= mask - 1;
  return bit;
}

/// The slots of routers with up to `ports` ports and up to 2^vc_bits VCs per port.
template <int ports, int vc_bits>
struct SlotSpace {
  static constexpr int kPorts = ports;
  static constexpr int kVcBits = vc_bits;
  static constexpr int kSlots = ports << vc_bits;
  static constexpr bool kOneVc = vc_bits == 0;  ///< then a slot is a port
  /// One bit for each slot.
  using Mask = std::conditional_t<kSlots <= 64, std::uint64_t, Mask128>;

  static constexpr Slot slot_of(unsigned port, unsigned vc) {
    return static_cast<Slot>(port << vc_bits | vc);
  }
  static constexpr Port port_of(Slot slot) { return static_cast<Port>(slot >> vc_bits); }
  static constexpr Vc vc_of(Slot slot) { return static_cast<Vc>(slot & ((1u << vc_bits) - 1)); }

  static constexpr Mask bit(unsigned slot) { return Mask{1} << slot; }
  static constexpr bool has(Mask mask, unsigned slot) {
    return (static_cast<unsigned>(mask >> slot) & 1u) != 0;
  }
  /// The bits of a port's VCs.
  static constexpr unsigned vcs_of(Mask mask, unsigned port) {
    return static_cast<unsigned>(mask >> (port << vc_bits)) & ((1u << (1 << vc_bits)) - 1);
  }
  static constexpr Mask port_mask(unsigned port) {
    return Mask{(1u << (1 << vc_bits)) - 1} << (port << vc_bits);
  }
};

/// Packs eight bytes that are 0 or 1: bit i of the result is byte i.
constexpr unsigned bits_of_bytes(std::uint64_t bytes) {
  return static_cast<unsigned>(bytes * 0x0102040810204080 >> 56);
}

/// Takes eight bytes below 128: bit i of the result says whether byte i is not 0.
constexpr unsigned nonzero_bytes(std::uint64_t bytes) {
  return bits_of_bytes((bytes + 0x7f7f7f7f7f7f7f7f) >> 7 & 0x0101010101010101);
}

/// Round-robin from `pointer`: the first requester at or after it, or else the first of all.
/// `requests` must not be 0.
constexpr unsigned round_robin(unsigned requests, unsigned pointer) {
  const unsigned at_or_after = requests & (~0u << pointer);
  return static_cast<unsigned>(std::countr_zero(at_or_after != 0 ? at_or_after : requests));
}

}  // namespace annelid::systemc
