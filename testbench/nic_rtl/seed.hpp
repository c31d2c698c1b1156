// The seed of a random comparison, which ANNELID_SEED replaces, and its length.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <string>

namespace annelid::testbench {

inline std::uint64_t number_of(const char* variable, std::uint64_t otherwise) {
  const char* const text = std::getenv(variable);
  return text == nullptr ? otherwise : std::stoull(text);
}
inline std::uint64_t seed() { return number_of("ANNELID_SEED", 1); }
/// A common change that breaks one unit shows within a few hundred cycles.
inline std::uint64_t cycles() { return number_of("ANNELID_LOCKSTEP_CYCLES", 20'000); }

}  // namespace annelid::testbench
