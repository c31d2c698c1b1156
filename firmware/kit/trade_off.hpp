// Which of CCL's algorithms an operation takes for given costs: Bala and others 1995, Sections 4.1
// and 4.2; docs/internals/algorithms/trade-offs.md has the algorithms and the measures.
#pragma once

#include <cstdint>

#include "firmware/kit/include/nic.h"
#include "interface/registers.hpp"

namespace annelid::firmware::kit {

/// C1, C2 and C3 of an operation: steps, bytes in sequence, bytes of all messages.
struct Measures {
  std::uint64_t steps = 0, in_sequence = 0, of_all = 0;
};

/// T = C1 ts + C2 tc + f(C3), in cycles, rounded down.
std::uint64_t time_of(const Measures& measures, const nic_costs& costs);

/// `bytes` are those of a block, of p ranks.
Measures measures_of_leaders(std::uint32_t p, std::uint32_t k, std::uint64_t bytes);
Measures measures_of_leaders_scan(std::uint32_t p, std::uint32_t k, std::uint64_t bytes);
Measures measures_of_radix_tree(std::uint32_t p, std::uint32_t radix, std::uint64_t bytes);
Measures measures_of_radix_exchange(std::uint32_t p, std::uint32_t radix, std::uint64_t bytes);

/// Puts the algorithm with the smallest T, of those that the program has, and its parameter into
/// `choice`, which has the costs. Of several it is the one with the smallest parameter. Leaves the
/// choice without an algorithm if the program has none of them.
void choose_by_costs(reg::Operation operation, std::uint32_t p, std::uint64_t bytes,
                     nic_choice& choice);

}  // namespace annelid::firmware::kit
