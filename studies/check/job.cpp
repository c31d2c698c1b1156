#include "studies/check/job.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/json.hpp"
#include "base/run_failure.hpp"
#include "simulation/checks/checks.hpp"
#include "simulation/machine/contents.hpp"
#include "simulation/machine/simulation.hpp"
#include "simulation/results/collect.hpp"
#include "simulation/scenario/auto_choice.hpp"
#include "simulation/scenario/hybrid_keys.hpp"
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

/// A scenario of one call, with its group if it has one.
void make_call(simulation::Scenario& scenario, const simulation::Collective& call) {
  scenario.call().collective = call;
  scenario.groups.clear();
  if (!call.ranks.listed) return;
  simulation::GroupSet set;
  set.text = call.group;
  set.groups = {{call.group, call.ranks.listed, call.place}};
  scenario.groups = {std::move(set)};
}

}  // namespace

JobResult run_job(const CheckJob& job, const nic::Image& image) {
  simulation::Scenario scenario;
  scenario.network = job.network;
  scenario.nic.network = job.network;
  scenario.nic.half_duplex = job.half_duplex();
  scenario.nic.eager_bytes = job.eager_bytes;
  scenario.firmware = job.firmware;
  std::uint64_t memory = 0;
  for (const simulation::Collective& call : job.calls) {
    make_call(scenario, call);
    memory = std::max(memory, simulation::plan_memory(scenario).end);
  }
  const bool native = job.firmware.kind == simulation::FirmwareChoice::Kind::kNative;
  const systemc::Elaboration elaboration;
  simulation::Simulation simulation(scenario, native ? nullptr : &image, {}, memory);
  Progress silent;

  JobResult result;
  for (simulation::Collective call : job.calls) {
    if (call.by_auto) {
      simulation::choose_algorithm(call, {job.network.router.one_port(), native});
    } else if (call.hybrid_open) {
      simulation::choose_hybrid(call, native);
    }
    make_call(scenario, call);
    const std::vector<reference::Inputs> inputs = simulation::inputs_of(scenario);
    try {
      simulation.run(inputs, silent);
      add(result, simulation::checked_result(scenario, simulation, inputs,
                                             simulation::Collected::kForChecks));
    } catch (const RunFailure& failure) {
      ++result.runs;
      result.rest = false;
      result.difference = failure.what();
    }
    if (result.passed()) continue;
    result.command = run_command(job, call);
    break;
  }
  return result;
}

std::string to_json(const JobResult& result) { return json_text(nlohmann::json(result)); }

JobResult job_result_of(const std::string& text) {
  return nlohmann::json::parse(text).get<JobResult>();
}

}  // namespace annelid::studies
