// The second flit of a packet: the NIC's header (docs/internals/nic/messages.md).
#pragma once

#include <cstdint>

#include "interface/place.hpp"

namespace annelid {

/// The content of a control packet. The receiver applies its parts in the order free, park, ask,
/// offer, grant, request.
struct ControlWord {
  bool offer = false;    ///< the receiver's place `offered` is ready for a message
  bool park = false;     ///< the offer of the place `parked` is returned
  bool ask = false;      ///< requests that parked places be offered again
  bool free = false;     ///< the eager place is free again
  bool request = false;  ///< an open message with the tag `requested` wants a receive
  bool grant = false;    ///< the requested message has the receive `granted`
  Place offered = 0, parked = 0, granted = 0;
  std::uint16_t requested = 0;
  friend bool operator==(const ControlWord&, const ControlWord&) = default;
};

struct PacketHeader {
  reg::PacketKind kind = reg::PacketKind::kData;
  std::uint32_t bytes = 0;     ///< size of the message
  std::uint16_t sequence = 0;  ///< sequence number of the message
  Place place = 0;             ///< for data: the receive place
  ControlWord control;         ///< for a control packet: its content
  friend bool operator==(const PacketHeader&, const PacketHeader&) = default;
};

constexpr std::uint64_t pack(const PacketHeader& h) {
  const auto kind = std::uint64_t{static_cast<std::uint32_t>(h.kind) & 0xf};
  if (h.kind == reg::PacketKind::kControl) {
    const ControlWord& c = h.control;
    return kind | std::uint64_t{c.offer} << 4 | std::uint64_t{c.park} << 5 |
           std::uint64_t{c.ask} << 6 | std::uint64_t{c.free} << 7 | std::uint64_t{c.request} << 8 |
           std::uint64_t{c.grant} << 9 | std::uint64_t{c.requested} << 29 |
           std::uint64_t{c.offered} << 45 | std::uint64_t{c.parked} << 51 |
           std::uint64_t{c.granted} << 57;
  }
  return kind | std::uint64_t{h.bytes & 0x1ffffff} << 4 | std::uint64_t{h.sequence} << 29 |
         std::uint64_t{h.place} << 45;
}

/// Reads the fields that belong to the header's kind, and drops all other bits. So
/// pack(unpack_header(data)) == data if and only if these other bits are 0.
constexpr PacketHeader unpack_header(std::uint64_t data) {
  const auto place = static_cast<Place>(data >> 45 & 0x3f);
  PacketHeader h;
  h.kind = static_cast<reg::PacketKind>(data & 0xf);
  if (h.kind == reg::PacketKind::kControl) {
    ControlWord& c = h.control;
    c.offer = (data >> 4 & 1) != 0;
    c.park = (data >> 5 & 1) != 0;
    c.ask = (data >> 6 & 1) != 0;
    c.free = (data >> 7 & 1) != 0;
    c.request = (data >> 8 & 1) != 0;
    c.grant = (data >> 9 & 1) != 0;
    if (c.request) c.requested = static_cast<std::uint16_t>(data >> 29);
    if (c.grant) c.granted = static_cast<Place>(data >> 57 & 0x3f);
    if (c.offer) c.offered = place;
    if (c.park) c.parked = static_cast<Place>(data >> 51 & 0x3f);
    return h;
  }
  h.bytes = static_cast<std::uint32_t>(data >> 4 & 0x1ffffff);
  h.sequence = static_cast<std::uint16_t>(data >> 29);
  if (h.kind == reg::PacketKind::kData) h.place = place;
  return h;
}

inline constexpr std::uint32_t kFlitBytes = 8;

/// The flits that carry `bytes` bytes of data.
constexpr std::uint32_t data_flits(std::uint32_t bytes) {
  return (bytes + kFlitBytes - 1) / kFlitBytes;
}
/// The length in flits of a packet that carries `bytes` bytes: the head, the header and the data.
constexpr std::uint32_t flits_of(std::uint32_t bytes) { return 2 + data_flits(bytes); }

}  // namespace annelid
