#include "nic/completions.hpp"

#include <bit>

#include "nic/descriptor.hpp"

namespace annelid::nic {

std::uint32_t Completions::space(const Table& table) {
  return static_cast<std::uint32_t>(std::popcount(~table.occupied));
}

Place Completions::occupy(Table& table) {
  assert(~table.occupied != 0);
  const auto place = static_cast<Place>(std::countr_one(table.occupied));
  table.occupied |= PlaceSet{1} << place;
  return place;
}

void Completions::enter(Table& table, Place place, const Entry& entry) {
  table.entries.set(place, entry);
  table.entries[place].age = table.started++;
}

Place Completions::start(Table& table, const Entry& entry) {
  const Place place = occupy(table);
  enter(table, place, entry);
  return place;
}

Place Completions::reserve(Table& table) {
  const Place place = occupy(table);
  table.reserved |= PlaceSet{1} << place;
  return place;
}

void Completions::release(Table& table, Place place) {
  table.reserved &= ~(PlaceSet{1} << place);
  table.occupied &= ~(PlaceSet{1} << place);
}

void Completions::issue(Table& table, Place place) {
  table.reserved &= ~(PlaceSet{1} << place);
  enter(table, place, {.notify = static_cast<std::uint16_t>(kNotifiesNobody)});
}

Place Completions::start_send(std::uint16_t id, std::uint32_t notify, std::uint32_t bytes) {
  return start(sends_, {.bytes = bytes, .id = id, .notify = static_cast<std::uint16_t>(notify)});
}

Place Completions::start_receive(std::uint16_t id, std::uint32_t notify) {
  return start(receives_, {.id = id, .notify = static_cast<std::uint16_t>(notify)});
}

std::uint32_t Completions::oldest() const {
  if (queue_.empty()) return 0;
  const Queued& first = queue_.front();
  if (first.of == Queued::Of::kList) {
    return reg::kCompletionValidField.in(1) | reg::kCompletionListField.in(1) |
           reg::kCompletionFailedField.in(first.list.failed) |
           reg::kCompletionIdField.in(first.list.handle);
  }
  const bool receive = first.of == Queued::Of::kReceive;
  const Entry& entry = (receive ? receives_ : sends_).entries[first.place];
  return reg::kCompletionValidField.in(1) | reg::kCompletionReceiveField.in(receive) |
         reg::kCompletionFailedField.in(entry.failed) | reg::kCompletionIdField.in(entry.id);
}

std::uint32_t Completions::take() {
  const std::uint32_t value = oldest();
  if (value == 0) return value;
  const Queued first = queue_.pop();
  if (first.of == Queued::Of::kList) {
    --lists_waiting_;
    taken_bytes_ = 0;
    return value;
  }
  Table& table = first.of == Queued::Of::kReceive ? receives_ : sends_;
  table.occupied &= ~(PlaceSet{1} << first.place);
  taken_bytes_ = table.entries[first.place].bytes;
  taken_place_ = first.place;
  return value;
}

void Completions::say(Said& said, Place place, unsigned by) {
  assert(by < said.places.size() && (said.by >> by & 1) == 0);
  said.places[by] = place;
  said.by |= 1u << by;
}

void Completions::sent(Place send, unsigned by, bool failed) {
  sends_.entries[send].failed = failed;
  say(sent_, send, by);
}

void Completions::received(Place receive, unsigned by, std::uint32_t bytes, bool failed,
                           Cycle now) {
  receives_.entries[receive].bytes = bytes;
  receives_.entries[receive].failed = failed;
  if (by == kUnit || gamma_ > 0) {
    held_.push({receive, now + gamma_});
  } else {
    say(received_, receive, by);
  }
}

Completions::Completed Completions::commit(Cycle now) {
  Completed completed;
  if (!held_.empty()) complete_held(now, completed);
  for (; received_.by != 0; received_.by &= received_.by - 1) {
    complete(true, received_.places[std::countr_zero(received_.by)], completed);
  }
  // The trigger unit acts before the engines.
  if ((sent_.by >> kUnit & 1) != 0) complete(false, sent_.places[kUnit], completed);
  for (sent_.by &= ~(1u << kUnit); sent_.by != 0; sent_.by &= sent_.by - 1) {
    complete(false, sent_.places[std::countr_zero(sent_.by)], completed);
  }
  for (const Ended& list : ended_) {
    queue_.push({Queued::Of::kList, 0, list});
    ++lists_waiting_;
  }
  ended_.clear();
  return completed;
}

void Completions::complete_held(Cycle now, Completed& completed) {
  PlaceSet due = 0;
  while (!held_.empty() && held_.front().due <= now) {
    assert(held_.front().due == now);  // earlier would be a cycle that was slept through
    due |= PlaceSet{1} << held_.pop().place;
  }
  while (due != 0) {  // by age
    auto oldest = static_cast<Place>(std::countr_zero(due));
    for (PlaceSet rest = due; rest != 0; rest &= rest - 1) {
      const auto place = static_cast<Place>(std::countr_zero(rest));
      if (receives_.entries[place].age < receives_.entries[oldest].age) oldest = place;
    }
    due &= ~(PlaceSet{1} << oldest);
    complete(true, oldest, completed);
  }
}

void Completions::complete(bool receive, Place place, Completed& completed) {
  Table& table = receive ? receives_ : sends_;
  (receive ? completed.receives : completed.sends) |= PlaceSet{1} << place;
  const std::uint32_t notify = table.entries[place].notify;
  const std::uint32_t counter = reg::kSendNotifyCounterField.of(notify);
  if (counter != reg::kNoCounter) ++counters_[counter];
  if (reg::kSendNotifyQuietField.of(notify) != 0) {
    table.occupied &= ~(PlaceSet{1} << place);
  } else {
    queue_.push({receive ? Queued::Of::kReceive : Queued::Of::kSend, place});
  }
}

}  // namespace annelid::nic
