// When the fabric's cycles are, in SystemC's time.
#pragma once

#include <cstdint>
#include <systemc>

#include "systemc/network/types.hpp"

namespace annelid::systemc {

/// Cycle t lasts from start + t * T to start + (t + 1) * T, and is stepped in its middle. The start
/// is 0 until the fabric stands still while time passes: then all later cycles are delayed by
/// multiples of T.
class CycleClock {
 public:
  /// `cycle_time` is T. Throws ConfigError if it is less than two units of SystemC's time
  /// resolution.
  explicit CycleClock(const sc_core::sc_time& cycle_time);

  [[nodiscard]] const sc_core::sc_time& cycle_time() const { return cycle_time_; }
  /// Whether SystemC's time is the middle of a cycle.
  [[nodiscard]] bool is_in_middle() const {
    return sc_core::sc_time_stamp().value() % period_ == period_ / 2;
  }
  /// The first cycle whose middle is not over.
  [[nodiscard]] Cycle by_time() const;
  /// Whether SystemC's time reaches that cycle.
  [[nodiscard]] bool reaches(Cycle at) const { return at <= kNever / 2 / period_; }
  /// The time from now to the middle of cycle `at`. If that time has passed, the fabric has stood
  /// still, and all its cycles from `at` on are delayed.
  [[nodiscard]] sc_core::sc_time until(Cycle at);
  /// Delays all cycles from `at` on such that its middle is still to come.
  void stand_still(Cycle at);
  /// Delays all cycles by one.
  void skip() { start_ += period_; }

 private:
  [[nodiscard]] std::uint64_t middle_of(Cycle at) const {
    return start_ + at * period_ + period_ / 2;
  }

  const sc_core::sc_time cycle_time_;
  const std::uint64_t period_;  // T, in units of SystemC's time resolution
  std::uint64_t start_ = 0;     // a multiple of T
};

/// Wakes the fabric for its next cycle under plain sc_start. Under another fabric's run_until it
/// waits: a tick in each cycle would do the same, and cost more than a cycle with few flits.
class Tick {
 public:
  explicit Tick(CycleClock& clock) : clock_(clock) {}

  [[nodiscard]] const sc_core::sc_event& event() const { return event_; }
  /// In cycle `at`, unless it is already planned for an earlier one.
  void plan(Cycle at);
  void cancel();
  /// It has come: the cycle that it was planned for.
  [[nodiscard]] Cycle take();
  /// It has come too early: another fabric runs. It and all cycles are one later.
  void put_off();

  void hold();
  void go_on();
  /// While it is held, no cycle is later than the planned one.
  [[nodiscard]] Cycle bound(Cycle cycle) const { return held_ && at_ < cycle ? at_ : cycle; }

 private:
  CycleClock& clock_;
  sc_core::sc_event event_;
  Cycle at_ = kNever;
  bool held_ = false;
};

}  // namespace annelid::systemc
