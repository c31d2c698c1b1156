#include "studies/reproduce/job_laboratory.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "base/files.hpp"
#include "base/forked_jobs.hpp"
#include "base/run_failure.hpp"
#include "reference/costs/latency.hpp"
#include "simulation/traffic_run.hpp"
#include "studies/common/kept_jobs.hpp"
#include "studies/reproduce/run_machine.hpp"

namespace annelid::studies {
namespace {

using reproduction::Measurement;
using reproduction::Run;

/// Roughly what it takes: to start the longest runs first, so that no process is left alone in the
/// end.
double work(const Run& run) {
  return static_cast<double>(run.network.nodes()) * (1000.0 + static_cast<double>(run.bytes));
}

/// Runs of one machine are worth building it first if they are more than this for each process.
/// Machines of fewer runs are built by several processes at once.
constexpr std::size_t kFewRuns = 4;

/// The numbers of the runs that can be made on one machine, in their order.
std::vector<std::vector<std::size_t>> by_machine(const std::vector<Run>& runs) {
  std::map<std::string, std::size_t> places;
  std::vector<std::vector<std::size_t>> machines;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const auto [known, is_new] = places.try_emplace(runs[i].machine().line(), machines.size());
    if (is_new) machines.emplace_back();
    machines[known->second].push_back(i);
  }
  return machines;
}

}  // namespace

JobLaboratory::JobLaboratory(MeasurementStore& store, const Options& options, Progress& progress)
    : store_(store), options_(options), progress_(progress) {}

std::uint64_t JobLaboratory::cycles_of(reproduction::CoreSchedule schedule, int processes,
                                       int process) {
  if (!core_) core_.emplace();
  return core_->cycles(schedule, processes, process);
}

std::vector<JobLaboratory::TraceTimes> JobLaboratory::times_of(
    const reproduction::MessageTrace& trace) {
  std::string text = "id,cycle,source,destination,bytes,after\n";
  for (std::size_t i = 0; i < trace.messages.size(); ++i) {
    const reproduction::TraceMessage& m = trace.messages[i];
    fmt::format_to(std::back_inserter(text), "{},{},{},{},{},{}\n", i, m.start,
                   index_of(trace.network, m.from), index_of(trace.network, m.to), m.bytes,
                   fmt::join(m.after, ";"));
  }
  const std::filesystem::path file = options_.folder / (trace.name + ".csv");
  write_file(file, text);
  const std::vector<simulation::Override> values = {{"network.size", "--size", trace.size()},
                                                    {"traffic.trace", "--trace", file.string()}};
  const auto scenario = simulation::TrafficScenario::read({}, values);
  const simulation::TrafficResult result = simulation::run_traffic(scenario);
  std::vector<TraceTimes> times;
  times.reserve(trace.messages.size());
  for (std::size_t i = 0; i < trace.messages.size(); ++i) {
    const reproduction::TraceMessage& m = trace.messages[i];
    const auto& fate = result.trace->fates()[i];
    const auto hops = static_cast<std::uint64_t>(distance(trace.network, m.from, m.to));
    times.push_back({fate.created, fate.arrived,
                     reference::zero_load_latency(hops, reference::flits_of(m.bytes))});
  }
  return times;
}

int JobLaboratory::sources() const {
  constexpr int kAsThePapers = 100;
  return options_.sources != 0 ? options_.sources : kAsThePapers;
}

std::vector<Measurement> JobLaboratory::results_of(std::vector<Run>& runs) {
  std::vector<Run> missing;
  for (Run& run : runs) run.control_vc = options_.control_vc;
  std::set<std::string> asked;
  for (const Run& run : runs) {
    const std::string key = run.line();
    if (!asked.insert(key).second) continue;
    if (store_.find(key) == nullptr) {
      missing.push_back(run);
    } else {
      ++kept_;
    }
  }
  if (!missing.empty()) {
    std::ranges::stable_sort(missing, std::greater(), work);
    write_behind([&] { simulate(missing); }, [&] { store_.write(); });
  }
  std::vector<Measurement> measured;
  measured.reserve(runs.size());
  for (const Run& run : runs) measured.push_back(*store_.find(run.line()));
  for (const std::string& run : asked) {
    const Measurement& m = *store_.find(run);
    waits_.stepwise += m.stepwise;
    waits_.depth += m.depth;
    waits_.control += m.control;
    if (const auto commit = store_.foreign_commit(run)) commits_.insert(*commit);
  }
  waits_.runs += asked.size();
  return measured;
}

void JobLaboratory::simulate(const std::vector<Run>& runs) {
  std::size_t done = 0;
  const auto show = [&] {
    progress_.show(fmt::format("reproduce {}: {} of {} runs", title_, done, runs.size()));
  };
  show();
  KeptStudy study{
      .has_result = {},
      .seconds = {},  // the longest are first already
      .take =
          [&](const EndedWork& ended) {
            const std::string key = runs[ended.work].line();
            if (ended.status != 0) {
              throw RunFailure(fmt::format("annelid run {}: {}", key, failure_text(ended)));
            }
            store_.set(key, measurement_of(ended.text));
            ++simulated_;
            ++done;
          },
      .show = [&](std::size_t) { show(); },
      .write = [&] { store_.write(); },
      .interval = std::chrono::seconds(1)};
  KeptJobs kept(std::move(study));  // for all machines: each may take less than the interval
  std::vector<std::size_t> others;
  for (const std::vector<std::size_t>& numbers : by_machine(runs)) {
    if (numbers.size() <= kFewRuns * options_.processes) {
      others.insert(others.end(), numbers.begin(), numbers.end());
      continue;
    }
    std::vector<Run> own;
    own.reserve(numbers.size());
    for (const std::size_t number : numbers) own.push_back(runs[number]);
    RunMachine machine(own);
    ForkedJobs copies([&](std::size_t number) { return to_json(machine.measure(runs[number])); },
                      options_.processes, CopyFor::kOneJob);
    kept.run(copies, numbers);
  }
  std::ranges::sort(others);  // the longest first
  ForkedJobs copies(
      [&](std::size_t number) {
        return to_json(RunMachine({&runs[number], 1}).measure(runs[number]));
      },
      options_.processes, CopyFor::kManyJobs);
  kept.run(copies, others);
}

}  // namespace annelid::studies
