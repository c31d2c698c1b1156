#include "systemc/fabric/fabric.hpp"

#include <stdexcept>
#include <string>

namespace annelid::systemc {

const char* to_string(RunStatus status) {
  switch (status) {
    case RunStatus::kDone:
      return "done";
    case RunStatus::kCycleLimit:
      return "cycle limit";
    case RunStatus::kQuiet:
      return "quiet";
    case RunStatus::kDeadlock:
      return "deadlock";
  }
  return "?";
}

int Fabric::add(Clocked& component) { return schedule_.add(component, now_); }

// Most plans are for the next cycle, and need no wheel.
void Fabric::wake(int handle, Cycle at) {
  if (stepping_ && at == now_ + 1) {
    schedule_.wake_next(handle, at);
    alone_until_ = 0;
    return;
  }
  if (at < now_ || (stepping_ && at == now_)) {
    throw std::logic_error("Fabric::wake: cycle " + std::to_string(at) + " is over");
  }
  alone_until_ = std::min(alone_until_, at);
  schedule_.wake(handle, at, now_);
  if (!running_) sleep_until(at);
}

void Fabric::set_observer(FabricObserver* observer) {
  observer_ = observer;
  repeats_.allow(observer != nullptr && observer->takes_repeats());
  if (observer == nullptr) return;
  // A router that sleeps with flits in it must report them as blocked from now on.
  now_ = now();
  for (const auto& array : arrays_) array->wake_all(now_);
  busy_until_ = std::max(busy_until_, now_);
  if (!running_) sleep_until(now_);
}

// ---- A cycle ------------------------------------------------------------------------------------

// Inlined, as it runs in every cycle.
[[gnu::always_inline]] inline void Fabric::step_components() {
  phase_ = Phase::kComponents;
  schedule_.step(now_, reversed_);
}

void Fabric::step_cycle() {
  stepping_ = true;
  if (observer_ != nullptr) {
    observer_->cycle(now_);
    if (arrays_.are_pipelined() && !routers_sleep()) {
      phase_ = Phase::kSent;
      for (const auto& array : arrays_) array->report_sent(now_, *observer_);
    }
  }
  if (reversed_) step_routers();
  step_components();
  if (!reversed_) step_routers();
  stepping_ = false;
  phase_ = Phase::kBetween;
  last_step_ = now_;
}

Cycle Fabric::next_but_for_array() const {
  const bool may =
      at_once_ && observer_ == nullptr && !*done_ && arrays_.size() == 1 && !reversed_ && !stop_;
  if (!may || schedule_.is_busy(now_ + 1)) return 0;
  const Cycle until = std::min(limit_, schedule_.next_planned(now_ + 1));
  return cut_ == nullptr ? until : std::min(until, cut_->due());
}

void Fabric::step_routers() {
  if (routers_sleep()) {
    moved_last_ = 0;
    return;
  }
  const Cycle first = now_;
  phase_ = Phase::kRouters;
  alone_until_ = next_but_for_array();
  moved_last_ = 0;
  for (const auto& array : arrays_) {
    const RouterArray::Happened happened = array->step(now_, observer_, reversed_);
    busy_until_ = std::max(busy_until_, happened.busy_until);
    moved_last_ += happened.moved;
    in_flight_ -= happened.ejected;
  }
  if (moved_last_ != 0 && now_ == first) last_move_ = now_;
  moved_ += moved_last_;
}

bool Fabric::end_cycle() {
  if (cut_ != nullptr) {
    return cut_->pace() == Pace::kWindow ? end_cycle_of_slab() : end_cycle_together();
  }
  const Cycle deadlock = deadlocked_from();
  const bool stalled = in_flight_ > 0 && now_ >= deadlock;
  ++now_;
  if (stop_ || (*done_ && (*done_)())) return end_run(RunStatus::kDone);
  if (stalled) return end_run(RunStatus::kDeadlock);

  Cycle next = next_cycle();
  if (outside_calls_) {
    next = now_;
  } else if (next == kNever) {
    if (in_flight_ == 0) return end_run(RunStatus::kQuiet);
    next = deadlock;  // nothing will happen before
  }
  now_ = std::min(next, limit_);
  if (repeats_.may_begin(now_) && now_ < limit_) repeat_last_cycle();
  return now_ < limit_ || end_run(RunStatus::kCycleLimit);
}

void Fabric::repeat_last_cycle() {
  if (!repeats_.are_settled(arrays_.repeating(), now_)) return;
  const bool others = outside_calls_ || sc_core::sc_pending_activity();
  const Cycle cycles = repeats_.execute(schedule_, now_, others ? now_ : limit_, moved_last_);
  if (cycles == 0) return;
  observer_->repeated(cycles);
  moved_ += cycles * moved_last_;
  now_ += cycles;
  busy_until_ += cycles;
  last_move_ = now_ - 1;
}

// ---- A run of one process -----------------------------------------------------------------------

void Fabric::process() {
  const Cycle cycle = now_;
  const bool at_once = alone();
  bool more = false;
  at_once_ = at_once;
  do {
    step_cycle();
    more = end_cycle();
  } while (more && at_once);
  at_once_ = false;
  if (more) {
    next_trigger(clock_.cycle_time() * static_cast<double>(now_ - cycle));
  } else if (now_ == cycle + 1) {
    pause();
  } else {
    end_.notify(clock_.cycle_time() *
                static_cast<double>(now_ - 1 - cycle));  // cycles up to the limit, skipped
  }
}

}  // namespace annelid::systemc
