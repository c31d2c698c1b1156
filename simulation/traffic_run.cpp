#include "simulation/traffic_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <ctime>
#include <exception>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "base/command_files.hpp"
#include "base/files.hpp"
#include "base/input_error.hpp"
#include "base/result_folder.hpp"
#include "base/run_failure.hpp"
#include "base/thread_team.hpp"
#include "simulation/machine/memory_estimate.hpp"
#include "simulation/recordings/register_stream.hpp"
#include "simulation/scenario/network_keys.hpp"
#include "systemc/analysis/deadlock.hpp"
#include "systemc/analysis/observer_tee.hpp"
#include "systemc/cosim/rtl_router.hpp"
#include "systemc/router/elaboration.hpp"
#include "systemc/router/event_stream.hpp"
#include "traffic/packet_log.hpp"
#include "traffic/packet_stream.hpp"
#include "traffic/saturation.hpp"

namespace annelid::simulation {
namespace {

constexpr Cycle kTrafficProgressCycles = 10'000;

/// Whether a file needs the events of the run.
bool is_watched(const TrafficOptions& options) {
  const RecordingOptions& r = options.recordings;
  return !r.flit_log.empty() || !r.timeline.empty() || !r.wave.file.empty() ||
         !options.packets.empty();
}

/// Planes say what a flit is and why it waits, but more slowly than routers by themselves.
systemc::KernelKind kernel_kind(const TrafficOptions& options) {
  const bool watched = is_watched(options);
  const bool planes = options.kernel == KernelChoice::kPlanes ||
                      (options.kernel == KernelChoice::kAutomatic && !watched);
  return planes ? systemc::KernelKind::kAutomatic : systemc::KernelKind::kRouters;
}

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
  const int ranks = processes ? options.exchange->ranks() : options.threads;
  const int most = systemc::Slab::most(scenario.network);
  const char* const one = processes ? "process" : "thread";
  if (processes && options.threads != 1) {
    throw InputError("--threads", std::to_string(options.threads), "1 under mpirun");
  }
  if (ranks < 1 || ranks > most) {
    throw InputError(processes ? "mpirun -np" : "--threads", std::to_string(ranks),
                     fmt::format("1..{}: {}", most,
                                 scenario.network.ideal
                                     ? "the ideal network is one crossbar"
                                     : fmt::format("each {} takes at least one plane across the "
                                                   "last dimension",
                                                   one)));
  }
  if (!processes && ranks == 1) return;
  const auto refuse = [&](bool asked, const char* option) {
    if (!asked) return;
    throw InputError(option, processes ? "several processes (mpirun)" : "several threads",
                     fmt::format("one {}", one));
  };
  refuse(!scenario.trace_file.empty(), "traffic.trace");
  refuse(!processes && !options.recordings.rtl.empty(), "--rtl");
}

/// Throws InputError for nodes and cycles that cannot be shown.
void require_wave(const WaveOptions& wave, const systemc::NetworkConfig& network) {
  if (wave.file.empty()) return;
  (void)wave_nodes(wave, network);
  (void)wave_window(wave);
}

/// Collective, if there are several processes: what fails in one of them fails in all.
template <typename F>
void together(Exchange* exchange, F f) {
  if (exchange == nullptr) return f();
  std::exception_ptr failure;
  try {
    f();
  } catch (...) {
    failure = std::current_exception();
  }
  throw_together(*exchange, failure);
}

/// Threads have modules of the same kind in one SystemC hierarchy.
std::string module_name(const char* name, const Exchange* exchange) {
  return exchange == nullptr ? name : fmt::format("{}_{}", name, exchange->rank());
}

/// A network, its sources and sinks, and who watches them. With an exchange, the part of one
/// process or thread.
class TrafficSimulation {
 public:
  TrafficSimulation(const TrafficScenario& scenario, const TrafficOptions& options,
                    Exchange* exchange, traffic::Workload& workload)
      : options_(options),
        cut_(exchange == nullptr ? nullptr
                                 : std::make_unique<systemc::Cut>(scenario.network, *exchange)),
        fabric_(module_name("fabric", exchange).c_str()),
        network_(module_name("noc", exchange).c_str(), set_up(fabric_, options, cut_.get()),
                 scenario.network,
                 systemc::make_rtl_routers(rtl_nodes(options.recordings, scenario.network))),
        endpoints_(module_name("traffic", exchange).c_str(), network_, workload),
        recordings_(writes() ? options.recordings : RecordingOptions{}, network_.config(),
                    fmt::format("{}: {}", scenario.name, describe_network(scenario.network)),
                    [this](NodeId n, unsigned ports, systemc::RouterState& state) {
                      registers_ ? registers_->registers(n, ports, state)
                                 : network_.registers(n, ports, state);
                    }) {
    if (cut_ != nullptr && is_watched(options)) {
      stream_ = std::make_unique<systemc::EventStream>(fabric_);
    }
    observers_ = recordings_.observers();
    if (!options.packets.empty()) log_packets();
    if (stream_) observe_all_processes();
  }

  static systemc::Fabric& set_up(systemc::Fabric& fabric, const TrafficOptions& options,
                                 systemc::Cut* cut) {
    fabric.set_kernel(kernel_kind(options));
    if (cut != nullptr) fabric.set_cut(*cut);
    if (cut != nullptr && !options.recordings.rtl.empty()) cut->exchange_every_cycle();
    return fabric;
  }
  /// "planes" or "routers".
  [[nodiscard]] const char* kernel() const {
    return network_.planes().empty() ? "routers" : "planes";
  }

  [[nodiscard]] systemc::Fabric& fabric() { return fabric_; }
  [[nodiscard]] systemc::Network& network() { return network_; }
  [[nodiscard]] traffic::Endpoints& endpoints() { return endpoints_; }
  [[nodiscard]] const std::vector<systemc::FabricObserver*>& observers() const {
    return observers_;
  }

  [[nodiscard]] Speed speed() const {
    return {static_cast<double>(std::clock() - start_) / CLOCKS_PER_SEC, fabric_.flits_moved(),
            fabric_.now()};
  }

  /// Collective, after the last cycle: the observers have seen everything.
  void end() {
    if (stream_) stream_->finish();
  }

  /// Finishes the files.
  RecordedFiles close() {
    RecordedFiles recorded = recordings_.close();
    write_packets();
    return recorded;
  }

  /// Collective. The report is that of rank 0.
  [[nodiscard]] systemc::StallReport explain_deadlock() {
    const auto states = network_.all_states();
    if (cut_ == nullptr) {
      return explain_stall(network_.config(), states, [&](const systemc::ChannelEnd& end) {
        return front_packet(states[end.node], end.in, end.vc);
      });
    }
    const std::map<std::tuple<NodeId, Port, Vc>, systemc::HeadFields> names = all_front_packets();
    if (states.empty()) return {};
    return explain_stall(network_.config(), states, [&](const systemc::ChannelEnd& end) {
      const auto found = names.find({end.node, end.in, end.vc});
      return found == names.end() ? std::nullopt : std::optional(found->second);
    });
  }

  /// Finishes the files, and says why the run came to no end.
  [[noreturn]] void fail_deadlock() {
    const systemc::StallReport stall = explain_deadlock();
    std::uint64_t flits = fabric_.flits_in_flight();
    if (cut_ != nullptr) cut_->exchange().sum({&flits, 1});
    if (cut_ != nullptr && cut_->slab().rank != 0) throw EndedByOther{};
    fail("deadlock",
         RunFailure(fmt::format("deadlock: {} flits are in the network in cycle {}, and packets "
                                "wait on each other for ever\n{}",
                                flits, fabric_.now(), stall.text)),
         stall);
  }
  [[noreturn]] void fail(std::string_view what, const RunFailure& failure,
                         const systemc::StallReport& stall = {}) {
    recordings_.fail(what, stall);
    write_packets();
    throw recordings_.close_after(failure);
  }

 private:
  /// Rank 0 writes the files.
  [[nodiscard]] bool writes() const { return cut_ == nullptr || cut_->slab().rank == 0; }

  void log_packets() {
    const traffic::InFlightPacket ours = [this](NodeId source, std::uint16_t tag) {
      return endpoints_.in_flight(source, tag);
    };
    traffic::InFlightPacket all = ours;
    if (stream_) {
      packets_ = std::make_unique<traffic::PacketStream>(*stream_, ours);
      all = [this](NodeId source, std::uint16_t tag) { return packets_->in_flight(source, tag); };
    }
    if (writes()) {
      packet_log_ = std::make_unique<traffic::PacketLog>(network_.config(), std::move(all));
      observers_.push_back(packet_log_.get());
    }
    if (stream_ && packet_log_) packets_->set_observer(*packet_log_);
    endpoints_.add_observer(stream_ ? static_cast<traffic::PacketObserver&>(*packets_)
                                    : *packet_log_);
  }

  /// The observers are told of the events of all processes by the stream, which observes those of
  /// this one.
  void observe_all_processes() {
    watchers_.emplace(std::exchange(observers_, {}));
    stream_->set_observer(&*watchers_);
    if (const WaveOptions& wave = options_.recordings.wave; !wave.file.empty()) {
      registers_ =
          std::make_unique<RegisterStream>(*stream_, network_, wave_nodes(wave, network_.config()));
      observers_.push_back(registers_.get());
    }
    if (packets_) observers_.push_back(packets_.get());
    observers_.push_back(stream_.get());
  }

  /// The packet at the front of a buffer. Every flit of a packet says whose it is
  /// (traffic/packet.hpp).
  [[nodiscard]] std::optional<systemc::HeadFields> front_packet(const systemc::RouterState& state,
                                                                Port in, Vc vc) const {
    const systemc::InputVcState& buffer = state.input[in][vc];
    if (buffer.count == 0) return std::nullopt;
    systemc::HeadFields head = systemc::unpack_head(buffer.front.data);
    const systemc::NetworkConfig& config = network_.config();
    const traffic::Packet* packet = endpoints_.in_flight(config.id(head.source), head.tag);
    if (packet != nullptr) head.destination = config.address(packet->destination);
    return head;
  }
  /// Collective: in rank 0, those of all processes.
  [[nodiscard]] std::map<std::tuple<NodeId, Port, Vc>, systemc::HeadFields> all_front_packets() {
    struct Named {
      NodeId node;
      Port in;
      Vc vc;
      systemc::HeadFields head;
    };
    std::vector<Named> own;
    const systemc::RouterConfig& router = network_.config().router;
    for (NodeId node = cut_->slab().first; node < cut_->slab().end; ++node) {
      systemc::RouterState state;
      network_.state(node, state);
      for (Port in = 0; in < router.ports(); ++in) {
        for (Vc vc = 0; vc < router.input_vcs(in); ++vc) {
          if (const auto head = front_packet(state, in, vc)) own.push_back({node, in, vc, *head});
        }
      }
    }
    std::map<std::tuple<NodeId, Port, Vc>, systemc::HeadFields> names;
    for (const std::vector<Named>& part : gathered<Named>(cut_->exchange(), own)) {
      for (const Named& each : part) names[{each.node, each.in, each.vc}] = each.head;
    }
    return names;
  }

  void write_packets() {
    if (!packet_log_) return;
    OutputFile file(options_.packets, "--packets");
    packet_log_->write(file.stream());
    file.commit();
  }

  const TrafficOptions& options_;
  std::unique_ptr<systemc::Cut> cut_;
  systemc::Fabric fabric_;
  systemc::Network network_;
  traffic::Endpoints endpoints_;
  Recordings recordings_;
  std::unique_ptr<systemc::EventStream> stream_;  // with a cut, if the run is observed
  std::unique_ptr<traffic::PacketStream> packets_;
  std::unique_ptr<RegisterStream> registers_;
  std::unique_ptr<traffic::PacketLog> packet_log_;
  std::optional<systemc::ObserverTee> watchers_;  // who the stream tells of all processes
  std::vector<systemc::FabricObserver*> observers_;
  std::clock_t start_ = std::clock();
};

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
    require_wave(options.recordings.wave, scenario.network);
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
