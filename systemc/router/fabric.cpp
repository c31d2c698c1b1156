#include "systemc/router/fabric.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace annelid::systemc {
namespace {

// An entry of the wheel: the component's handle, and whether it was woken or asked itself.
constexpr TimingWheel::Entry entry_of(int handle, bool woken) {
  return static_cast<TimingWheel::Entry>(handle) << 1 | static_cast<TimingWheel::Entry>(woken);
}

// Not inlined, as Fabric::plan would need a stack frame for it in each of its calls.
[[gnu::noinline]] void add_to(TimingWheel& wheel, TimingWheel::Entry entry, Cycle at) {
  wheel.add(entry, at);
}

}  // namespace

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

Fabric::Fabric(const sc_core::sc_module_name& name) : sc_module(name) {
  SC_HAS_PROCESS(Fabric);
  SC_METHOD(process);
  sensitive << resume_;
  dont_initialize();
}

RouterArray& Fabric::router_array(const NetworkConfig& network) {
  for (const auto& array : arrays_) {
    if (array->network() == network) return *array;
  }
  arrays_.push_back(RouterArray::make(network, *this));
  arrays_.back()->set_parts(threads_);
  return *arrays_.back();
}

int Fabric::add(Clocked& component) {
  const int handle = static_cast<int>(components_.size());
  components_.push_back(&component);
  own_due_.push_back(kNever);
  due_.resize(components_.size());
  due_next_.resize(components_.size());
  schedule_own(handle, now_);
  return handle;
}

void Fabric::wake(int handle, Cycle at) {
  if (at < now_ || (running_ && at == now_)) {
    throw std::logic_error("Fabric::wake: cycle " + std::to_string(at) + " is over");
  }
  plan(entry_of(handle, true), at);
}

void Fabric::schedule_own(int handle, Cycle at) {
  Cycle& due = own_due_[static_cast<std::size_t>(handle)];
  if (at != due && at != kNever) plan(entry_of(handle, false), at);
  due = at;
}

// Most plans are for the next cycle, and need no wheel.
void Fabric::plan(TimingWheel::Entry entry, Cycle at) {
  if (stepping_ && at == now_ + 1) {
    due_next_.add(entry >> 1);
    return;
  }
  if (at > now_ + 1) last_plan_ = std::max(last_plan_, at);
  add_to(wheel_, entry, at);
}

void Fabric::set_observer(FabricObserver* observer) {
  observer_ = observer;
  choose_worker();
  if (observer == nullptr) return;
  // A router that sleeps with flits in it must report them as blocked from now on.
  for (const auto& array : arrays_) array->wake_all(now_);
  busy_until_ = std::max(busy_until_, now_);
}

RunStatus Fabric::run_until(Cycle limit, const StopCondition& done) {
  if (sc_core::sc_get_status() < sc_core::SC_RUNNING) sc_core::sc_start(sc_core::SC_ZERO_TIME);
  if (now_ >= limit) return RunStatus::kCycleLimit;
  limit_ = limit;
  done_ = &done;
  stop_ = false;
  running_ = true;
  const sc_core::sc_time at = cycle_time_ * static_cast<double>(now_);
  const sc_core::sc_time& time = sc_core::sc_time_stamp();
  resume_.notify(at > time ? at - time : sc_core::SC_ZERO_TIME);
  sc_core::sc_start();
  return status_;
}

void Fabric::process() {
  const Cycle cycle = now_;
  step_cycle();
  if (end_cycle()) {
    next_trigger(cycle_time_ * static_cast<double>(now_ - cycle));
  } else {
    running_ = false;
    sc_core::sc_pause();  // and resume_ triggers the next run
  }
}

void Fabric::step_cycle() {
  stepping_ = true;
  if (observer_ != nullptr) {
    observer_->cycle(now_);
    for (const auto& array : arrays_) array->report_sent(now_, *observer_);
  }
  if (!reversed_) step_components();
  step_routers();
  if (reversed_) step_components();
  stepping_ = false;
}

void Fabric::step_routers() {
  std::uint64_t moved = 0, ejected = 0;
  for (const auto& array : arrays_) {
    if (step_array(*array)) {
      busy_until_ = std::max(busy_until_, now_ + array->flight_cycles());
    }
    array->deliver(now_);
    moved += array->flits_moved();
    ejected += array->flits_ejected();
  }
  if (moved != array_moved_) last_move_ = now_;
  moved_ += moved - array_moved_;
  in_flight_ -= ejected - array_ejected_;
  array_moved_ = moved;
  array_ejected_ = ejected;
}

bool Fabric::step_array(RouterArray& array) {
  if (threads_ == 1) return array.step(now_, observer_, reversed_);
  if (worker_ == nullptr) {
    const bool first = array.step(now_, observer_, reversed_, 0);
    return array.step(now_, observer_, reversed_, 1) || first;
  }
  array_ = &array;
  worker_->start();
  const bool first = array.step(now_, nullptr, reversed_, 0);
  worker_->finish();
  return first || second_half_busy_;
}

void Fabric::set_threads(unsigned threads) {
  if (threads < 1 || threads > 2) {
    throw ConfigError("threads", std::to_string(threads), "1 or 2");
  }
  threads_ = threads;
  for (const auto& array : arrays_) array->set_parts(threads);
  choose_worker();
}

void Fabric::choose_worker() {
  if (threads_ == 1 || observer_ != nullptr) {
    worker_.reset();
  } else if (worker_ == nullptr) {
    worker_ = std::make_unique<Worker>(
        [this] { second_half_busy_ = array_->step(now_, nullptr, reversed_, 1); });
  }
}

void Fabric::step_components() {
  std::swap(due_, due_next_);
  wheel_.take(now_, from_wheel_);
  for (const TimingWheel::Entry entry : from_wheel_) {
    const bool woken = (entry & 1) != 0;
    if (woken || own_due_[entry >> 1] == now_) due_.add(entry >> 1);  // or asked for another since
  }
  due_.take(reversed_, [this](std::size_t handle) {
    schedule_own(static_cast<int>(handle), components_[handle]->step(now_));
  });
}

bool Fabric::end_cycle() {
  const Cycle verdict = std::max(last_move_, last_plan_) + stall_limit_;
  const bool stalled = in_flight_ > 0 && now_ >= verdict;
  ++now_;
  if (stop_ || (*done_ && (*done_)())) return end_run(RunStatus::kDone);
  if (stalled) return end_run(RunStatus::kDeadlock);

  Cycle next = now_ <= busy_until_ || !due_next_.empty() ? now_ : wheel_.next(now_);
  if (next == kNever) {
    if (in_flight_ == 0) return end_run(RunStatus::kQuiet);
    next = verdict;  // nothing will happen before
  }
  now_ = std::min(next, limit_);
  return now_ < limit_ || end_run(RunStatus::kCycleLimit);
}

bool Fabric::end_run(RunStatus status) {
  status_ = status;
  return false;
}

}  // namespace annelid::systemc
