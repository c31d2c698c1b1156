#include "nic/combine_unit.hpp"

#include <algorithm>
#include <bit>
#include <cassert>

#include "interface/packet.hpp"
#include "nic/arithmetic.hpp"

namespace annelid::nic {

CombineUnit::CombineUnit(NodeMemory& memory, unsigned lanes) : memory_(memory), lanes_(lanes) {
  assert(lanes >= 1 && lanes <= kMaxLanes);
}

void CombineUnit::post(Place place, const CombiningReceive& receive) {
  assert(count_ < kPlaces && receive.room % element_bytes(receive.type) == 0);
  PlaceSet before = 0;
  for (std::size_t age = 0; age < count_; ++age) {
    const Place older = order_[age];
    if (receive.depends_on(receives_[older].what)) before |= PlaceSet{1} << older;
  }
  receives_.set(place, {.what = receive,
                        .before = before,
                        .bytes = receive.room,
                        .flits = data_flits(receive.room)});
  order_[count_++] = place;
}

void CombineUnit::begin(Place place, std::uint32_t bytes) {
  Receive& receive = receives_[place];
  assert(!receive.begun && bytes <= receive.what.room &&
         bytes % element_bytes(receive.what.type) == 0);
  receive.begun = true;
  receive.bytes = bytes;
  receive.flits = data_flits(bytes);
  if (bytes == 0) empty_ |= PlaceSet{1} << place;
}

void CombineUnit::stage(Place place, Cycle now) {
  Receive& receive = receives_[place];
  assert(receive.begun && receive.staged < receive.flits);
  if (receive.last_staged != now) {
    receive.last_staged = now;
    receive.staged_before = receive.staged;
  }
  ++receive.staged;
}

void CombineUnit::drop(Place place) {
  for (Stage& stage : pipeline_) {
    std::erase_if(stage.flights, [&](const Flight& flight) { return flight.place == place; });
  }
  empty_ &= ~(PlaceSet{1} << place);
  forget(place);
}

CombineUnit::Done CombineUnit::step(Cycle now, unsigned budget) {
  Done done;
  // Starts come before writes, so that what is written in this cycle is not yet done.
  const unsigned most = std::min(lanes_, budget);
  for (std::size_t age = 0; age < count_ && done.accesses < most; ++age) {
    if (!startable(age, now)) continue;
    start(order_[age], now);
    ++done.accesses;
  }
  Stage& due = stage_of(now);
  assert(due.flights.empty() || due.written == now);  // else a cycle was slept through
  write(due, done.completed);

  done.completed |= empty_;
  for (; empty_ != 0; empty_ &= empty_ - 1) forget(static_cast<Place>(std::countr_zero(empty_)));
  return done;
}

bool CombineUnit::startable(std::size_t age, Cycle now) const {
  const Receive& receive = receives_[order_[age]];
  const std::uint32_t flit = receive.started;
  if (flit >= receive.visible(now)) return false;
  for (PlaceSet set = receive.before; set != 0; set &= set - 1) {
    const Receive& older = receives_[static_cast<Place>(std::countr_zero(set))];
    if (older.flits > flit && older.done <= flit) return false;
  }
  return true;
}

void CombineUnit::start(Place place, Cycle now) {
  Receive& receive = receives_[place];
  const std::uint32_t first = receive.started++ * kFlitBytes;
  const std::uint32_t bytes = std::min(receive.bytes - first, kFlitBytes);
  std::uint64_t left = memory_.load(receive.what.operand + first, bytes);
  std::uint64_t right = memory_.load(receive.what.staging + first, bytes);
  if (receive.what.message_left) std::swap(left, right);

  Stage& stage = stage_of(now + kLatency);
  stage.written = now + kLatency;
  stage.flights.push_back(
      {.place = place,
       .bytes = static_cast<std::uint8_t>(bytes),
       .offset = receive.what.target + first,
       .value = combine(receive.what.operation, receive.what.type, left, right)});
  ++flits_;
}

void CombineUnit::write(Stage& stage, PlaceSet& completed) {
  for (const Flight& flight : stage.flights) {
    memory_.store(flight.offset, flight.value, flight.bytes);
    Receive& receive = receives_[flight.place];
    if (++receive.done < receive.flits) continue;
    completed |= PlaceSet{1} << flight.place;
    forget(flight.place);
  }
  stage.flights.clear();
}

void CombineUnit::forget(Place place) {
  auto* const last = order_.begin() + count_;
  auto* const at = std::find(order_.begin(), last, place);
  assert(at != last);
  std::copy(at + 1, last, at);
  --count_;
  for (std::size_t age = 0; age < count_; ++age) {
    receives_[order_[age]].before &= ~(PlaceSet{1} << place);
  }
}

bool CombineUnit::completes_one() const {
  return std::any_of(order_.begin(), order_.begin() + count_,
                     [this](Place place) { return completes(receives_[place]); });
}

/// Its last flit waits for that of each older receive of the same length that it depends on.
bool CombineUnit::completes(const Receive& receive) const {
  if (!receive.whole()) return false;
  for (PlaceSet set = receive.before; set != 0; set &= set - 1) {
    const Receive& older = receives_[static_cast<Place>(std::countr_zero(set))];
    if (!older.whole() && older.flits == receive.flits) return false;
  }
  return true;
}

Cycle CombineUnit::next(Cycle now) const {
  if (empty()) return kNever;
  if (empty_ != 0) return now + 1;  // said after this cycle's step
  for (std::size_t age = 0; age < count_; ++age) {
    if (startable(age, now + 1)) return now + 1;
  }
  Cycle earliest = kNever;
  for (const Stage& stage : pipeline_) {
    if (!stage.flights.empty()) earliest = std::min(earliest, stage.written);
  }
  return earliest;
}

}  // namespace annelid::nic
