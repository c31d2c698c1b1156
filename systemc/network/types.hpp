// The basic types of the network: cycles, nodes, ports, virtual channels, coordinates.
#pragma once

#include <cstdint>

#include "interface/router.hpp"

namespace annelid {

/// A clock cycle, counted from the end of reset.
using Cycle = std::uint64_t;

/// "In no cycle": later than every cycle.
inline constexpr Cycle kNever = ~Cycle{0};

/// A node, as its index in row-major order: (z * size_y + y) * size_x + x.
using NodeId = std::uint32_t;

/// A port of a router (docs/internals/microarchitecture.md, section 2) or a virtual channel of a
/// port.
using Port = std::uint8_t;
using Vc = std::uint8_t;

inline constexpr int kMaxDims = systemc::parameters::kDims.high;
inline constexpr int kMaxExternalPorts = 2 * kMaxDims;
inline constexpr int kMaxLocalPorts = systemc::parameters::kLocalPorts.high;
inline constexpr int kMaxPorts = kMaxExternalPorts + kMaxLocalPorts;
/// Virtual channels of a channel, those for control packets included.
inline constexpr int kMaxVcs = systemc::parameters::kVcs.high;
inline constexpr int kMaxDepth = systemc::parameters::kDepth.high;
inline constexpr int kMaxStages = systemc::parameters::kStages.high;
inline constexpr int kMaxLinkRegisters = systemc::parameters::kLinkRegisters.high;

/// External ports. Local ports follow from 2 * dimensions on (RouterConfig::first_local()).
enum : Port { kPlusX = 0, kMinusX = 1, kPlusY = 2, kMinusY = 3, kPlusZ = 4, kMinusZ = 5 };

/// Coordinates of a node, 0..255 each.
struct Address {
  std::uint8_t x = 0, y = 0, z = 0;
  /// The coordinate along dimension 0, 1 or 2.
  [[nodiscard]] constexpr std::uint8_t operator[](int dim) const {
    return dim == 0 ? x : dim == 1 ? y : z;
  }
  [[nodiscard]] constexpr std::uint8_t& operator[](int dim) {
    return dim == 0 ? x : dim == 1 ? y : z;
  }
  friend bool operator==(const Address&, const Address&) = default;
};

/// Converts an Address to and from the 24 bits in a head flit: x in 7:0, y in 15:8, z in 23:16.
constexpr std::uint32_t pack(Address a) {
  return std::uint32_t{a.x} | std::uint32_t{a.y} << 8 | std::uint32_t{a.z} << 16;
}
constexpr Address unpack_address(std::uint32_t bits) {
  return {static_cast<std::uint8_t>(bits), static_cast<std::uint8_t>(bits >> 8),
          static_cast<std::uint8_t>(bits >> 16)};
}

}  // namespace annelid
