// The positions of nodes, in the format of the NIC's registers.
#pragma once

#include <bit>
#include <cstdint>

#include "interface/registers.hpp"

namespace annelid::firmware {

/// A node's coordinates, 0..255 each. In memory it is the word that the registers take, so it is
/// copied, compared and written as one word.
struct alignas(4) Address {
  std::uint8_t x = 0, y = 0, z = 0;
  std::uint8_t reserved = 0;  // bits 31:24

  /// The format of the registers NODE, SEND_DESTINATION, RECV_SOURCE.
  [[nodiscard]] constexpr std::uint32_t word() const { return std::bit_cast<std::uint32_t>(*this); }
  static constexpr Address from_word(std::uint32_t word) { return std::bit_cast<Address>(word); }
  friend constexpr bool operator==(Address a, Address b) { return a.word() == b.word(); }
  /// Adds coordinate by coordinate. No sum may leave 0..255.
  friend constexpr Address operator+(Address a, Address b) {
    return from_word(a.word() + b.word());
  }
  friend constexpr Address operator-(Address a, Address b) {
    return from_word(a.word() - b.word());
  }
};
static_assert(Address{1, 0, 0}.word() == reg::kNodeXField.in(1));
static_assert(Address{0, 1, 0}.word() == reg::kNodeYField.in(1));
static_assert(Address{0, 0, 1}.word() == reg::kNodeZField.in(1));

/// Nodes per dimension, 1..256 each.
struct Size {
  int x = 1, y = 1, z = 1;

  [[nodiscard]] constexpr bool contains(Address a) const { return a.x < x && a.y < y && a.z < z; }
  friend constexpr bool operator==(const Size&, const Size&) = default;
};

}  // namespace annelid::firmware
