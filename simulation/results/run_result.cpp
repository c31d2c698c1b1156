#include "simulation/results/run_result.hpp"

#include <algorithm>

#include "base/run_failure.hpp"

namespace annelid::simulation {

Cycle cycles_of(const systemc::StepStatistics& step) {
  return step.last_ejected - step.first_injected + 1;
}

std::uint64_t RunResult::messages() const {
  std::uint64_t n = 0;
  for (const auto& [label, step] : steps) n += step.messages;
  return n;
}

double RunResult::mean_hops() const {
  std::uint64_t hops = 0;
  for (const auto& [label, step] : steps) hops += step.hops;
  return messages() == 0 ? 0.0 : static_cast<double>(hops) / static_cast<double>(messages());
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
    if (check.verdict == Verdict::kFailed) throw RunFailure(check.name + ": " + check.detail);
  }
}

}  // namespace annelid::simulation
