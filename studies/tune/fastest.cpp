#include "studies/tune/fastest.hpp"

#include <algorithm>
#include <cmath>

namespace annelid::studies {
namespace {

constexpr std::uint64_t kFlit = 8;

std::uint64_t in_flits(std::uint64_t bytes) { return (bytes + kFlit - 1) / kFlit * kFlit; }

/// A stretch between two measured sizes, in which all curves are lines.
struct Stretch {
  std::int64_t from, to;                 ///< bytes
  std::vector<std::int64_t> start, end;  ///< cycles of each curve

  /// The first size, in bytes, at which line `b` is below line `a`, which is not above it at the
  /// place that is looked at: `to` + 1 if there is none.
  [[nodiscard]] std::int64_t below(std::size_t b, std::size_t a) const {
    const std::int64_t gain = end[a] - end[b], loss = start[b] - start[a];
    if (gain <= 0) return to + 1;
    // b(n) < a(n) where loss (to - n) < gain (n - from).
    return (loss * to + gain * from) / (loss + gain) + 1;
  }
};

std::size_t lowest(const std::vector<std::int64_t>& cycles) {
  return static_cast<std::size_t>(std::ranges::min_element(cycles) - cycles.begin());
}

/// Adds the changes within a stretch; `now` is the lowest at its start.
void add_changes(const Stretch& s, std::size_t now, std::vector<FastestFrom>& all) {
  for (;;) {
    std::int64_t first = s.to + 1;
    std::size_t next = now;
    for (std::size_t curve = 0; curve < s.end.size(); ++curve) {
      const std::int64_t place = s.below(curve, now);
      const bool sooner = place < first || (place == first && s.end[curve] < s.end[next]);
      if (curve == now || !sooner || place > s.to) continue;
      first = place;
      next = curve;
    }
    if (next == now) return;
    const std::uint64_t from =
        std::min(in_flits(static_cast<std::uint64_t>(first)), static_cast<std::uint64_t>(s.to));
    if (all.back().from == from) all.pop_back();  // it was the lowest within one flit
    if (all.empty() || all.back().curve != next) all.push_back({from, next});
    now = next;
  }
}

}  // namespace

std::vector<FastestFrom> fastest(const std::vector<std::uint64_t>& bytes,
                                 const std::vector<std::vector<std::uint64_t>>& cycles) {
  if (bytes.empty() || cycles.empty()) return {};
  const auto at = [&](std::size_t size) {
    std::vector<std::int64_t> values;
    values.reserve(cycles.size());
    for (const auto& curve : cycles) values.push_back(static_cast<std::int64_t>(curve[size]));
    return values;
  };
  std::vector<FastestFrom> all = {{0, lowest(at(0))}};
  for (std::size_t i = 0; i + 1 < bytes.size(); ++i) {
    const Stretch stretch{static_cast<std::int64_t>(bytes[i]),
                          static_cast<std::int64_t>(bytes[i + 1]), at(i), at(i + 1)};
    add_changes(stretch, all.back().curve, all);
  }
  return all;
}

std::vector<std::uint64_t> sizes_between(const std::vector<std::uint64_t>& bytes,
                                         const std::vector<FastestFrom>& fastest) {
  std::vector<std::uint64_t> sizes;
  for (std::size_t i = 0; i + 1 < bytes.size(); ++i) {
    const std::uint64_t low = bytes[i], high = bytes[i + 1];
    const bool changes = std::ranges::any_of(fastest, [&](const FastestFrom& f) {
      return f.from > low && f.from <= high && f.from != 0;
    });
    const double middle = std::sqrt(static_cast<double>(low) * static_cast<double>(high));
    const std::uint64_t size = in_flits(static_cast<std::uint64_t>(middle));
    if (changes && low < size && size < high) sizes.push_back(size);
  }
  return sizes;
}

}  // namespace annelid::studies
