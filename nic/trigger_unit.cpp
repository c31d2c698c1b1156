#include "nic/trigger_unit.hpp"

#include <algorithm>
#include <cassert>

namespace annelid::nic {

void TriggerUnit::hold(Place send, std::uint8_t counter, std::uint32_t threshold) {
  assert(held_ < kPlaces && counter < reg::kCounters);
  sends_[held_++] = {send, counter, threshold};
}

std::optional<Place> TriggerUnit::fire(CounterValues counters) {
  const std::size_t first = find(counters);
  if (first == held_) return std::nullopt;
  const Place send = sends_[first].send;
  std::copy(sends_.begin() + first + 1, sends_.begin() + held_, sends_.begin() + first);
  --held_;
  return send;
}

std::size_t TriggerUnit::find(CounterValues counters) const {
  std::size_t i = 0;
  while (i < held_ && counters[sends_[i].counter] < sends_[i].threshold) ++i;
  return i;
}

}  // namespace annelid::nic
