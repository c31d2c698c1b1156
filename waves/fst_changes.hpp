// The changes in a block of an FST file, see FstBlock.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "waves/fst_input.hpp"

namespace annelid::waves {

/// A value and its first time; bits as text of 0 and 1.
struct FstChange {
  std::uint64_t time = 0;
  std::string value;
};

/// What the program writes; anything else is taken for damage. Its memory is bounded by the
/// block's size.
class FstChanges {
 public:
  /// `block` is all of it but the byte that says what it is, and stays where it is; `at` is its
  /// place in the file. `widths` by signal, 0: text. Throws FstDamage.
  FstChanges(std::string_view block, std::uint64_t at, const std::vector<std::uint32_t>& widths);

  [[nodiscard]] std::uint64_t begin() const { return times_.front(); }
  [[nodiscard]] std::uint64_t end() const { return times_.back(); }
  /// Appends the changes of one signal. Throws FstDamage.
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
  std::vector<Chain> chains_;  // of the signals that change, ascending
};

}  // namespace annelid::waves
