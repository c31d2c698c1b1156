// The fabric's schedule: which component is to be stepped in which cycle.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "systemc/fabric/activity_set.hpp"
#include "systemc/fabric/timing_wheel.hpp"
#include "systemc/network/link.hpp"

namespace annelid::systemc {

/// Most components are due in the next cycle, and are in a set of it. The wheel holds what is due
/// later.
class Schedule {
 public:
  /// Adds a component, which is due in cycle `now`, and returns its handle.
  int add(Clocked& component, Cycle now);
  /// Whether no component reads SystemC's time (Clocked::ignores_time).
  [[nodiscard]] bool all_ignore_time() const { return all_ignore_time_; }

  /// A component is due in cycle `at`, too: the one after the cycle that is being executed.
  void wake_next(int handle, Cycle at) { due_in(at).add(static_cast<std::size_t>(handle)); }
  /// A component is due in cycle `at`, too: `now` or later.
  void wake(int handle, Cycle at, Cycle now) { plan(entry_of(handle, true), at, now); }

  /// Whether a component is due in cycle `now` that was not in the wheel.
  [[nodiscard]] bool is_busy(Cycle now) const { return !due_[now & 1].empty(); }
  /// The first cycle from `from` on that something in the wheel is due in.
  [[nodiscard]] Cycle next_planned(Cycle from) const { return wheel_.next(from); }
  /// Steps the components that are due in cycle `now`.
  void step(Cycle now, bool reversed);
  /// Calls f(component) for those that are due in cycle `now`, and were not in the wheel.
  template <typename F>
  void for_each_due(Cycle now, F f) {
    due_in(now).for_each([&](std::size_t handle) { f(*components_[handle]); });
  }

  /// The latest cycle that was asked for more than one cycle ahead.
  [[nodiscard]] Cycle last_plan() const { return last_plan_; }
  /// Other processes have asked, too.
  void set_last_plan(Cycle last) { last_plan_ = last; }

 private:
  // An entry of the wheel: the component's handle, and whether it was woken or asked itself.
  static constexpr TimingWheel::Entry entry_of(int handle, bool woken) {
    return static_cast<TimingWheel::Entry>(handle) << 1 | static_cast<TimingWheel::Entry>(woken);
  }
  [[nodiscard]] ActivitySet& due_in(Cycle at) { return due_[at & 1]; }
  void ask_for(std::size_t handle, Cycle at, Cycle now);
  [[gnu::noinline]] void plan(TimingWheel::Entry entry, Cycle at, Cycle now);

  std::vector<Clocked*> components_;
  std::vector<Cycle> own_due_;      // what each asked for last, but for the next cycle
  std::array<ActivitySet, 2> due_;  // what is stepped in this cycle and in the next: by its parity
  TimingWheel wheel_;               // what is due later
  std::vector<TimingWheel::Entry> from_wheel_;
  Cycle last_plan_ = 0;
  bool all_ignore_time_ = true;
};

/// What a component asks for itself, but for the next cycle. While it asks for cycle after cycle,
/// what it asked for before still counts.
inline void Schedule::ask_for(std::size_t handle, Cycle at, Cycle now) {
  Cycle& due = own_due_[handle];
  if (at != due && at != kNever) plan(entry_of(static_cast<int>(handle), false), at, now);
  due = at;
}

// Inlined, as it runs in every cycle.
[[gnu::always_inline]] inline void Schedule::step(Cycle now, bool reversed) {
  ActivitySet& due = due_in(now);
  if (wheel_.any(now)) {
    wheel_.take(now, from_wheel_);
    for (const TimingWheel::Entry entry : from_wheel_) {
      const bool woken = (entry & 1) != 0;
      if (woken || own_due_[entry >> 1] == now) due.add(entry >> 1);  // or asked for another since
    }
  }
  due.take(reversed, due_in(now + 1), [this, now](std::size_t handle) {
    const Cycle at = components_[handle]->step(now);
    if (at == now + 1) return true;
    ask_for(handle, at, now);
    return false;
  });
}

}  // namespace annelid::systemc
