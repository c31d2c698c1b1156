#include "traffic/samples.hpp"

#include <algorithm>
#include <cmath>

namespace annelid::traffic {

void Samples::add_new(std::uint64_t value) {
  if (value >= kDense) {
    ++sparse_[value];
  } else {
    dense_.resize(
        std::max<std::size_t>(value + 1, std::min<std::size_t>(2 * dense_.size(), kDense)));
    ++dense_[value];
  }
}

void Samples::add(std::uint64_t value, std::uint64_t times) {
  if (times == 0) return;
  add(value);
  (value < dense_.size() ? dense_[value] : sparse_[value]) += times - 1;
  count_ += times - 1;
}

std::vector<std::uint64_t> Samples::histogram() const {
  std::vector<std::uint64_t> all;
  for (std::size_t value = 0; value < dense_.size(); ++value) {
    if (dense_[value] > 0) all.insert(all.end(), {value, dense_[value]});
  }
  for (const auto& [value, n] : sparse_) all.insert(all.end(), {value, n});
  return all;
}

void Samples::merge(Exchange& exchange) {
  const std::vector<std::uint64_t> own = histogram();
  const auto all = gathered<std::uint64_t>(exchange, own);
  for (std::size_t rank = 1; rank < all.size(); ++rank) {
    const std::vector<std::uint64_t>& other = all[rank];
    for (std::size_t i = 0; i + 1 < other.size(); i += 2) add(other[i], other[i + 1]);
  }
}

std::optional<std::uint64_t> Samples::min() const {
  if (count_ == 0) return std::nullopt;
  const auto least = std::ranges::find_if(dense_, [](std::uint64_t n) { return n > 0; });
  if (least != dense_.end()) return static_cast<std::uint64_t>(least - dense_.begin());
  return sparse_.begin()->first;
}

std::optional<std::uint64_t> Samples::max() const {
  if (count_ == 0) return std::nullopt;
  if (!sparse_.empty()) return sparse_.rbegin()->first;
  std::size_t value = dense_.size() - 1;
  while (dense_[value] == 0) --value;
  return value;
}

std::optional<double> Samples::mean() const {
  if (count_ == 0) return std::nullopt;
  std::uint64_t sum = 0;
  for (std::size_t value = 0; value < dense_.size(); ++value) sum += value * dense_[value];
  for (const auto& [value, n] : sparse_) sum += value * n;
  return static_cast<double>(sum) / static_cast<double>(count_);
}

std::optional<std::uint64_t> Samples::quantile(double q) const {
  if (count_ == 0) return std::nullopt;
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
  return max();
}

}  // namespace annelid::traffic
