// A flit on a channel, and the fields of a head flit (docs/internals/microarchitecture.md, section
// 3).
#pragma once

#include <cstdint>

#include "systemc/network/types.hpp"

namespace annelid::systemc {

/// One flit on a channel: 64 bits of data, and its side-band signals. It takes 16 bytes.
struct Flit {
  std::uint64_t data = 0;
  Vc vc = 0;  ///< the virtual channel at the receiver that takes it
  bool head = false;
  bool tail = false;
  friend bool operator==(const Flit&, const Flit&) = default;
};

/// The fields in the data of a head flit.
struct HeadFields {
  Address destination, source;
  std::uint16_t tag = 0;
  friend bool operator==(const HeadFields&, const HeadFields&) = default;
};

constexpr std::uint64_t pack(const HeadFields& h) {
  return std::uint64_t{pack(h.destination)} | std::uint64_t{pack(h.source)} << 24 |
         std::uint64_t{h.tag} << 48;
}
constexpr HeadFields unpack_head(std::uint64_t data) {
  return {unpack_address(static_cast<std::uint32_t>(data & 0xffffff)),
          unpack_address(static_cast<std::uint32_t>(data >> 24 & 0xffffff)),
          static_cast<std::uint16_t>(data >> 48)};
}

}  // namespace annelid::systemc
