// Finds the fastest of several algorithms for each size, from measurements at some sizes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace annelid::studies {

/// This curve is the lowest from this number of bytes up to the next entry's.
struct FastestFrom {
  std::uint64_t from = 0;
  std::size_t curve = 0;
  friend bool operator==(const FastestFrom&, const FastestFrom&) = default;
};

/// `bytes` are the measured sizes, ascending. `cycles` holds a curve for each algorithm, with a
/// number for each size. Between two sizes a curve is a straight line. Where two lines cross, the
/// lower one becomes the fastest at the first multiple of 8 bytes (a flit) at which it is lower by
/// any fraction. Of equally low lines, the previous fastest stays, or else the first is taken. The
/// fastest at the smallest size also counts below it, down to 0, and the fastest at the largest
/// size above it. The result is empty if there is no curve or no size.
[[nodiscard]] std::vector<FastestFrom> fastest(
    const std::vector<std::uint64_t>& bytes, const std::vector<std::vector<std::uint64_t>>& cycles);

/// Returns the sizes to measure next: one at the geometric mean of each pair of neighbouring sizes
/// between which the fastest changes. Sizes are multiples of 8 bytes. A pair without such a size
/// between them gives none.
[[nodiscard]] std::vector<std::uint64_t> sizes_between(const std::vector<std::uint64_t>& bytes,
                                                       const std::vector<FastestFrom>& fastest);

}  // namespace annelid::studies
