// The least number of steps in which something that grows by a factor reaches a number.
#pragma once

#include <cstdint>

namespace annelid::firmware {

/// The logarithm of n >= 1 to the base, rounded up.
inline int log_rounded_up(int base, int n) {
  int steps = 0;
  for (int reached = 1; reached < n; reached *= base) ++steps;
  return steps;
}
inline std::uint32_t log2_rounded_up(std::uint32_t n) {
  std::uint32_t steps = 0;
  while (1U << steps < n) ++steps;
  return steps;
}

}  // namespace annelid::firmware
