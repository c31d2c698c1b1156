// Where nodes are, in the form of the NIC's registers.
#pragma once

#include <cstdint>

#include "nic_registers.hpp"

namespace annelid::firmware {

/// A node's coordinates, 0..255 each.
struct Address {
  std::uint8_t x = 0, y = 0, z = 0;

  /// The form of the registers NODE, SEND_DESTINATION, RECV_SOURCE.
  [[nodiscard]] constexpr std::uint32_t word() const {
    return reg::kNodeXField.in(x) | reg::kNodeYField.in(y) | reg::kNodeZField.in(z);
  }
  static constexpr Address from_word(std::uint32_t word) {
    return {static_cast<std::uint8_t>(reg::kNodeXField.of(word)),
            static_cast<std::uint8_t>(reg::kNodeYField.of(word)),
            static_cast<std::uint8_t>(reg::kNodeZField.of(word))};
  }
  friend constexpr bool operator==(const Address&, const Address&) = default;
};

/// Nodes per dimension, 1..256 each.
struct Size {
  int x = 1, y = 1, z = 1;

  [[nodiscard]] constexpr bool contains(Address a) const { return a.x < x && a.y < y && a.z < z; }
  friend constexpr bool operator==(const Size&, const Size&) = default;
};

}  // namespace annelid::firmware
