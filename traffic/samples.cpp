#include "traffic/samples.hpp"

#include <algorithm>
#include <cmath>

namespace annelid::traffic {

void Samples::add(std::uint64_t value) {
  if (value >= kDense) {
    ++sparse_[value];
  } else {
    if (value >= dense_.size()) dense_.resize(std::max<std::size_t>(value + 1, 2 * dense_.size()));
    ++dense_[value];
  }
  ++count_;
  sum_ += value;
  min_ = std::min(min_, value);
  max_ = std::max(max_, value);
}

double Samples::mean() const {
  return count_ == 0 ? 0 : static_cast<double>(sum_) / static_cast<double>(count_);
}

std::uint64_t Samples::quantile(double q) const {
  // The tolerance keeps 0.95 * 100 at 95, whatever the rounding of 0.95.
  const double wanted = std::ceil(q * static_cast<double>(count_) * (1 - 1e-12));
  const auto rank = std::max<std::uint64_t>(1, static_cast<std::uint64_t>(wanted));
  std::uint64_t seen = 0;
  for (std::size_t value = 0; value < dense_.size(); ++value) {
    seen += dense_[value];
    if (seen >= rank) return value;
  }
  for (const auto& [value, n] : sparse_) {
    seen += n;
    if (seen >= rank) return value;
  }
  return max_;
}

}  // namespace annelid::traffic
