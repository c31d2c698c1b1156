// Places in the tables of sends and receives that are under way (docs/internals/nic/registers.md).
#pragma once

#include <cstdint>

#include "interface/registers.hpp"

namespace annelid {

/// The place of a send or a receive in its table, 0..63. A 64-bit word represents a set of places,
/// one bit each.
using Place = std::uint8_t;
using PlaceSet = std::uint64_t;

inline constexpr std::size_t kPlaces = 64;
static_assert(reg::kSendPlaces == kPlaces && reg::kReceivePlaces == kPlaces);

}  // namespace annelid
