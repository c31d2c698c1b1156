// A counter for each of 64 nodes, stored in binary with one word per digit. Adding 1 to many
// counters costs as much as adding it to one.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

namespace annelid::traffic {

/// Bit n of a word stands for node n. Counters are below 2^32.
class BitCounters {
 public:
  /// Adds 1 to the counter of each node in the word.
  void add(std::uint64_t nodes) {
    for (unsigned d = 0; nodes != 0; ++d) {
      const std::uint64_t carry = digits_[d] & nodes;
      digits_[d] ^= nodes;
      nodes = carry;
      if (d >= used_) used_ = d + 1;
    }
  }
  /// Subtracts 1 from the counter of each node in the word. None of these counters may be 0.
  void subtract(std::uint64_t nodes) {
    for (unsigned d = 0; nodes != 0; ++d) {
      const std::uint64_t borrow = ~digits_[d] & nodes;
      digits_[d] ^= nodes;
      nodes = borrow;
    }
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
  /// The nodes whose counters are not 0.
  [[nodiscard]] std::uint64_t nonzero() const {
    std::uint64_t nodes = 0;
    for (unsigned d = 0; d < used_; ++d) nodes |= digits_[d];
    return nodes;
  }

 private:
  std::array<std::uint64_t, 33> digits_{};
  unsigned used_ = 0;  ///< upper bound of the digits that are not 0 everywhere
};

}  // namespace annelid::traffic
