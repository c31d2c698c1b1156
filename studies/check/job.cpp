#include "studies/check/job.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "base/json.hpp"
#include "base/run_failure.hpp"
#include "simulation/machine/contents.hpp"
#include "simulation/machine/simulation.hpp"
#include "simulation/results/collect.hpp"
#include "simulation/scenario/auto_choice.hpp"
#include "simulation/scenario/hybrid_keys.hpp"
#include "simulation/starts.hpp"
#include "systemc/modules/elaboration.hpp"

namespace annelid::studies {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(JobResult, runs, fewest_steps, most_steps, bytes, schedule,
                                   contention, rest, contention_free, stepwise, depth, control,
                                   difference, command)

namespace {

void add(JobResult& job, const simulation::RunResult& run) {
  const auto& all_steps = run.call().steps;
  const std::uint64_t steps = all_steps.empty() ? 0 : all_steps.rbegin()->first;
  job.fewest_steps = job.runs == 0 ? steps : std::min(job.fewest_steps, steps);
  job.most_steps = std::max(job.most_steps, steps);
  ++job.runs;
  for (const auto& [label, step] : all_steps) {
    if (label != 0) job.stepwise += step.blocked.same_step;  // modes have no steps
    job.depth += step.blocked.other_step;
    job.control += step.blocked.control;
  }
  for (const simulation::Check& check : run.checks) {
    const bool is_contention = check.name == "stepwise contention";
    if (is_contention && check.verdict == simulation::Verdict::kHeld) job.contention_free = true;
    if (check.verdict != simulation::Verdict::kFailed) continue;
    (check.name == "bytes"      ? job.bytes
     : check.name == "schedule" ? job.schedule
     : is_contention            ? job.contention
                                : job.rest) = false;
    if (job.difference.empty()) job.difference = check.name + ": " + check.detail;
  }
}

/// A call of its own table, with its group if it has one.
void add_call(simulation::Scenario& scenario, const simulation::Collective& collective) {
  simulation::ScenarioCall call;
  call.collective = collective;
  call.table = scenario.calls.size();
  if (collective.ranks.listed) {
    const auto place = static_cast<std::uint32_t>(scenario.groups.size() + 1);
    call.collective.place = place;
    simulation::GroupSet set;
    set.text = collective.group;
    set.groups = {{collective.group, collective.ranks.listed, place}};
    scenario.groups.push_back(std::move(set));
  }
  scenario.calls.push_back(std::move(call));
}

/// A scenario of the call with this number, if it is prepared several times; every third time the
/// call before it is prepared too, and both are active at once.
void make_calls(simulation::Scenario& scenario, const std::vector<simulation::Collective>& calls,
                std::size_t number) {
  constexpr std::size_t kOneOf = 3;
  scenario.calls.clear();
  scenario.groups.clear();
  add_call(scenario, calls[number]);
  scenario.repeat = calls[number].prepared ? kStarts : 1;
  if (!calls[number].prepared || number % kOneOf != kOneOf - 1) return;
  add_call(scenario, calls[number - 1]);
  scenario.calls[0].name = "the call";
  scenario.calls[1].name = "the call before it";
}

/// Lets the calls of a job choose what they leave open.
std::vector<simulation::Collective> chosen_calls(const CheckJob& job, bool native) {
  std::vector<simulation::Collective> calls = job.calls;
  for (simulation::Collective& call : calls) {
    if (call.by_auto) {
      simulation::choose_algorithm(call, {job.network.router.one_port(), native});
    } else if (call.hybrid_open) {
      simulation::choose_hybrid(call, native);
    }
  }
  return calls;
}

/// Makes the scenario's calls, and adds what was found.
void run_calls(const simulation::Scenario& scenario, simulation::Simulation& simulation,
               JobResult& result) {
  Progress silent;
  const std::vector<reference::Inputs> inputs = simulation::inputs_of(scenario);
  try {
    add(result, simulation::run_checked(scenario, simulation, inputs, silent,
                                        simulation::Collected::kForChecks));
    simulation.free_prepared(silent);
  } catch (const RunFailure& failure) {
    ++result.runs;
    result.rest = false;
    result.difference = failure.what();
  }
}

}  // namespace

JobResult run_job(const CheckJob& job, const nic::Image& image) {
  simulation::Scenario scenario;
  scenario.network = job.network;
  scenario.nic.network = job.network;
  scenario.nic.half_duplex = job.half_duplex();
  scenario.nic.eager_bytes = job.eager_bytes;
  scenario.firmware = job.firmware;
  const bool native = job.firmware.kind == simulation::FirmwareChoice::Kind::kNative;
  const std::vector<simulation::Collective> calls = chosen_calls(job, native);
  std::uint64_t memory = 0;
  for (std::size_t number = 0; number < calls.size(); ++number) {
    make_calls(scenario, calls, number);
    memory = std::max(memory, simulation::plan_memory(scenario).end);
  }
  const systemc::Elaboration elaboration;
  simulation::Simulation simulation(scenario, native ? nullptr : &image, {}, memory);

  JobResult result;
  for (std::size_t number = 0; number < calls.size(); ++number) {
    make_calls(scenario, calls, number);
    run_calls(scenario, simulation, result);
    if (result.passed()) continue;
    result.command = run_command(job, calls[number]);
    if (scenario.calls.size() > 1) {
      result.command += ", together with " + run_command(job, calls[number - 1]);
    }
    break;
  }
  return result;
}

std::string to_json(const JobResult& result) { return json_text(nlohmann::json(result)); }

JobResult job_result_of(const std::string& text) {
  return nlohmann::json::parse(text).get<JobResult>();
}

}  // namespace annelid::studies
