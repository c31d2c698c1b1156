#include "nic/trigger_unit.hpp"

#include <algorithm>
#include <cassert>

namespace annelid::nic {

void TriggerUnit::hold(Place send, std::uint8_t counter, std::uint32_t threshold) {
  assert(sends_.size() < kPlaces && counter < reg::kCounters);
  sends_.push_back({.send = send, .counter = counter, .threshold = threshold, .listed = {}});
}

void TriggerUnit::hold(Place send, const Listed& listed) {
  assert(sends_.size() < kPlaces && listed.list < ListPlaces::kLists);
  sends_.push_back({.send = send, .listed = listed});
}

std::optional<Place> TriggerUnit::fire(CounterValues counters) {
  const std::size_t first = find(counters);
  if (first == sends_.size()) return std::nullopt;
  const Held held = sends_[first];
  sends_.erase(sends_.begin() + static_cast<std::ptrdiff_t>(first));
  if (held.listed) lists_.released(held.listed->list);
  return held.send;
}

std::size_t TriggerUnit::find(CounterValues counters) {
  for (std::size_t i = 0; i < sends_.size(); ++i) {
    const Held& held = sends_[i];
    if (held.listed ? can_fire_listed(i) : counters[held.counter] >= held.threshold) return i;
  }
  return sends_.size();
}

/// A list is looked at again only after it has changed.
bool TriggerUnit::can_fire_listed(std::size_t i) {
  Held& held = sends_[i];
  const std::uint64_t changes = lists_[held.listed->list].changes;
  if (held.stuck == changes) return false;
  const bool can =
      lists_.met(held.listed->list, held.listed->dependencies) && !alike_before(i, *held.listed);
  if (!can) held.stuck = changes;
  return can;
}

bool TriggerUnit::alike_before(std::size_t end, const Listed& listed) const {
  if (listed.join) return false;
  const auto last = sends_.begin() + static_cast<std::ptrdiff_t>(end);
  return std::any_of(sends_.begin(), last, [&](const Held& held) {
    return held.listed && !held.listed->join && held.listed->list == listed.list &&
           held.listed->destination == listed.destination && held.listed->tag == listed.tag;
  });
}

const TriggerUnit::Listed* TriggerUnit::listed(Place send) const {
  const auto found = std::ranges::find(sends_, send, &Held::send);
  return found == sends_.end() || !found->listed ? nullptr : &*found->listed;
}

}  // namespace annelid::nic
