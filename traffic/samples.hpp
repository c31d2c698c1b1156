// Exact statistics of whole numbers, whatever their count.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

namespace annelid::traffic {

/// A multiset of whole numbers, as a histogram: memory grows with the values, not with the count.
class Samples {
 public:
  void add(std::uint64_t value);

  [[nodiscard]] std::uint64_t count() const { return count_; }
  /// 0 if there are none, like all that follow.
  [[nodiscard]] double mean() const;
  /// Nearest rank: the smallest value such that a share of at least q of the samples is not
  /// greater, 0 < q <= 1.
  [[nodiscard]] std::uint64_t quantile(double q) const;
  [[nodiscard]] std::uint64_t min() const { return count_ == 0 ? 0 : min_; }
  [[nodiscard]] std::uint64_t max() const { return max_; }

 private:
  static constexpr std::uint64_t kDense = 1 << 16;  // greater values are rare
  std::vector<std::uint64_t> dense_;
  std::map<std::uint64_t, std::uint64_t> sparse_;
  std::uint64_t count_ = 0, sum_ = 0, min_ = ~std::uint64_t{0}, max_ = 0;
};

}  // namespace annelid::traffic
