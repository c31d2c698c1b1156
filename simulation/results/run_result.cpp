#include "simulation/results/run_result.hpp"

#include <algorithm>

#include "base/run_failure.hpp"

namespace annelid::simulation {

Cycle cycles_of(const systemc::StepStatistics& step) {
  return step.last_ejected - step.first_injected + 1;
}

namespace {

std::uint64_t sum(const CallResult& call, std::uint64_t systemc::StepStatistics::*what) {
  std::uint64_t total = 0;
  for (const auto& [label, step] : call.steps) total += step.*what;
  return total;
}

/// Without the messages of modes.
std::uint64_t sum_of_schedule(const CallResult& call,
                              std::uint64_t systemc::StepStatistics::*what) {
  const auto modes = call.steps.find(0);
  const bool apart = call.in_modes && modes != call.steps.end();
  return sum(call, what) - (apart ? modes->second.*what : 0);
}

std::uint64_t hops_of(const CallResult& call) { return sum(call, &systemc::StepStatistics::hops); }

std::optional<double> mean(std::uint64_t total, std::uint64_t count) {
  if (count == 0) return std::nullopt;
  return static_cast<double>(total) / static_cast<double>(count);
}

}  // namespace

std::uint64_t CallResult::messages() const {
  return sum(*this, &systemc::StepStatistics::messages);
}

std::size_t CallResult::schedule_steps() const {
  return steps.size() - (in_modes ? steps.count(0) : 0);
}

std::uint64_t CallResult::bytes() const {
  return sum_of_schedule(*this, &systemc::StepStatistics::bytes);
}

std::uint64_t CallResult::bytes_in_sequence() const {
  return sum_of_schedule(*this, &systemc::StepStatistics::longest);
}

std::optional<double> CallResult::mean_hops() const { return mean(hops_of(*this), messages()); }

Cycle CallResult::first_called() const { return std::ranges::min(called); }

Cycle CallResult::last_finished() const {
  Cycle last = 0;
  for (const Cycle cycle : finished) {
    if (cycle != kNever) last = std::max(last, cycle);
  }
  return last;
}

std::uint64_t RunResult::messages() const {
  std::uint64_t n = 0;
  for (const CallResult& call : calls) n += call.messages();
  return n;
}

std::optional<double> RunResult::mean_hops() const {
  std::uint64_t hops = 0;
  for (const CallResult& call : calls) hops += hops_of(call);
  return mean(hops, messages());
}

std::uint64_t RunResult::flit_hops() const {
  std::uint64_t n = 0;
  for (const ChannelLoad& c : channels) {
    if (c.channel.front() == '+' || c.channel.front() == '-') n += c.flits;
  }
  return n;
}

bool RunResult::passed() const {
  return std::none_of(checks.begin(), checks.end(),
                      [](const Check& c) { return c.verdict == Verdict::kFailed; });
}

void RunResult::require_passed() const {
  for (const Check& check : checks) {
    if (check.verdict != Verdict::kFailed) continue;
    const std::string name = check.call == 0 ? "" : scenario.calls[check.call - 1].name;
    throw RunFailure((name.empty() ? "" : name + ": ") + check.name + ": " + check.detail);
  }
}

}  // namespace annelid::simulation
