#include "simulation/traffic_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "base/command_files.hpp"
#include "base/files.hpp"
#include "base/input_error.hpp"
#include "base/output_file.hpp"
#include "base/result_folder.hpp"
#include "base/run_failure.hpp"
#include "base/thread_team.hpp"
#include "simulation/machine/memory_estimate.hpp"
#include "simulation/machine/ranks.hpp"
#include "simulation/traffic_simulation.hpp"
#include "systemc/router/elaboration.hpp"
#include "traffic/saturation.hpp"

namespace annelid::simulation {
namespace {

constexpr Cycle kTrafficProgressCycles = 10'000;

bool runs_in_planes(const TrafficScenario& scenario, const TrafficOptions& options) {
  return kernel_kind(options) == systemc::KernelKind::kAutomatic &&
         options.recordings.rtl.empty() && systemc::PlaneNetwork::covers(scenario.network);
}

/// Throws InputError if planes are asked for and cannot run.
void require_planes(const TrafficScenario& scenario, const TrafficOptions& options) {
  if (options.kernel != KernelChoice::kPlanes) return;
  const auto refuse = [](const char* found, const std::string& why) {
    throw InputError("--kernel", found, "routers or auto: " + why);
  };
  if (!systemc::PlaneNetwork::covers(scenario.network)) {
    refuse("\"planes\"", std::string("planes are for ") + systemc::PlaneNetwork::kCovered);
  }
  if (!options.recordings.rtl.empty()) {
    refuse("\"planes\" beside --rtl", "planes have no place for another router");
  }
}

/// Throws InputError if several processes or threads cannot do what one can.
void require_one_slab(const TrafficScenario& scenario, const TrafficOptions& options) {
  const bool processes = options.exchange != nullptr;
  const Sharing sharing = processes ? Sharing::kProcesses : Sharing::kThreads;
  if (processes && options.threads != 1) {
    throw InputError("--threads", std::to_string(options.threads), "1 under mpirun");
  }
  const int slabs = processes ? options.exchange->ranks() : options.threads;
  require_slabs(scenario.network, slabs, sharing);
  if (!processes && slabs == 1) return;
  refuse_option(!scenario.trace_file.empty(), "traffic.trace", sharing);
  refuse_option(!processes && !options.recordings.rtl.empty(), "--rtl", sharing);
}

/// A run of synthetic traffic. With an exchange, the part of one process or thread.
class SyntheticRun {
 public:
  SyntheticRun(const TrafficScenario& scenario, const TrafficOptions& options, Exchange* exchange)
      : scenario_(scenario),
        exchange_(exchange),
        rank_(exchange == nullptr ? 0 : exchange->rank()),
        workload_(
            scenario.synthetic, scenario.network,
            systemc::Slab(scenario.network, rank_, exchange == nullptr ? 1 : exchange->ranks())),
        simulation_(scenario, options, exchange, workload_) {
    const traffic::Pattern& pattern = workload_.pattern();
    if (rank_ != 0) return;
    analysis_ = traffic::analyze(scenario.network, pattern.demand(), scenario.synthetic.length);
  }

  /// Collective. Rank 0 has the result.
  void run(Progress& progress, TrafficResult& result) {
    const auto show = [&](Cycle now, Cycle last, const char* phase) {
      progress.show(fmt::format("{}: cycle {} of at most {}", phase, now, last));
    };
    std::vector<bool> sends(scenario_.network.nodes());
    for (NodeId n = 0; n < sends.size(); ++n) sends[n] = workload_.pattern().sends(n);
    auto measured = traffic::run_open_loop(simulation_.network(), simulation_.endpoints(), sends,
                                           scenario_.phases, simulation_.observers(), show);
    progress.clear();
    simulation_.end();
    if (measured.status == systemc::RunStatus::kDeadlock) simulation_.fail_deadlock();
    Exchange::Traffic exchanged;
    if (exchange_ != nullptr) {
      exchanged = exchange_->traffic();
      std::array sums = {exchanged.messages, exchanged.bytes};
      exchange_->sum(sums);
      std::tie(exchanged.messages, exchanged.bytes) = std::tie(sums[0], sums[1]);
    }
    if (rank_ != 0) return;
    if (measured.numbers_met) {
      throw RunFailure(
          "a source sent 65,536 packets while one of its packets may still have been in the "
          "network: several processes or threads cannot say whether the source had to wait; run it "
          "in one");
    }
    result.speed = simulation_.speed();
    result.speed.flit_hops = measured.flit_hops;
    result.speed.cycles = measured.cycles;
    if (exchange_ != nullptr) result.slabs = exchange_->ranks();
    result.exchanged = exchanged;
    result.kernel = simulation_.kernel();
    result.recorded = simulation_.close();
    auto saturation = traffic::judge_saturation(scenario_.synthetic, analysis_, measured);
    result.synthetic.emplace(
        SyntheticResult{std::move(analysis_), std::move(measured), std::move(saturation)});
  }

 private:
  const TrafficScenario& scenario_;
  Exchange* const exchange_;
  const int rank_;
  traffic::SyntheticWorkload workload_;
  TrafficSimulation simulation_;
  traffic::Analysis analysis_;  // of rank 0
};

void run_synthetic(const TrafficOptions& options, Progress& progress, TrafficResult& result) {
  const systemc::Elaboration elaboration;
  if (options.threads == 1) {
    std::optional<SyntheticRun> run;
    together(options.exchange, [&] { run.emplace(result.scenario, options, options.exchange); });
    return run->run(progress, result);
  }
  ThreadTeam team(options.threads);
  std::vector<std::unique_ptr<SyntheticRun>> runs;
  runs.reserve(static_cast<std::size_t>(options.threads));
  for (int rank = 0; rank < options.threads; ++rank) {
    runs.push_back(std::make_unique<SyntheticRun>(result.scenario, options, &team.exchange(rank)));
  }
  systemc::Fabric::elaborate();
  team.run([&](int rank) {
    Progress silent;
    runs[static_cast<std::size_t>(rank)]->run(rank == 0 ? progress : silent, result);
  });
}

void run_trace(const TrafficOptions& options, Progress& progress, TrafficResult& result) {
  const TrafficScenario& s = result.scenario;
  traffic::TraceWorkload& workload = result.trace.emplace(s.trace);
  const systemc::Elaboration elaboration;
  TrafficSimulation simulation(s, options, nullptr, workload);
  systemc::Fabric& fabric = simulation.fabric();
  systemc::ObserverTee tee(simulation.observers());
  if (!simulation.observers().empty()) fabric.set_observer(&tee);
  systemc::RunStatus status = systemc::RunStatus::kCycleLimit;
  while (status == systemc::RunStatus::kCycleLimit && fabric.now() < s.cycle_limit) {
    status = fabric.run_until(std::min(s.cycle_limit, fabric.now() + kTrafficProgressCycles));
    progress.show(fmt::format("cycle {}: {} of {} messages have arrived", fabric.now(),
                              workload.arrived(), s.trace.size()));
  }
  progress.clear();
  result.speed = simulation.speed();
  result.kernel = simulation.kernel();
  if (status == systemc::RunStatus::kDeadlock) simulation.fail_deadlock();
  if (!workload.done()) {
    simulation.fail("not finished",
                    RunFailure(fmt::format(
                        "cycle limit: {} cycles are over and {} of {} messages have not arrived",
                        s.cycle_limit, s.trace.size() - workload.arrived(), s.trace.size())));
  }
  result.recorded = simulation.close();
}

/// What the run reads, and its result.
CommandFiles files_of_traffic(const TrafficScenario& scenario,
                              const std::filesystem::path& folder) {
  CommandFiles files;
  files.reads("the scenario", scenario.settings.file());
  files.reads(scenario.settings.origin("traffic.trace"), scenario.trace_file);
  files.writes("--out", folder, {"result.json", ResultFolder::kLockFile});
  return files;
}

}  // namespace

TrafficResult run_traffic(const TrafficScenario& scenario, const TrafficOptions& options,
                          Progress& progress) {
  // What cannot be is refused before anything is written.
  std::optional<ResultFolder> folder;
  std::filesystem::path json;
  const auto prepare = [&] {
    (void)rtl_nodes(options.recordings, scenario.network);
    require_planes(scenario, options);
    require_one_slab(scenario, options);
    require_shown(options.recordings.wave, scenario.network);
    require_memory(estimate_memory(scenario.network, runs_in_planes(scenario, options)),
                   scenario.settings.origin("network.size"));
    if (options.exchange != nullptr && options.exchange->rank() > 0) return;
    CommandFiles files = files_of_traffic(scenario, options.folder);
    if (!options.folder.empty()) {
      folder.emplace(options.folder, std::initializer_list<const char*>{"result.json"});
    }
    require_writable(options.recordings, files);
    files.writes("--packets", options.packets);
    if (!options.packets.empty()) annelid::require_writable(options.packets, "--packets");
    if (folder) json = folder->fresh("result.json");
  };
  together(options.exchange, prepare);

  TrafficResult result;
  result.scenario = scenario;
  if (scenario.trace_file.empty()) {
    run_synthetic(options, progress, result);
  } else {
    run_trace(options, progress, result);
  }
  result.packets = options.packets;
  if (json.empty()) return result;
  OutputFile file(json, json.string());
  write_json(file.stream(), result);
  file.commit();
  result.file = json;
  return result;
}

TrafficResult run_traffic(const TrafficScenario& scenario, const TrafficOptions& options) {
  Progress silent;
  return run_traffic(scenario, options, silent);
}

}  // namespace annelid::simulation
