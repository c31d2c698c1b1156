// The number of packets into which a block is divided: docs/internals/algorithms/groups.md,
// "Packets".
#pragma once

#include <algorithm>
#include <cstdint>

namespace annelid::reference {

/// PARAMETER_1 bits 15:0. 0 means the nearest number below sqrt(words * factor), at least 1 and at
/// most one for each word. `factor` is numerator / denominator.
constexpr int packets_of(std::uint32_t parameter, std::uint64_t words, std::uint64_t numerator,
                         std::uint64_t denominator) {
  const std::uint32_t asked = parameter & 0xFFFFU;
  if (asked != 0) return static_cast<int>(asked);
  const std::uint64_t square = words * numerator / denominator;
  std::uint64_t root = 0;
  while ((root + 1) * (root + 1) <= square) ++root;
  return static_cast<int>(std::max<std::uint64_t>(1, std::min(words, root)));
}

/// The start-up of a packet, in cycles, that the choice assumes. A word takes one cycle.
inline constexpr std::uint64_t kReckonedStartUp = 200;

}  // namespace annelid::reference
