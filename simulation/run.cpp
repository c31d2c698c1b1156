#include "simulation/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/command_files.hpp"
#include "base/files.hpp"
#include "base/input_error.hpp"
#include "base/result_folder.hpp"
#include "base/run_failure.hpp"
#include "simulation/debugger/gdb_server.hpp"
#include "simulation/machine/contents.hpp"
#include "simulation/machine/memory_estimate.hpp"
#include "simulation/machine/sharing.hpp"
#include "simulation/machine/simulation.hpp"
#include "simulation/recordings/engine_stream.hpp"
#include "simulation/recordings/message_trees.hpp"
#include "simulation/recordings/nic_rows.hpp"
#include "simulation/recordings/register_stream.hpp"
#include "simulation/recordings/rtl_library.hpp"
#include "simulation/results/collect.hpp"
#include "simulation/starts.hpp"
#include "systemc/modules/elaboration.hpp"
#include "systemc/network/node_text.hpp"

namespace annelid::simulation {
namespace {

/// The recordings of a run, and what they see of the simulation. Of several processes process 0
/// records what happens in all.
class Watchers {
 public:
  Watchers(const RunOptions& options, const Scenario& scenario, Simulation& simulation,
           const nic::Image* image)
      : simulation_(simulation) {
    const bool writes = simulation.slab().process == 0;
    const WaveOptions& wave = options.recordings.wave;
    std::vector<NodeId> shown;
    if (!wave.file.empty()) shown = wave_nodes(wave, scenario.network);
    if (simulation.stream() != nullptr && !shown.empty()) {
      registers_.emplace(*simulation.stream(), simulation.network(), shown);
      engines_.emplace(*simulation.stream(), simulation, shown);
    }
    recordings_.emplace(writes ? options.recordings : RecordingOptions{}, scenario.network,
                        fmt::format("{}: {}", scenario.name, describe(scenario)),
                        [this](NodeId n, unsigned ports, systemc::RouterState& state) {
                          registers(n, ports, state);
                        });
    if (!registers_) {
      const unsigned ports = (1U << scenario.network.router.ports()) - 1;
      simulation.at_observed_end([this, shown, ports] {
        for (const NodeId n : shown) simulation_.network().registers(n, ports, last_[n]);
      });
    }
    std::vector<systemc::FabricObserver*> observers = recordings_->observers(), states;
    std::vector<nic::NicObserver*> nic_observers;
    if (recordings_->wave() != nullptr) {
      nic_rows_.emplace(*recordings_->wave(), scenario, simulation, image, [this](NodeId n) {
        return engines_ ? engines_->engines(n) : simulation_.nic(n).engines();
      });
      nic_observers.push_back(&*nic_rows_);
      observers.push_back(&*nic_rows_);
    }
    if (registers_) states = {&*registers_, &*engines_};
    simulation.watch(observers, nic_observers, states);
    if (image == nullptr) return;
    for (const NodeId n : shown) {
      simulation.core_tracers().add(n, nic_rows_ ? nic_rows_->tracer(n) : nullptr);
    }
    if (!options.recordings.timeline_files().any()) return;
    CoreTimes* const times = recordings_->core_times();
    for (NodeId n = 0; n < scenario.network.nodes(); ++n) {
      simulation.core_tracers().add(n, times == nullptr ? nullptr : times->tracer(n));
    }
  }
  Watchers(const Watchers&) = delete;
  Watchers& operator=(const Watchers&) = delete;

  [[nodiscard]] Recordings& recordings() { return *recordings_; }

 private:
  /// The registers that a waveform shows.
  void registers(NodeId node, unsigned ports, systemc::RouterState& state) {
    if (registers_) return registers_->registers(node, ports, state);
    const auto last = last_.find(node);
    if (last == last_.end()) return simulation_.network().registers(node, ports, state);
    state = last->second;
  }

  Simulation& simulation_;
  std::map<NodeId, systemc::RouterState> last_;  // at the end of what is recorded
  std::optional<RegisterStream> registers_;      // of several processes
  std::optional<EngineStream> engines_;
  std::optional<Recordings> recordings_;
  std::optional<NicRows> nic_rows_;
};

/// Process 0 records what the cores of all processes execute.
void trace_cores(CoreRecordings& recordings, const CoreRecordingOptions& options,
                 const systemc::NetworkConfig& network, Simulation& simulation) {
  if (!options.any()) return;
  const bool writes = simulation.slab().process == 0;
  for (const NodeId node : parse_nodes("--trace-node", options.nodes, network.nodes())) {
    const std::string name = node_text(network, network.address(node));
    simulation.core_tracers().add(node, writes ? recordings.tracer(node, name) : nullptr);
  }
}

/// Native firmware has no instructions that could be recorded or debugged.
void require_core(const RunOptions& options, const Scenario& scenario) {
  const char* const asked = !options.cores.trace.empty() ? "--trace"
                            : options.cores.any()        ? "--profile"
                            : options.gdb                ? "--gdb"
                                                         : nullptr;
  if (asked == nullptr || scenario.firmware.kind != FirmwareChoice::Kind::kNative) return;
  throw InputError(asked, "native firmware",
                   "firmware on the modelled core, --firmware rv32 or an ELF file");
}

/// Throws InputError if several processes cannot do what one can.
void require_one_process(const Scenario& scenario, const RunOptions& options) {
  if (options.exchange == nullptr) return;
  if (options.gdb) throw InputError("--gdb", "several processes", "one, which gdb can stop");
  require_slabs(scenario.network, options.exchange->processes(), Sharing::kProcesses);
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
  const int process = exchange == nullptr ? 0 : exchange->process();
  Scenario scenario = asked;
  // A trace is in the order of cycles, and gdb stops all cores in one.
  if (!options.cores.trace.empty() || options.gdb) scenario.nic.run_ahead = 1;
  std::vector<reference::Inputs> inputs;
  std::optional<CoreProgram> read;
  std::optional<ResultFolder> folder;
  std::optional<GdbPort> port;
  std::filesystem::path json;
  // What cannot be is refused before anything is written.
  together(exchange, [&] {
    inputs = inputs_of(scenario);
    read = read_program(scenario.firmware, scenario.origin("firmware"));
    require_core(options, scenario);
    require_one_process(scenario, options);
    require_shown(options.recordings, scenario.network);
    require_memory(estimate_memory(scenario), scenario.origin("network.size"));
    provide_rtl(options.recordings, scenario.network, progress);
    (void)rtl_nodes(options.recordings, scenario.network);
    if (options.gdb) port.emplace(*options.gdb);
    if (process > 0) return;
    CommandFiles files = files_of_run(scenario, options.folder);
    if (!options.folder.empty()) {
      folder.emplace(options.folder, std::initializer_list<const char*>{"result.json"});
    }
    require_writable(options.recordings, files);
    require_possible(options.cores, scenario.network.nodes(), files);
    if (folder) json = folder->fresh("result.json");
  });
  const CoreProgram& program = *read;
  const bool native = scenario.firmware.kind == FirmwareChoice::Kind::kNative;
  const nic::Image* const image = native ? nullptr : &program.image;
  const std::set<NodeId> rtl = rtl_nodes(options.recordings, scenario.network);

  const auto start = std::chrono::steady_clock::now();
  const systemc::Elaboration elaboration;  // so that there may be another run in this process
  CoreRecordings cores(process > 0 ? CoreRecordingOptions{} : options.cores, program,
                       scenario.network.nodes());
  std::optional<Simulation> made;
  together(exchange,
           [&] { made.emplace(scenario, image, rtl, plan_memory(scenario).end, exchange); });
  Simulation& simulation = *made;
  if (!native) {
    simulation.explain_by(program);
    trace_cores(cores, options.cores, scenario.network, simulation);
  }
  Watchers watchers(options, scenario, simulation, image);
  Recordings& recordings = watchers.recordings();
  std::optional<GdbServer> gdb;
  if (port) simulation.debug(gdb.emplace(port->accept(options.listening)));
  if (process == 0 && options.recordings.timeline_files().any()) {
    recordings.name_trees(trees_of(scenario));
  }
  RunResult result;
  try {
    result = run_checked(scenario, simulation, inputs, progress);
    if (options.account && process == 0) result.account = account_of(simulation, result);
    simulation.free_prepared(progress);
  } catch (const RunFailure& failure) {
    if (gdb) gdb->ended(1);
    recordings.name_tags(simulation.names_by_tag());
    recordings.end_cores(simulation.observed_end());
    recordings.fail("the run failed", simulation.stall());
    cores.close();
    throw recordings.close_after(failure);
  }
  if (process > 0) return result;
  for (const Check& check : result.checks) {
    if (check.verdict == Verdict::kFailed) recordings.fail(check.name);
  }
  recordings.name_tags(simulation.names_by_tag());
  recordings.end_cores(simulation.observed_end());
  result.recorded = recordings.close();
  for (NodeId node = 0; node < scenario.network.nodes(); ++node)
    cores.end(node, simulation.observed_end());
  result.profile = cores.close();
  if (gdb) gdb->ended(result.passed() ? 0 : 1);
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
