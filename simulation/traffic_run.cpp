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
#include "simulation/machine/sharing.hpp"
#include "simulation/recordings/rtl_library.hpp"
#include "simulation/traffic_simulation.hpp"
#include "systemc/modules/elaboration.hpp"
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
  if (options.kernel < KernelChoice::kPlanes) return;
  const std::string found =
      fmt::format("\"{}\"", kKernelNames.at(static_cast<std::size_t>(options.kernel)));
  const auto refuse = [](const std::string& what, const std::string& why) {
    throw InputError("--kernel", what, "routers or auto: " + why);
  };
  if (!systemc::PlaneNetwork::covers(scenario.network)) {
    refuse(found, std::string("planes are for ") + systemc::PlaneNetwork::kCovered);
  }
  if (!options.recordings.rtl.empty()) {
    refuse(found + " beside --rtl", "planes have no place for another router");
  }
  if (name_of(plane_backend(options.kernel)).empty()) {
    throw InputError("--kernel", found,
                     "planes: this processor lacks the instructions, or the program was built "
                     "without them");
  }
}

/// Throws InputError if several processes or threads cannot do what one can.
void require_one_slab(const TrafficScenario& scenario, const TrafficOptions& options) {
  const bool processes = options.exchange != nullptr;
  const Sharing sharing = processes ? Sharing::kProcesses : Sharing::kThreads;
  if (processes && options.threads != 1) {
    throw InputError("--threads", std::to_string(options.threads), "1 under mpirun");
  }
  const int slabs = processes ? options.exchange->processes() : options.threads;
  require_slabs(scenario.network, slabs, sharing);
  if (!processes && slabs == 1) return;
  refuse_option(!processes && !options.recordings.rtl.empty(), "--rtl", sharing);
}

systemc::Slab slab_of(const TrafficScenario& scenario, const Exchange* exchange) {
  return exchange == nullptr
             ? systemc::Slab(scenario.network, 0, 1)
             : systemc::Slab(scenario.network, exchange->process(), exchange->processes());
}

/// Collective: what all processes or threads have told each other.
Exchange::Traffic all_traffic(Exchange* exchange) {
  if (exchange == nullptr) return {};
  Exchange::Traffic all = exchange->traffic();
  std::array sums = {all.messages, all.bytes};
  exchange->sum(sums);
  std::tie(all.messages, all.bytes) = std::tie(sums[0], sums[1]);
  return all;
}

[[noreturn]] void refuse_numbers() {
  throw RunFailure(
      "a source sent 65,536 packets while one of its packets may still have been in the network: "
      "several processes or threads cannot say whether the source had to wait; run it in one");
}

/// A run of synthetic traffic. With an exchange, the part of one process or thread.
class SyntheticRun {
 public:
  SyntheticRun(const TrafficScenario& scenario, const TrafficOptions& options, Exchange* exchange)
      : scenario_(scenario),
        exchange_(exchange),
        process_(exchange == nullptr ? 0 : exchange->process()),
        workload_(scenario.synthetic, scenario.network, slab_of(scenario, exchange)),
        simulation_(scenario, options, exchange, workload_) {
    const traffic::Pattern& pattern = workload_.pattern();
    if (process_ != 0) return;
    analysis_ = traffic::analyze(scenario.network, pattern.demand(), scenario.synthetic.length);
  }

  /// Collective. Process 0 has the result.
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
    const Exchange::Traffic exchanged = all_traffic(exchange_);
    if (process_ != 0) return;
    if (measured.numbers_met) refuse_numbers();
    result.speed = simulation_.speed();
    result.speed.flit_hops = measured.flit_hops;
    result.speed.cycles = measured.cycles;
    if (exchange_ != nullptr) result.slabs = exchange_->processes();
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
  const int process_;
  traffic::SyntheticWorkload workload_;
  TrafficSimulation simulation_;
  traffic::Analysis analysis_;  // of process 0
};

/// A trace to its end. With an exchange, the part of one process or thread.
class TraceRun {
 public:
  TraceRun(const TrafficScenario& scenario, const TrafficOptions& options, Exchange* exchange)
      : scenario_(scenario),
        exchange_(exchange),
        workload_(scenario.trace, slab_of(scenario, exchange)),
        simulation_(scenario, options, exchange, workload_) {}

  /// Collective. Process 0 has the result.
  void run(Progress& progress, TrafficResult& result) {
    const systemc::RunStatus status = run_to_end(progress);
    simulation_.end();
    speed_ = simulation_.speed();
    bool numbers_met = false;
    if (exchange_ != nullptr) {
      exchange_->sum({&speed_.flit_hops, 1});
      numbers_met = simulation_.endpoints().numbers_may_have_met();
      workload_.merge(*exchange_);
    }
    const Exchange::Traffic exchanged = all_traffic(exchange_);
    if (status == systemc::RunStatus::kDeadlock) simulation_.fail_deadlock();
    if (!workload_.done()) fail_unfinished();
    if (exchange_ != nullptr && exchange_->process() != 0) return;
    if (numbers_met) refuse_numbers();
    result.speed = speed_;
    if (exchange_ != nullptr) result.slabs = exchange_->processes();
    result.exchanged = exchanged;
    result.kernel = simulation_.kernel();
    result.recorded = simulation_.close();
    result.trace.emplace(std::move(workload_));
  }

 private:
  systemc::RunStatus run_to_end(Progress& progress) {
    systemc::Fabric& fabric = simulation_.fabric();
    systemc::ObserverTee tee(simulation_.observers());
    if (!simulation_.observers().empty()) fabric.set_observer(&tee);
    systemc::RunStatus status = systemc::RunStatus::kCycleLimit;
    while (status == systemc::RunStatus::kCycleLimit && fabric.now() < scenario_.cycle_limit) {
      status =
          fabric.run_until(std::min(scenario_.cycle_limit, fabric.now() + kTrafficProgressCycles));
      std::uint64_t arrived = workload_.arrived();
      if (exchange_ != nullptr) exchange_->sum({&arrived, 1});
      progress.show(fmt::format("cycle {}: {} of {} messages have arrived", fabric.now(), arrived,
                                scenario_.trace.size()));
    }
    fabric.set_observer(nullptr);
    progress.clear();
    return status;
  }

  [[noreturn]] void fail_unfinished() {
    if (exchange_ != nullptr && exchange_->process() != 0) throw EndedByOther{};
    const std::size_t all = scenario_.trace.size();
    simulation_.fail("not finished",
                     RunFailure(fmt::format(
                         "cycle limit: {} cycles are over and {} of {} messages have not arrived",
                         scenario_.cycle_limit, all - workload_.arrived(), all)));
  }

  const TrafficScenario& scenario_;
  Exchange* const exchange_;
  traffic::TraceWorkload workload_;
  TrafficSimulation simulation_;
  Speed speed_;
};

/// In this process, as one of several, or in several threads.
template <typename Run>
void run_parts(const TrafficOptions& options, Progress& progress, TrafficResult& result) {
  const systemc::Elaboration elaboration;
  if (options.threads == 1) {
    std::optional<Run> run;
    together(options.exchange, [&] { run.emplace(result.scenario, options, options.exchange); });
    return run->run(progress, result);
  }
  ThreadTeam team(options.threads);
  std::vector<std::unique_ptr<Run>> runs;
  runs.reserve(static_cast<std::size_t>(options.threads));
  for (int process = 0; process < options.threads; ++process) {
    runs.push_back(std::make_unique<Run>(result.scenario, options, &team.exchange(process)));
  }
  systemc::Fabric::elaborate();
  team.run([&](int process) {
    Progress silent;
    runs[static_cast<std::size_t>(process)]->run(process == 0 ? progress : silent, result);
  });
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
    require_planes(scenario, options);
    require_one_slab(scenario, options);
    require_shown(options.recordings, scenario.network);
    require_memory(estimate_memory(scenario.network, runs_in_planes(scenario, options)),
                   scenario.settings.origin("network.size"));
    provide_rtl(options.recordings, scenario.network, progress);
    (void)rtl_nodes(options.recordings, scenario.network);
    if (options.exchange != nullptr && options.exchange->process() > 0) return;
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
    run_parts<SyntheticRun>(options, progress, result);
  } else {
    run_parts<TraceRun>(options, progress, result);
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
