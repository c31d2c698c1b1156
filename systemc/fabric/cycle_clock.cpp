#include "systemc/fabric/cycle_clock.hpp"

#include <utility>

#include "systemc/network/config.hpp"

namespace annelid::systemc {

CycleClock::CycleClock(const sc_core::sc_time& cycle_time)
    : cycle_time_(cycle_time), period_(cycle_time.value()) {
  if (period_ < 2) {
    throw ConfigError("cycle time", cycle_time.to_string(),
                      "at least two units of the time resolution");
  }
}

Cycle CycleClock::by_time() const {
  const std::uint64_t time = sc_core::sc_time_stamp().value(), first = middle_of(0);
  return time <= first ? 0 : (time - first + period_ - 1) / period_;
}

sc_core::sc_time CycleClock::until(Cycle at) {
  const std::uint64_t time = sc_core::sc_time_stamp().value();
  if (const std::uint64_t middle = middle_of(at); middle < time) {
    start_ += (time - middle + period_ - 1) / period_ * period_;
  }
  return sc_core::sc_time::from_value(middle_of(at) - time);
}

void CycleClock::stand_still(Cycle at) {
  const std::uint64_t time = sc_core::sc_time_stamp().value(), middle = middle_of(at);
  if (middle <= time) start_ += ((time - middle) / period_ + 1) * period_;
}

void Tick::plan(Cycle at) {
  if (at >= at_ || !clock_.reaches(at)) return;
  at_ = at;
  event_.notify(clock_.until(at));
}

void Tick::cancel() {
  event_.cancel();
  at_ = kNever;
}

Cycle Tick::take() { return std::exchange(at_, kNever); }

void Tick::put_off() {
  clock_.skip();
  event_.notify(clock_.cycle_time());
}

void Tick::hold() {
  if (at_ == kNever) return;
  held_ = true;
  event_.cancel();
}

// A cycle whose time has come is delayed until after the run, and all later ones with it.
void Tick::go_on() {
  if (!std::exchange(held_, false)) return;
  clock_.stand_still(at_);
  event_.notify(clock_.until(at_));
}

}  // namespace annelid::systemc
