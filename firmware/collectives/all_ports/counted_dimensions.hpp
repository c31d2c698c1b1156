// The dimensions of the network that have more than one node, and which of them are wide rings:
// docs/internals/algorithms/all-ports.md, "Conventions".
#pragma once

#include <cstdint>

#include "firmware/platform/topology.hpp"

namespace annelid::firmware {

/// The dimensions that count, in the order x, y, z.
struct CountedDimensions {
  static constexpr std::uint32_t kMost = 3;

  explicit CountedDimensions(const Topology& network) {
    const std::uint32_t sizes[] = {network.x().value(), network.y().value(), network.z().value()};
    for (std::uint32_t d = 0; d < kMost; ++d) {
      if (sizes[d] == 1) continue;
      dimension[count] = static_cast<std::uint8_t>(d);
      size[count] = static_cast<std::uint16_t>(sizes[d]);
      if (sizes[d] == 2 || !network.is_ring(static_cast<int>(d))) all_wide_rings = false;
      ++count;
    }
  }

  /// Returns a node's coordinate in dimension i of those that count.
  [[nodiscard]] std::uint32_t coordinate(Address node, std::uint32_t i) const {
    return node.word() >> 8 * dimension[i] & 0xFF;
  }
  /// Returns the node that has another coordinate there.
  [[nodiscard]] Address with(Address node, std::uint32_t i, std::uint32_t coordinate) const {
    const std::uint32_t shift = 8U * dimension[i];
    return Address::from_word((node.word() & ~(0xFFU << shift)) | coordinate << shift);
  }

  std::uint32_t count = 0;
  bool all_wide_rings = true;  ///< each is a ring of at least three nodes
  std::uint8_t dimension[kMost] = {0, 0, 0};
  std::uint16_t size[kMost] = {1, 1, 1};
};

}  // namespace annelid::firmware
