// The fabric in SystemC's time: construction, plain sc_start, and run_until.
#include <utility>

#include "systemc/fabric/fabric.hpp"

namespace annelid::systemc {

// Not more than a scope's worth: it is null unless a run_until is on the stack.
const Fabric* Fabric::driven_ = nullptr;
std::vector<Fabric*> Fabric::all_;

Fabric::Fabric(const sc_core::sc_module_name& name, const sc_core::sc_time& cycle_time)
    : sc_module(name), arrays_(static_cast<RouterArrayHost&>(*this)), clock_(cycle_time) {
  SC_HAS_PROCESS(Fabric);
  SC_METHOD(process);
  sensitive << resume_;
  dont_initialize();
  SC_METHOD(tick);
  sensitive << tick_.event();
  dont_initialize();
  SC_METHOD(pause);
  sensitive << end_;
  dont_initialize();
  all_.push_back(this);
}

Fabric::~Fabric() { std::erase(all_, this); }

// ---- Under plain sc_start -----------------------------------------------------------------------

void Fabric::start_of_simulation() {
  arrays_.start();
  if (observer_ != nullptr) {
    for (const auto& array : arrays_) array->wake_all(now_);
  }
  if (driven_ != this) sleep_until(now_);
}

void Fabric::sleep_until(Cycle at) {
  if (arrays_.are_started() && cut_ == nullptr) tick_.plan(at);
}

void Fabric::tick() {
  if (driven_ != nullptr) return tick_.put_off();  // another fabric's run
  now_ = tick_.take();
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
      for_others(&Tick::go_on);
      driven_ = nullptr;
    }
    static void for_others(void (Tick::*f)()) {
      for (Fabric* const other : all_) {
        if (other != driven_ && other->simcontext() == driven_->simcontext()) (other->tick_.*f)();
      }
    }
  } const driven(this);
  elaborate();
  Driven::for_others(&Tick::hold);
  now_ = now();
  asleep_ = false;
  if (now_ >= limit) {
    sleep_until(now_);
    return RunStatus::kCycleLimit;
  }
  tick_.cancel();
  limit_ = limit;
  done_ = &done;
  time_ignored_ = time == SystemcTime::kStandsStill ||
                  (schedule_.all_ignore_time() && observer_ == nullptr && !done);
  stop_ = false;
  running_ = true;
  resume_.notify(clock_.until(now_));
  sc_core::sc_start();
  sleep_until(now_);  // until sc_start moves time on
  return status_;
}

bool Fabric::alone() const {
  return time_ignored_ && !outside_calls_ && !sc_core::sc_pending_activity();
}

void Fabric::pause() {
  running_ = false;
  sc_core::sc_pause();  // and resume_ triggers the next run
}

}  // namespace annelid::systemc
