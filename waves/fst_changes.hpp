// Reads the changes in a block of an FST file that FstBlock has made.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "waves/fst_input.hpp"

namespace annelid::waves {

/// A value and the first time at which it holds. Bits are a text of 0 and 1.
struct FstChange {
  std::uint64_t time = 0;
  std::string value;
};

/// Accepts only what this program writes, and treats anything else as damage. Its memory is bounded
/// by the block's size.
class FstChanges {
 public:
  /// `block` is the block without its first byte, which gives its type; it must outlive this
  /// object. `at` is the block's position in the file. `widths` has a width in bits for each
  /// signal, 0 for text. Throws FstDamage if the block is damaged.
  FstChanges(std::string_view block, std::uint64_t at, const std::vector<std::uint32_t>& widths);

  [[nodiscard]] std::uint64_t begin() const { return times_.front(); }
  [[nodiscard]] std::uint64_t end() const { return times_.back(); }
  /// Appends the changes of one signal. Throws FstDamage if they are damaged.
  void append(std::uint32_t signal, std::vector<FstChange>& changes) const;

 private:
  struct Chain {
    std::uint64_t signal = 0, begin = 0, end = 0;
  };

  void read_times(FstInput& numbers, std::uint64_t begin, std::uint64_t end);
  void read_index(FstInput index, std::uint64_t unpacked);

  const std::vector<std::uint32_t>& widths_;
  std::string_view bytes_;  // of all chains
  std::uint64_t bytes_at_ = 0;
  std::vector<std::uint64_t> times_;
  std::vector<Chain> chains_;  // of the signals that change, in ascending order
};

}  // namespace annelid::waves
