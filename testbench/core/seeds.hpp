// The seeds of a random test: ANNELID_SEED sets the first, ANNELID_SEEDS how many there are. They
// are printed, so that a failure can be repeated.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <numeric>
#include <vector>

namespace annelid::test {

inline std::vector<std::uint32_t> seeds(std::uint32_t count) {
  const auto from = [](const char* name, std::uint32_t otherwise) {
    const char* set = std::getenv(name);
    return set == nullptr ? otherwise : static_cast<std::uint32_t>(std::strtoul(set, nullptr, 0));
  };
  const std::uint32_t first = from("ANNELID_SEED", 20250101);
  std::vector<std::uint32_t> all(from("ANNELID_SEEDS", count));
  std::iota(all.begin(), all.end(), first);
  std::cout << all.size() << " seeds from " << first << " (ANNELID_SEEDS, ANNELID_SEED)\n";
  return all;
}

}  // namespace annelid::test
