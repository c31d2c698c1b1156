#include "studies/reproduce/job_laboratory.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <set>
#include <stdexcept>
#include <utility>

#include "base/files.hpp"
#include "base/forked_jobs.hpp"
#include "base/run_failure.hpp"
#include "reference/latency.hpp"
#include "simulation/run.hpp"
#include "simulation/traffic_run.hpp"

namespace annelid::studies {
namespace {

using Clock = std::chrono::steady_clock;
using reproduction::Measurement;
using reproduction::Run;

/// Roughly what it takes: to start the longest runs first, so that no process is left alone in the
/// end.
double work(const Run& run) {
  return static_cast<double>(run.network.nodes()) * (1000.0 + static_cast<double>(run.bytes));
}

/// Whether a process is there to receive anything: not a broadcast's source, nor a transposition's
/// diagonal.
bool receives(const Run& run, int node) {
  if (run.operation == reference::Operation::kBroadcast) {
    return node != reference::index_of(run.network, run.root);
  }
  const reference::Node place = reference::node_at(run.network, node);
  return run.operation != reference::Operation::kTranspose || place.x != place.y;
}

/// A call ends a cycle after its last receive.
Measurement measurement_of(const Run& run, const nlohmann::json& result) {
  Measurement m;
  const bool of_group = !run.group.empty();  // then by rank, after the group was made
  const auto& finished = result.at(of_group ? "finished_cycles" : "finished_cycle_per_node");
  const auto start = of_group ? result.at("first_cycle").get<std::uint64_t>() : 0;
  double sum = 0, count = 0;
  for (std::size_t i = 0; i < finished.size(); ++i) {
    const auto cycle = finished.at(i).get<std::uint64_t>() - 1 - start;
    m.last = std::max(m.last, cycle);
    if (!of_group && !receives(run, static_cast<int>(i))) continue;
    sum += static_cast<double>(cycle);
    ++count;
  }
  m.mean = count > 0 ? sum / count : 0;
  m.messages = result.at("messages").get<std::uint64_t>();
  m.bytes = result.at("bytes").get<std::uint64_t>();
  m.in_sequence = result.at("bytes_in_sequence").get<std::uint64_t>();
  for (const auto& step : result.at("steps")) {
    m.steps = std::max(m.steps, step.at("step").get<std::uint64_t>());
    m.hops += step.at("hops").get<std::uint64_t>();
    const auto& blocked = step.at("blocked_flit_cycles");
    m.stepwise += blocked.at("stepwise").get<std::uint64_t>() +
                  blocked.at("stepwise_ejection").get<std::uint64_t>();
    m.depth += blocked.at("depth").get<std::uint64_t>();
    m.control += blocked.at("control").get<std::uint64_t>();
  }
  m.account = result.at("account").get<decltype(m.account)>();
  m.wait = result.at("wait").get<std::string>();
  m.call_to_send = result.at("firmware_cycles").at("call_to_send").at("most").get<std::uint64_t>();
  return m;
}

/// The scenario of a run's arguments: an option and its text, one after the other.
simulation::Scenario scenario_of(const Run& run) {
  const std::vector<simulation::Key> keys = simulation::run_keys();
  const std::vector<std::string> words = run.arguments();
  std::vector<simulation::Override> overrides;
  for (std::size_t i = 0; i + 1 < words.size(); i += 2) {
    const auto key = std::ranges::find_if(keys, [&](const simulation::Key& k) {
      return k.option != nullptr && words[i] == k.option;
    });
    if (key == keys.end()) throw std::logic_error(words[i] + " is no option of a run");
    overrides.push_back({key->name, words[i], words[i + 1]});
  }
  return simulation::Scenario::read({}, overrides);
}

/// The longest wait of an account; empty if there is none.
std::string longest_wait(const simulation::Account& account) {
  std::map<std::string, Cycle> waits;
  for (const simulation::Stretch& s : account.stretches) {
    if (s.cause == simulation::Cause::kWaits) waits[s.for_whom] += s.cycles;
  }
  const auto longest = std::ranges::max_element(waits, {}, [](const auto& w) { return w.second; });
  if (longest == waits.end()) return "";
  return fmt::format("{} cycles for {}", longest->second, longest->first);
}

/// The result.json of a run whose checks all hold, with its account. Once per process.
std::string simulated_json(const Run& run) {
  simulation::RunOptions options;
  options.account = true;
  const simulation::RunResult result = simulation::run(scenario_of(run), options);
  result.require_passed();
  nlohmann::json json = nlohmann::json::parse(to_json(result));
  for (std::size_t i = 0; i < simulation::kCauses; ++i) {
    json["account"].push_back(result.account.total(static_cast<simulation::Cause>(i)));
  }
  json["wait"] = longest_wait(result.account);
  return json.dump();
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
    try {
      simulate(missing);
    } catch (...) {
      store_.write();
      throw;
    }
    store_.write();
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
  std::vector<std::size_t> order(runs.size());
  std::iota(order.begin(), order.end(), 0);
  ForkedJobs jobs([&](std::size_t number) { return simulated_json(runs[number]); },
                  options_.processes);
  jobs.run(order, [&](const EndedWork& ended) {
    const Run& run = runs[ended.work];
    const std::string key = run.line();
    if (ended.status != 0) {
      throw RunFailure(fmt::format("annelid run {}: {}", key, failure_text(ended)));
    }
    store_.set(key, measurement_of(run, nlohmann::json::parse(ended.text)));
    ++simulated_;
    ++done;
    show();
    if (Clock::now() - written_ < std::chrono::seconds(1)) return;
    store_.write();
    written_ = Clock::now();
  });
}

}  // namespace annelid::studies
