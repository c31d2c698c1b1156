// Lengths and numbers of processes between those of a fit, which check it.
#pragma once

#include <cstdint>
#include <vector>

namespace annelid::reference {

/// Between each two lengths, a multiple of 8 near their geometric mean.
[[nodiscard]] std::vector<std::uint64_t> lengths_between(const std::vector<std::uint64_t>& lengths);
/// In the middle of each two numbers.
[[nodiscard]] std::vector<int> counts_between(const std::vector<int>& counts);

}  // namespace annelid::reference
