// How a fabric runs that steps one slab of a network, while other processes or threads step the
// rest of it.
#include <algorithm>

#include "systemc/fabric/fabric.hpp"

namespace annelid::systemc {

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
  if (arrays_.size() == 0) cut_->come(now_);  // all routers are RTL
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
                                     .last_plan = schedule_.last_plan(),
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
  schedule_.set_last_plan(all.last_plan);
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

}  // namespace annelid::systemc
