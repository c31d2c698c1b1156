// Which of several algorithms is the fastest for which sizes, from measurements at some of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace annelid::studies {

/// From so many bytes on, until the next one's, this curve is the lowest.
struct FastestFrom {
  std::uint64_t from = 0;
  std::size_t curve = 0;
  friend bool operator==(const FastestFrom&, const FastestFrom&) = default;
};

/// `bytes` are the measured sizes, ascending; `cycles` holds a curve for each algorithm, a number
/// for each size. Between two sizes a curve is taken as a straight line. Where two lines cross, the
/// lower one counts from the first multiple of 8 bytes (a flit) at which it is lower by any
/// fraction; of equally low ones that which was it before, or the first. Below the
/// smallest size counts what is the fastest there, from 0 on, and above the largest likewise.
/// Empty if there is no curve or no size.
[[nodiscard]] std::vector<FastestFrom> fastest(
    const std::vector<std::uint64_t>& bytes, const std::vector<std::vector<std::uint64_t>>& cycles);

/// The sizes to measure, one in the (geometric) middle of each pair of neighbouring sizes between
/// which the fastest changes, in multiples of 8 bytes; none where there is no such size left.
[[nodiscard]] std::vector<std::uint64_t> sizes_between(const std::vector<std::uint64_t>& bytes,
                                                       const std::vector<FastestFrom>& fastest);

}  // namespace annelid::studies
