#include "simulation/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/command_files.hpp"
#include "base/files.hpp"
#include "base/input_error.hpp"
#include "base/result_folder.hpp"
#include "base/run_failure.hpp"
#include "simulation/checks/checks.hpp"
#include "simulation/machine/contents.hpp"
#include "simulation/machine/memory_estimate.hpp"
#include "simulation/machine/ranks.hpp"
#include "simulation/machine/simulation.hpp"
#include "simulation/recordings/nic_rows.hpp"
#include "simulation/results/collect.hpp"
#include "systemc/router/elaboration.hpp"

namespace annelid::simulation {
namespace {

/// Lets the recordings and, if there is a waveform, its rows of the NICs see the simulation.
class Watchers {
 public:
  Watchers(Recordings& recordings, const Scenario& scenario, Simulation& simulation,
           const nic::Image* image) {
    std::vector<systemc::FabricObserver*> observers = recordings.observers();
    std::vector<nic::NicObserver*> nic_observers;
    if (recordings.wave() != nullptr) {
      nic_rows_.emplace(*recordings.wave(), scenario, simulation, image);
      nic_observers.push_back(&*nic_rows_);
      observers.push_back(&*nic_rows_);
    }
    simulation.watch(observers, nic_observers);
  }

 private:
  std::optional<NicRows> nic_rows_;
};

/// Native firmware has no instructions that could be recorded.
void require_core(const CoreRecordingOptions& options, const Scenario& scenario) {
  if (!options.any() || scenario.firmware.kind != FirmwareChoice::Kind::kNative) return;
  throw InputError(options.trace.empty() ? "--profile" : "--trace", "native firmware",
                   "firmware on the modelled core, --firmware rv32 or an ELF file");
}

/// Throws InputError if several processes cannot do what one can.
void require_one_process(const Scenario& scenario, const RunOptions& options) {
  if (options.exchange == nullptr) return;
  require_slabs(scenario.network, options.exchange->ranks(), Sharing::kProcesses);
  const RecordingOptions& r = options.recordings;
  refuse_option(!r.wave.file.empty(), "--wave", Sharing::kProcesses);
  refuse_option(!r.rtl.empty(), "--rtl", Sharing::kProcesses);
  refuse_option(!options.cores.trace.empty(), "--trace", Sharing::kProcesses);
  refuse_option(options.cores.any(), "--profile", Sharing::kProcesses);
}

/// What the run reads, and its result.
CommandFiles files_of_run(const Scenario& scenario, const std::filesystem::path& folder) {
  CommandFiles files;
  files.reads("the scenario", scenario.settings.file());
  for (const ScenarioCall& call : scenario.calls) {
    files.reads(scenario.origin("collective.payload"), call.payload);
  }
  files.reads(scenario.origin("firmware"), scenario.firmware.elf);
  files.writes("--out", folder, {"result.json", ResultFolder::kLockFile});
  return files;
}

}  // namespace

RunResult run(const Scenario& asked, const RunOptions& options, Progress& progress) {
  Exchange* const exchange = options.exchange;
  const int rank = exchange == nullptr ? 0 : exchange->rank();
  Scenario scenario = asked;
  if (!options.cores.trace.empty()) scenario.nic.run_ahead = 1;  // a trace in the order of cycles
  std::vector<reference::Inputs> inputs;
  std::optional<Program> read;
  std::optional<ResultFolder> folder;
  std::filesystem::path json;
  // What cannot be is refused before anything is written.
  together(exchange, [&] {
    inputs = inputs_of(scenario);
    read = read_program(scenario.firmware, scenario.origin("firmware"));
    (void)rtl_nodes(options.recordings, scenario.network);
    require_core(options.cores, scenario);
    require_one_process(scenario, options);
    require_memory(estimate_memory(scenario), scenario.origin("network.size"));
    if (rank > 0) return;
    CommandFiles files = files_of_run(scenario, options.folder);
    if (!options.folder.empty()) {
      folder.emplace(options.folder, std::initializer_list<const char*>{"result.json"});
    }
    require_writable(options.recordings, files);
    require_possible(options.cores, scenario.network.nodes(), files);
    if (folder) json = folder->fresh("result.json");
  });
  const Program& program = *read;
  const bool native = scenario.firmware.kind == FirmwareChoice::Kind::kNative;
  const nic::Image* const image = native ? nullptr : &program.image;
  const std::set<NodeId> rtl = rtl_nodes(options.recordings, scenario.network);

  const auto start = std::chrono::steady_clock::now();
  const systemc::Elaboration elaboration;  // so that there may be another run in this process
  CoreRecordings cores(options.cores, program, scenario.network.nodes());
  std::optional<Simulation> made;
  together(exchange,
           [&] { made.emplace(scenario, image, rtl, plan_memory(scenario).end, exchange); });
  Simulation& simulation = *made;
  if (!native) simulation.record(cores, program);
  // Rank 0 sees what happens in all processes.
  Recordings recordings(rank > 0 ? RecordingOptions{} : options.recordings, simulation.network(),
                        fmt::format("{}: {}", scenario.name, describe(scenario)));
  const Watchers watchers(recordings, scenario, simulation, image);
  try {
    simulation.run(inputs, progress);
  } catch (const RunFailure& failure) {
    recordings.name_tags(simulation.names_by_tag());
    recordings.fail("the run failed", simulation.stall());
    cores.close();
    throw recordings.close_after(failure);
  }
  if (rank > 0) {
    check_own_memory(simulation, scenario, inputs);
    RunResult result;
    result.scenario = scenario;
    return result;
  }
  RunResult result = collect(scenario, simulation, inputs);
  check_run(simulation, inputs, result);
  if (options.account) result.account = account_of(simulation, result);
  for (const Check& check : result.checks) {
    if (check.verdict == Verdict::kFailed) recordings.fail(check.name);
  }
  recordings.name_tags(simulation.names_by_tag());
  result.recorded = recordings.close();
  for (NodeId node = 0; node < scenario.network.nodes(); ++node) cores.end(node, simulation.now());
  result.profile = cores.close();
  result.host_seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (json.empty()) return result;
  write_file(json, to_json(result));
  result.file = json;
  return result;
}

RunResult run(const Scenario& scenario, const RunOptions& options) {
  Progress silent;
  return run(scenario, options, silent);
}

}  // namespace annelid::simulation
