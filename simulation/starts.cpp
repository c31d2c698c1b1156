#include "simulation/starts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "simulation/checks/checks.hpp"
#include "simulation/checks/prepare_checks.hpp"
#include "simulation/machine/contents.hpp"

namespace annelid::simulation {
namespace {

StartResult times_of(const RunResult& result) {
  StartResult start;
  start.first_called = kNever;
  for (const CallResult& call : result.calls) {
    start.first_called = std::min(start.first_called, call.first_called());
    start.last_finished = std::max(start.last_finished, call.last_finished());
    start.cycles_of_calls.push_back(call.last_finished() + 1 - call.first_called());
  }
  return start;
}

/// The checks of all starts: the first failure of each, with the number of the start.
class AllChecks {
 public:
  void add(const std::vector<Check>& checks, std::size_t start) {
    for (const Check& check : checks) {
      if (check.verdict != Verdict::kFailed || find(check) != nullptr) continue;
      failed_.push_back(check);
      failed_.back().detail = fmt::format("start {}: {}", start, check.detail);
    }
    ++starts_;
  }

  /// The last start's checks become those of all starts.
  void put_into(std::vector<Check>& checks) const {
    if (starts_ < 2) return;
    for (Check& check : checks) {
      if (const Check* const failed = find(check)) {
        check = *failed;
      } else if (check.verdict == Verdict::kHeld) {
        check.detail += fmt::format("; in each of {} starts", starts_);
      }
    }
  }

 private:
  [[nodiscard]] const Check* find(const Check& wanted) const {
    const auto same = [&wanted](const Check& check) {
      return check.name == wanted.name && check.call == wanted.call;
    };
    const auto found = std::ranges::find_if(failed_, same);
    return found == failed_.end() ? nullptr : &*found;
  }

  std::vector<Check> failed_;
  std::size_t starts_ = 0;
};

}  // namespace

RunResult run_checked(const Scenario& scenario, Simulation& simulation,
                      const std::vector<reference::Inputs>& inputs, Progress& progress,
                      Collected what) {
  const bool collects = simulation.slab().process == 0;
  RunResult result;
  result.scenario = scenario;
  std::vector<StartResult> starts;
  std::vector<std::uint32_t> crcs;
  AllChecks checks;
  simulation.begin(inputs, progress);
  for (int number = 0; number < scenario.repeat; ++number) {
    const std::vector<reference::Inputs> now = number == 0 ? inputs : inputs_of(scenario, number);
    simulation.start(number, now, progress);
    if (!collects) {
      check_own_memory(simulation, scenario, now);
      continue;
    }
    result = checked_result(scenario, simulation, now, what);
    StartResult start = times_of(result);
    start.instructions = simulation.instructions();
    add_list_checks(simulation, start, result);
    checks.add(result.checks, starts.size() + 1);
    starts.push_back(std::move(start));
    if (number == 0) {
      for (const CallResult& call : result.calls) crcs.push_back(call.crc32);
    }
  }
  if (!collects || !scenario.has_starts()) return result;
  checks.put_into(result.checks);
  for (std::size_t i = 0; i < crcs.size(); ++i) result.calls[i].crc32 = crcs[i];
  result.starts = std::move(starts);
  add_prepare_checks(simulation, result);
  return result;
}

}  // namespace annelid::simulation
