#include "systemc/router/fabric.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

#include "systemc/router/plane_array.hpp"
#include "systemc/router/plane_assembly.hpp"
#include "systemc/router/router_kernel.hpp"  // kFlightCycles

namespace annelid::systemc {
namespace {

// An entry of the wheel: the component's handle, and whether it was woken or asked itself.
constexpr TimingWheel::Entry entry_of(int handle, bool woken) {
  return static_cast<TimingWheel::Entry>(handle) << 1 | static_cast<TimingWheel::Entry>(woken);
}

// Flits of a stream are copied so many at a time: few enough for the processor's caches.
constexpr Cycle kMostRepeats = 1024 * kFlightCycles;

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

// Not more than a scope's worth: it is null unless a run_until is on the stack.
const Fabric* Fabric::driven_ = nullptr;
std::vector<Fabric*> Fabric::all_;

Fabric::Fabric(const sc_core::sc_module_name& name, const sc_core::sc_time& cycle_time)
    : sc_module(name), cycle_time_(cycle_time), period_(cycle_time.value()) {
  if (period_ < 2) {
    throw ConfigError("cycle time", cycle_time.to_string(),
                      "at least two units of the time resolution");
  }
  SC_HAS_PROCESS(Fabric);
  SC_METHOD(process);
  sensitive << resume_;
  dont_initialize();
  SC_METHOD(tick);
  sensitive << tick_;
  dont_initialize();
  SC_METHOD(pause);
  sensitive << end_;
  dont_initialize();
  all_.push_back(this);
}

Fabric::~Fabric() { std::erase(all_, this); }

RouterAssembly& Fabric::assembly(const NetworkConfig& network) {
  if (started_) throw std::logic_error("Fabric::assembly: the elaboration is over");
  for (const auto& assembly : assemblies_) {
    if (assembly->view().network() == network) return *assembly;
  }
  RouterArrayHost& host = *this;
  assemblies_.push_back(has_planes_for(network)
                            ? std::make_unique<PlaneAssembly>(network, host, backend_, cut_)
                            : RouterAssembly::make(network, host, cut_));
  pipelined_ |= network.router.stages > 1;
  return *assemblies_.back();
}

RouterArray& Fabric::run_in_planes(const NetworkConfig& network, PlaneTerminals& terminals) {
  RouterArrayHost& host = *this;
  arrays_.push_back(std::make_unique<PlaneArray>(network, host, backend_, terminals, cut_));
  whole_ = arrays_.size();
  pipelined_ |= network.router.stages > 1;
  return *arrays_.back();
}

RouterArray* Fabric::started(const NetworkConfig& network) const {
  for (std::size_t i = whole_; i < arrays_.size(); ++i) {
    if (arrays_[i]->network() == network) return arrays_[i].get();
  }
  return nullptr;
}

int Fabric::add(Clocked& component) {
  const int handle = static_cast<int>(components_.size());
  components_.push_back(&component);
  all_ignore_time_ &= component.ignores_time();
  own_due_.push_back(kNever);
  for (ActivitySet& due : due_) due.resize(components_.size());
  ask_for(static_cast<std::size_t>(handle), now_);
  return handle;
}

/// What a component asks for itself, but for the next cycle. While it asks for cycle after cycle,
/// what it asked for before still counts.
void Fabric::ask_for(std::size_t handle, Cycle at) {
  Cycle& due = own_due_[handle];
  if (at != due && at != kNever) plan(entry_of(static_cast<int>(handle), false), at);
  due = at;
}

// Most plans are for the next cycle, and need no wheel.
void Fabric::wake(int handle, Cycle at) {
  if (stepping_ && at == now_ + 1) {
    due_in(at).add(static_cast<std::size_t>(handle));
    alone_until_ = 0;
    return;
  }
  if (at < now_ || (stepping_ && at == now_)) {
    throw std::logic_error("Fabric::wake: cycle " + std::to_string(at) + " is over");
  }
  plan(entry_of(handle, true), at);
  if (!running_) sleep_until(at);
}

void Fabric::plan(TimingWheel::Entry entry, Cycle at) {
  alone_until_ = std::min(alone_until_, at);
  if (at > now_ + 1) last_plan_ = std::max(last_plan_, at);
  wheel_.add(entry, at);
}

void Fabric::set_observer(FabricObserver* observer) {
  observer_ = observer;
  may_repeat_from_ = observer != nullptr && observer->takes_repeats() ? 0 : kNever;
  if (observer == nullptr) return;
  // A router that sleeps with flits in it must report them as blocked from now on.
  now_ = now();
  for (const auto& array : arrays_) array->wake_all(now_);
  busy_until_ = std::max(busy_until_, now_);
  if (!running_) sleep_until(now_);
}

// ---- Time ---------------------------------------------------------------------------------------

Cycle Fabric::cycle_by_time() const {
  const std::uint64_t time = sc_core::sc_time_stamp().value(), first = start_ + period_ / 2;
  const Cycle cycle = time <= first ? 0 : (time - first + period_ - 1) / period_;
  return std::max(now_, held_ ? std::min(cycle, tick_at_) : cycle);
}

sc_core::sc_time Fabric::time_until(Cycle at) {
  const std::uint64_t time = sc_core::sc_time_stamp().value();
  std::uint64_t middle = start_ + at * period_ + period_ / 2;
  if (middle < time) {
    const std::uint64_t late = (time - middle + period_ - 1) / period_ * period_;
    start_ += late;
    middle += late;
  }
  return sc_core::sc_time::from_value(middle - time);
}

inline Cycle Fabric::next_cycle() const {
  if (now_ <= busy_until_ || !due_[now_ & 1].empty()) return now_;
  return wheel_.next(now_);
}

bool Fabric::routers_sleep() const { return now_ > busy_until_ && !have_sources_; }

// ---- Under plain sc_start -----------------------------------------------------------------------

void Fabric::start_of_simulation() {
  started_ = true;
  for (auto& assembly : assemblies_) {
    arrays_.push_back(RouterAssembly::start(std::move(assembly)));
    if (observer_ != nullptr) arrays_.back()->wake_all(now_);
  }
  assemblies_.clear();
  for (const auto& array : arrays_) {
    have_sources_ |= array->has_sources();
    repeating_.push_back(array->repeating());
  }
  if (driven_ != this) sleep_until(now_);
}

void Fabric::sleep_until(Cycle at) {
  constexpr Cycle kEndOfTime = kNever / 2;
  if (!started_ || cut_ != nullptr || at >= tick_at_ || at > kEndOfTime / period_) return;
  tick_at_ = at;
  tick_.notify(time_until(at));
}

void Fabric::hold() {
  if (tick_at_ == kNever) return;
  held_ = true;
  tick_.cancel();
}

// A cycle whose time has come is delayed until after the run, and all later ones with it.
void Fabric::go_on_after_hold() {
  if (!std::exchange(held_, false)) return;
  const std::uint64_t time = sc_core::sc_time_stamp().value();
  const std::uint64_t middle = start_ + tick_at_ * period_ + period_ / 2;
  if (middle <= time) start_ += ((time - middle) / period_ + 1) * period_;
  tick_.notify(time_until(tick_at_));
}

void Fabric::tick() {
  if (driven_ != nullptr) {  // another fabric's run: all cycles of this one are one later
    start_ += period_;
    tick_.notify(cycle_time_);
    return;
  }
  now_ = std::exchange(tick_at_, kNever);
  asleep_ = false;
  at_once_ = false;
  running_ = true;
  step_cycle();
  ++now_;
  running_ = false;
  asleep_ = true;
  if (std::exchange(stop_, false)) sc_core::sc_pause();
  sleep_until(next_cycle());
}

// ---- run_until ----------------------------------------------------------------------------------

// From the second context of a process on, SystemC warns of a first sc_start in which nothing
// happens.
void Fabric::elaborate() {
  if (sc_core::sc_get_status() >= sc_core::SC_RUNNING) return;
  using Handler = sc_core::sc_report_handler;
  const char* const warning = sc_core::SC_ID_NO_SC_START_ACTIVITY_;
  const sc_core::sc_actions usual =
      Handler::set_actions(warning, sc_core::SC_WARNING, sc_core::SC_DO_NOTHING);
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  Handler::set_actions(warning, sc_core::SC_WARNING, usual);
}

RunStatus Fabric::run_until(Cycle limit, const StopCondition& done, SystemcTime time) {
  if (cut_ != nullptr) return run_slab(limit, done);
  struct Driven {
    explicit Driven(const Fabric* fabric) { driven_ = fabric; }
    ~Driven() {
      for_others(&Fabric::go_on_after_hold);
      driven_ = nullptr;
    }
    static void for_others(void (Fabric::*f)()) {
      for (Fabric* const other : all_) {
        if (other != driven_ && other->simcontext() == driven_->simcontext()) (other->*f)();
      }
    }
  } const driven(this);
  elaborate();
  Driven::for_others(&Fabric::hold);
  now_ = now();
  asleep_ = false;
  if (now_ >= limit) {
    sleep_until(now_);
    return RunStatus::kCycleLimit;
  }
  tick_.cancel();
  tick_at_ = kNever;
  limit_ = limit;
  done_ = &done;
  time_ignored_ =
      time == SystemcTime::kStandsStill || (all_ignore_time_ && observer_ == nullptr && !done);
  stop_ = false;
  running_ = true;
  resume_.notify(time_until(now_));
  sc_core::sc_start();
  sleep_until(now_);  // until sc_start moves time on
  return status_;
}

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
    next_trigger(cycle_time_ * static_cast<double>(now_ - cycle));
  } else if (now_ == cycle + 1) {
    pause();
  } else {
    end_.notify(cycle_time_ *
                static_cast<double>(now_ - 1 - cycle));  // cycles up to the limit, skipped
  }
}

bool Fabric::alone() const {
  return time_ignored_ && !outside_calls_ && !sc_core::sc_pending_activity();
}

void Fabric::pause() {
  running_ = false;
  sc_core::sc_pause();  // and resume_ triggers the next run
}

// Inlined, as it runs in every cycle, and so is next_cycle().
[[gnu::always_inline]] inline void Fabric::step_components() {
  phase_ = Phase::kComponents;
  ActivitySet& due = due_in(now_);
  if (wheel_.any(now_)) {
    wheel_.take(now_, from_wheel_);
    for (const TimingWheel::Entry entry : from_wheel_) {
      const bool woken = (entry & 1) != 0;
      if (woken || own_due_[entry >> 1] == now_) due.add(entry >> 1);  // or asked for another since
    }
  }
  due.take(reversed_, due_in(now_ + 1), [this](std::size_t handle) {
    const Cycle at = components_[handle]->step(now_);
    if (at == now_ + 1) return true;
    ask_for(handle, at);
    return false;
  });
}

void Fabric::step_cycle() {
  stepping_ = true;
  if (observer_ != nullptr) {
    observer_->cycle(now_);
    if (pipelined_ && !routers_sleep()) {
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
  if (!may || !due_[(now_ + 1) & 1].empty()) return 0;
  const Cycle until = std::min(limit_, wheel_.next(now_ + 1));
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
  if (now_ >= may_repeat_from_ && now_ < limit_) repeat();
  return now_ < limit_ || end_run(RunStatus::kCycleLimit);
}

// ---- One of several processes or threads
// ---------------------------------------------------------

RunStatus Fabric::run_slab(Cycle limit, const StopCondition& done) {
  elaborate();
  if (now_ >= limit) return RunStatus::kCycleLimit;
  limit_ = limit;
  done_ = &done;
  stop_ = false;
  running_ = at_once_ = true;
  do step_cycle();
  while (end_cycle());
  running_ = at_once_ = false;
  return status_;
}

bool Fabric::end_cycle_of_slab() {
  ++now_;
  for (;;) {
    if (now_ == cut_->due()) cross_cut();
    if (all_quiet_) return end_run(RunStatus::kQuiet);
    if (stop_ || (*done_ && (*done_)())) return end_run(RunStatus::kDone);
    const Cycle next = std::min(next_cycle(), limit_);
    if (next <= now_) break;
    now_ = std::min(next, cut_->due());
  }
  return now_ < limit_ || end_run(RunStatus::kCycleLimit);
}

void Fabric::cross_cut() {
  for (const auto& array : arrays_) array->leave(now_);
  cut_->swap(now_);
  take_arrivals();
  Cycle over = last_step_ + 1;
  all_quiet_ = cut_->skip(now_, next_cycle(), over);
  if (all_quiet_) now_ = over;
}

void Fabric::take_arrivals() {
  for (const auto& array : arrays_) array->come(now_);
  if (arrays_.empty()) cut_->come(now_);  // all routers are RTL
}

std::uint64_t Fabric::all_flits_in_flight() const {
  std::uint64_t flits = in_flight_;
  if (cut_ != nullptr) cut_->exchange().sum({&flits, 1});
  return flits;
}

// All processes know the same, and do what end_cycle() does in one.
bool Fabric::end_cycle_together() {
  ++now_;
  CutTerminals* const terminals = cut_->terminals();
  for (const auto& array : arrays_) array->leave(now_);
  const Cut::Vote all = cut_->agree({.next = next_cycle(),
                                     .last_move = last_move_,
                                     .last_plan = last_plan_,
                                     .sends = cut_->sends(),
                                     .news = terminals != nullptr && terminals->has_news(),
                                     .done = *done_ && (*done_)(),
                                     .stop = stop_});
  if (all.sends) {
    cut_->swap(now_);
    take_arrivals();
  }
  if (all.news) terminals->share_news(now_);
  last_move_ = all.last_move;
  last_plan_ = all.last_plan;
  cut_->go_on_with(now_);
  if (all.stop || all.done) return end_run(RunStatus::kDone);
  const Cycle deadlock = deadlocked_from();
  Cycle next = all.sends || all.news ? now_ : all.next;
  if (now_ > deadlock || next == kNever) {
    const bool empty = all_flits_in_flight() == 0;
    if (!empty && now_ > deadlock) return end_run(RunStatus::kDeadlock);
    if (empty && next == kNever) return end_run(RunStatus::kQuiet);
    if (next == kNever) next = deadlock;  // nothing will happen before
  }
  now_ = std::min(next, limit_);
  cut_->go_on_with(now_);
  return now_ < limit_ || end_run(RunStatus::kCycleLimit);
}

// ---- Cycles that repeat themselves --------------------------------------------------------------

// A cycle depends on the registers alone. If as many flits enter each buffer as leave it, and all
// are body flits, then the registers do not change, and the next cycle is like the last one. It is
// so after some cycles in which the same packets moved: otherwise a buffer would be full or empty
// by now, and an arbiter that had a second request would have given it a grant.
void Fabric::repeat() {
  Cycle changed = 0, settling = kFlightCycles;
  for (const RepeatingRouters* const routers : repeating_) {
    if (routers == nullptr) {  // cannot repeat any cycle
      may_repeat_from_ = kNever;
      return;
    }
    changed = std::max(changed, routers->changed());
    settling = std::max(settling, routers->settling_cycles());
  }
  if (now_ <= changed + settling) {
    may_repeat_from_ = changed + settling + 1;
    return;
  }
  const Cycle until = repeats_until();
  const Cycle cycles = (until - now_) / kFlightCycles * kFlightCycles;  // for the activity maps
  if (cycles == 0 || streams_.starts.empty() || !paths_.follow(streams_, moved_last_)) {
    may_repeat_from_ = now_ + settling;
    return;
  }
  paths_.advance(cycles);
  due_in(now_).for_each(
      [&](std::size_t handle) { components_[handle]->streamed(now_, now_ + cycles); });
  observer_->repeated(cycles);
  moved_ += cycles * moved_last_;
  now_ += cycles;
  busy_until_ += cycles;
  last_move_ = now_ - 1;
}

/// The cycle until which components only go on with their streams, at least now_.
Cycle Fabric::repeats_until() {
  streams_ = {};
  if (outside_calls_ || sc_core::sc_pending_activity()) return now_;
  Cycle until = std::min({limit_, wheel_.next(now_), now_ + kMostRepeats});
  due_in(now_).for_each([&](std::size_t handle) {
    until = std::min(until, components_[handle]->streams_until(now_, streams_));
  });
  return std::max(until, now_);
}

bool Fabric::end_run(RunStatus status) {
  status_ = status;
  return false;
}

}  // namespace annelid::systemc
