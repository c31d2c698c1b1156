#include "systemc/fabric.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <stdexcept>

namespace annelid {
namespace {

// An entry of the wheel: the component's handle, and whether it was woken or asked itself.
constexpr TimingWheel::Entry entry_of(int handle, bool woken) {
  return static_cast<TimingWheel::Entry>(handle) << 1 | static_cast<TimingWheel::Entry>(woken);
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

std::uint32_t Fabric::add_kernel(const NetworkConfig& network, Address address, NodeId node) {
  rings_.push_back(std::make_unique<Flit[]>(RouterKernel::ring_flits(network.router)));
  kernels_.emplace_back(network, address, node, rings_.back().get());
  return static_cast<std::uint32_t>(kernels_.size() - 1);
}

void Fabric::end_of_elaboration() {
  for (Awake& awake : awake_) awake.assign((kernels_.size() + 7) / 8 * 8, 0);
}

int Fabric::add(Clocked& component) {
  const int handle = static_cast<int>(components_.size());
  components_.push_back(&component);
  own_due_.push_back(kNever);
  last_stepped_.push_back(0);
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

void Fabric::plan(TimingWheel::Entry entry, Cycle at) {
  if (at > now_ + 1) last_plan_ = std::max(last_plan_, at);
  wheel_.add(entry, at);
}

void Fabric::set_observer(FabricObserver* observer) {
  observer_ = observer;
  context_.observer = observer;
  // A kernel that sleeps with flits in it must report them as blocked from now on.
  if (observer == nullptr || awake_[0].empty()) return;
  std::fill_n(awake_[now_ & 1].begin(), kernels_.size(), std::uint8_t{1});
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
  context_.now = now_;
  context_.awake_next = awake_[(now_ + 1) & 1].data();
  context_.ejected = 0;
  any_awake_ = false;
  const std::uint64_t moved = context_.moved;
  if (observer_ != nullptr) observer_->cycle(now_);
  if (!reversed_) step_components();
  if (observer_ != nullptr) {
    step_kernels<true>();
  } else {
    step_kernels<false>();
  }
  if (reversed_) step_components();
  in_flight_ -= context_.ejected;
  if (context_.moved != moved) last_move_ = now_;
}

void Fabric::step_components() {
  wheel_.take(now_, due_);
  if (reversed_) std::ranges::reverse(due_);
  for (const TimingWheel::Entry entry : due_) {
    const auto handle = entry >> 1;
    const bool woken = (entry & 1) != 0;
    if (!woken && own_due_[handle] != now_) continue;  // it has asked for another cycle since
    if (last_stepped_[handle] == now_ + 1) continue;
    last_stepped_[handle] = now_ + 1;
    schedule_own(static_cast<int>(handle), components_[handle]->step(now_));
  }
}

// Eight kernels of the activity map are looked at at once; most maps are mostly asleep.
template <bool kObserved>
void Fabric::step_kernels() {
  Awake& awake = awake_[now_ & 1];
  bool any = false;
  for (std::size_t i = 0; i < awake.size(); i += 8) {
    const std::size_t base = reversed_ ? awake.size() - 8 - i : i;
    std::uint64_t eight;
    std::memcpy(&eight, awake.data() + base, sizeof eight);
    if (eight == 0) continue;
    std::memset(awake.data() + base, 0, sizeof eight);
    any |= step_eight<kObserved>(base, eight);
  }
  any_awake_ |= any;
}

// A kernel that moved a flit stays awake, so any_awake_ covers the neighbours that it woke.
template <bool kObserved>
bool Fabric::step_eight(std::size_t base, std::uint64_t eight) {
  bool any = false;
  while (eight != 0) {
    const int byte = (reversed_ ? 63 - std::countl_zero(eight) : std::countr_zero(eight)) / 8;
    eight &= ~(std::uint64_t{0xff} << byte * 8);
    const std::size_t index = base + static_cast<std::size_t>(byte);
    if (kernels_[index].step<kObserved>(context_)) {
      context_.awake_next[index] = 1;
      any = true;
    }
  }
  return any;
}

bool Fabric::end_cycle() {
  const Cycle verdict = std::max(last_move_, last_plan_) + stall_limit_;
  const bool stalled = in_flight_ > 0 && now_ >= verdict;
  ++now_;
  if (stop_ || (*done_ && (*done_)())) return end_run(RunStatus::kDone);
  if (stalled) return end_run(RunStatus::kDeadlock);

  Cycle next = any_awake_ ? now_ : wheel_.next(now_);
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

}  // namespace annelid
