#include "reference/costs/between.hpp"

#include <algorithm>
#include <cmath>

namespace annelid::reference {

std::vector<std::uint64_t> lengths_between(const std::vector<std::uint64_t>& lengths) {
  std::vector<std::uint64_t> between;
  for (std::size_t i = 1; i < lengths.size(); ++i) {
    const double mean =
        std::sqrt(static_cast<double>(lengths[i - 1]) * static_cast<double>(lengths[i]));
    const std::uint64_t length =
        std::max<std::uint64_t>(1, static_cast<std::uint64_t>(std::lround(mean / 8))) * 8;
    if (length > lengths[i - 1] && length < lengths[i]) between.push_back(length);
  }
  return between;
}

std::vector<int> counts_between(const std::vector<int>& counts) {
  std::vector<int> between;
  for (std::size_t i = 1; i < counts.size(); ++i) {
    const int n = (counts[i - 1] + counts[i]) / 2;
    if (n > counts[i - 1] && n < counts[i]) between.push_back(n);
  }
  return between;
}

}  // namespace annelid::reference
