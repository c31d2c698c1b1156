// A counter for each of 64 nodes, stored in binary with one word per digit. Subtracting 1 from many
// counters costs as much as subtracting it from one.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

namespace annelid::traffic {

/// Bit n of a word stands for node n. Counters are below 2^32.
class BitCounters {
 public:
  /// Subtracts 1 from the counter of each node in the word, except from those that are 0. Returns
  /// the nodes of those.
  std::uint64_t count_down(std::uint64_t nodes) {
    for (unsigned d = 0; d < used_; ++d) {
      digits_[d] ^= nodes;
      nodes &= digits_[d];
    }
    // A counter that was 0 has only ones now.
    if (nodes != 0) {
      for (unsigned d = 0; d < used_; ++d) digits_[d] ^= nodes;
    }
    return nodes;
  }
  /// Sets a node's counter, which must be 0 before.
  void set(unsigned node, std::uint32_t value) {
    used_ = std::max(used_, static_cast<unsigned>(std::bit_width(value)));
    for (; value != 0; value &= value - 1) {
      digits_[static_cast<unsigned>(std::countr_zero(value))] |= std::uint64_t{1} << node;
    }
  }
  [[nodiscard]] std::uint32_t value(unsigned node) const {
    std::uint32_t value = 0;
    for (unsigned d = 0; d < used_; ++d) {
      value |= static_cast<std::uint32_t>(digits_[d] >> node & 1) << d;
    }
    return value;
  }

 private:
  std::array<std::uint64_t, 32> digits_{};
  unsigned used_ = 0;  ///< upper bound of the digits that are not 0 everywhere
};

}  // namespace annelid::traffic
