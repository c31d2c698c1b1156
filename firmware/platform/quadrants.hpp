// Ranks by quadrants, of networks whose sizes are powers of two:
// docs/internals/algorithms/groups.md, "Ranks and embeddings".
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "firmware/address.hpp"

namespace annelid::firmware {

/// Each halving of such a network decides one bit of a rank, and the same bit decides one bit of a
/// coordinate. So ranks become addresses by a table for each three bits of a rank.
class Quadrants {
 public:
  constexpr Quadrants(Size size, Address self) {
    static_assert(kMostBits % kIndex == 0);
    std::uint32_t left[] = {log2(size.x), log2(size.y), log2(size.z)};
    bits_ = left[0] + left[1] + left[2];
    powers_of_two_ = (std::uint32_t{1} << left[0]) == static_cast<std::uint32_t>(size.x) &&
                     (std::uint32_t{1} << left[1]) == static_cast<std::uint32_t>(size.y) &&
                     (std::uint32_t{1} << left[2]) == static_cast<std::uint32_t>(size.z);
    if (!powers_of_two_) return;
    for (std::uint32_t i = bits_; i-- > 0;) {
      std::uint32_t d = left[1] >= left[0] ? 1 : 0;
      if (left[2] >= left[d]) d = 2;  // of equally long ones the last
      bit_[i] = std::uint32_t{1} << (8 * d + --left[d]);
    }
    for (std::uint32_t i = 0; i < bits_; ++i) {
      std::uint32_t* const words = &words_[i / kIndex << kIndex];
      const std::uint32_t half = std::uint32_t{1} << i % kIndex;
      if (half == 1) words[0] = 0;
      for (std::uint32_t j = 0; j < half; ++j) words[half + j] = words[j] | bit_[i];
    }
    own_ = rank_of(self);
  }

  /// Whether the sizes are powers of two; else nothing else may be asked.
  [[nodiscard]] constexpr bool powers_of_two() const { return powers_of_two_; }
  /// The rank of the process itself.
  [[nodiscard]] constexpr std::uint32_t own() const { return own_; }
  [[nodiscard]] constexpr std::uint32_t rank_of(Address node) const {
    std::uint32_t rank = 0, i = 0;
    for (std::uint32_t word = node.word(); word != 0; ++i) {
      if ((word & bit_[i]) == 0) continue;
      word ^= bit_[i];
      rank |= std::uint32_t{1} << i;
    }
    return rank;
  }
  [[nodiscard]] constexpr Address address(std::uint32_t rank) const {
    std::uint32_t word = 0;
    for (const std::uint32_t* words = words_.data(); rank != 0; words += 1 << kIndex) {
      word |= words[rank % (1 << kIndex)];
      rank >>= kIndex;
    }
    return Address::from_word(word);
  }

 private:
  static constexpr std::uint32_t kMostBits = 24, kIndex = 3;
  static constexpr std::uint32_t log2(int size) {
    return static_cast<std::uint32_t>(std::bit_width(static_cast<std::uint32_t>(size))) - 1;
  }

  bool powers_of_two_ = false;
  std::uint32_t bits_ = 0, own_ = 0;
  std::array<std::uint32_t, kMostBits> bit_{};  ///< of an address's word, for each bit of a rank
  std::array<std::uint32_t, kMostBits / kIndex << kIndex> words_{};
};

}  // namespace annelid::firmware
