#include "nic/trigger_unit.hpp"

#include <cassert>

namespace annelid::nic {

void TriggerUnit::hold(Place send, std::uint8_t counter, std::uint32_t threshold) {
  assert(sends_.size() < kPlaces && counter < reg::kCounters);
  sends_.push_back({send, counter, threshold});
}

std::optional<Place> TriggerUnit::fire(CounterValues counters) {
  const std::size_t first = find(counters);
  if (first == sends_.size()) return std::nullopt;
  const Place send = sends_[first].send;
  sends_.erase(sends_.begin() + static_cast<std::ptrdiff_t>(first));
  return send;
}

std::size_t TriggerUnit::find(CounterValues counters) const {
  std::size_t i = 0;
  while (i < sends_.size() && counters[sends_[i].counter] < sends_[i].threshold) ++i;
  return i;
}

}  // namespace annelid::nic
