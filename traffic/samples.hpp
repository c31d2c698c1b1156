// Exact statistics of any number of integers.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "base/exchange.hpp"

namespace annelid::traffic {

/// A multiset of integers as a histogram. Its memory grows with the values, not with their number.
class Samples {
 public:
  void add(std::uint64_t value) {
    ++count_;
    if (value < dense_.size()) {
      ++dense_[value];
    } else {
      add_new(value);
    }
  }

  /// Adds so many samples of a value.
  void add(std::uint64_t value, std::uint64_t times);
  /// All values that there are, with the number of samples of each: value, number, value, ...
  [[nodiscard]] std::vector<std::uint64_t> histogram() const;
  /// Collective: process 0 gets the samples of all processes.
  void merge(Exchange& exchange);

  [[nodiscard]] std::uint64_t count() const { return count_; }
  /// The mean. This and all functions below return nothing if there are no samples.
  [[nodiscard]] std::optional<double> mean() const;
  /// Nearest rank, for 0 < q <= 1: the smallest value such that at least the share q of the samples
  /// is not greater.
  [[nodiscard]] std::optional<std::uint64_t> quantile(double q) const;
  [[nodiscard]] std::optional<std::uint64_t> min() const;
  [[nodiscard]] std::optional<std::uint64_t> max() const;

 private:
  static constexpr std::uint64_t kDense = 1 << 16;  // values from here on are rare
  void add_new(std::uint64_t value);

  std::vector<std::uint64_t> dense_;
  std::map<std::uint64_t, std::uint64_t> sparse_;
  std::uint64_t count_ = 0;
};

}  // namespace annelid::traffic
