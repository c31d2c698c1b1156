// The second flit of a packet: the NIC's header (docs/nic.md, section 4).
#pragma once

#include <cstdint>

#include "nic_registers.hpp"

namespace annelid {

struct PacketHeader {
  reg::PacketKind kind = reg::PacketKind::kData;
  std::uint32_t bytes = 0;     ///< of the message; the room, in a grant
  std::uint16_t sequence = 0;  ///< of the pair and kind
  std::uint16_t slot = 0;      ///< of the receive
  friend bool operator==(const PacketHeader&, const PacketHeader&) = default;
};

constexpr std::uint64_t pack(const PacketHeader& h) {
  return std::uint64_t{static_cast<std::uint32_t>(h.kind) & 0xf} |
         std::uint64_t{h.bytes & 0x1ffffff} << 4 | std::uint64_t{h.sequence} << 29 |
         std::uint64_t{h.slot} << 45;
}

/// Bits 63:61 are lost; pack(unpack_header(data)) == data says that they are 0.
constexpr PacketHeader unpack_header(std::uint64_t data) {
  return {static_cast<reg::PacketKind>(data & 0xf),
          static_cast<std::uint32_t>(data >> 4 & 0x1ffffff), static_cast<std::uint16_t>(data >> 29),
          static_cast<std::uint16_t>(data >> 45)};
}

inline constexpr std::uint32_t kFlitBytes = 8;

/// The length of a packet that carries `bytes` bytes, in flits: head, header, data.
constexpr std::uint32_t flits_of(std::uint32_t bytes) {
  return 2 + (bytes + kFlitBytes - 1) / kFlitBytes;
}

}  // namespace annelid
