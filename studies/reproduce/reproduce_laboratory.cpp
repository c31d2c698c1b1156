#include "studies/reproduce/reproduce_laboratory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "base/run_failure.hpp"
#include "studies/common/program_runs.hpp"

namespace annelid::studies {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;
using reproduction::Measurement;
using reproduction::Run;

std::string key_of(const Run& run) {
  std::string text;
  for (const std::string& word : run.arguments()) text += (text.empty() ? "" : " ") + word;
  return text;
}

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
  const auto& finished = result.at("finished_cycle_per_node");
  double sum = 0, count = 0;
  for (int node = 0; node < run.network.nodes(); ++node) {
    const auto cycle = finished.at(static_cast<std::size_t>(node)).get<std::uint64_t>() - 1;
    m.last = std::max(m.last, cycle);
    if (!receives(run, node)) continue;
    sum += static_cast<double>(cycle);
    ++count;
  }
  m.mean = count > 0 ? sum / count : 0;
  m.messages = result.at("messages").get<std::uint64_t>();
  for (const auto& step : result.at("steps")) {
    m.steps = std::max(m.steps, step.at("step").get<std::uint64_t>());
    m.hops += step.at("hops").get<std::uint64_t>();
    const auto& blocked = step.at("blocked_flit_cycles");
    m.stepwise += blocked.at("stepwise").get<std::uint64_t>() +
                  blocked.at("stepwise_ejection").get<std::uint64_t>();
    m.depth += blocked.at("depth").get<std::uint64_t>();
  }
  m.call_to_send = result.at("firmware_cycles").at("call_to_send").at("most").get<std::uint64_t>();
  return m;
}

}  // namespace

ProgramLaboratory::ProgramLaboratory(MeasurementStore& store, fs::path folder,
                                     std::size_t processes, int sources, Progress& progress)
    : store_(store),
      folder_(std::move(folder)),
      processes_(processes),
      sources_(sources),
      progress_(progress) {}

std::vector<Measurement> ProgramLaboratory::measure(std::span<const Run> runs) {
  std::vector<Run> missing;
  std::set<std::string> asked;
  for (const Run& run : runs) {
    const std::string key = key_of(run);
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
  for (const Run& run : runs) measured.push_back(*store_.find(key_of(run)));
  return measured;
}

void ProgramLaboratory::simulate(const std::vector<Run>& runs) {
  std::size_t done = 0;
  const auto show = [&] {
    progress_.show(fmt::format("reproduce {}: {} of {} runs", title_, done, runs.size()));
  };
  show();
  ProgramRuns(folder_, processes_)
      .run(
          runs.size(),
          [&](std::size_t number) {
            std::vector<std::string> words = runs[number].arguments();
            words.insert(words.begin(), {"run", "--quiet"});
            return std::optional(std::move(words));
          },
          [&](const EndedWork& ended) {
            const Run& run = runs[ended.work];
            const std::string key = key_of(run);
            if (ended.status != 0) {
              throw RunFailure(
                  fmt::format("annelid run {}: exit status {}\n{}", key, ended.status, ended.text));
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
