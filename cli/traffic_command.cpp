#include "cli/traffic_command.hpp"

#include <fmt/format.h>

#include <ctime>

#include "base/files.hpp"
#include "base/run_failure.hpp"
#include "cli/progress_line.hpp"
#include "simulation/results/traffic_report.hpp"
#include "simulation/scenario/network_keys.hpp"
#include "simulation/scenario/traffic_scenario.hpp"
#include "systemc/analysis/deadlock.hpp"
#include "systemc/analysis/observer_tee.hpp"
#include "systemc/cosim/rtl_router.hpp"
#include "traffic/packet_log.hpp"

namespace annelid::cli {
namespace {

namespace fs = std::filesystem;

/// A network, its sources and sinks, and who watches them.
class TrafficSimulation {
 public:
  TrafficSimulation(const simulation::TrafficScenario& scenario, const TrafficArguments& arguments,
                    traffic::Workload& workload)
      : arguments_(arguments),
        fabric_("fabric"),
        network_("noc", fabric_, scenario.network,
                 systemc::make_rtl_routers(
                     simulation::rtl_nodes(arguments.recordings, scenario.network))),
        endpoints_("traffic", network_, workload),
        recordings_(
            arguments.recordings, network_,
            fmt::format("{}: {}", scenario.name, simulation::describe_network(scenario.network))) {
    observers_ = recordings_.observers();
    if (arguments.packets.empty()) return;
    packet_log_ = std::make_unique<traffic::PacketLog>(scenario.network, endpoints_);
    observers_.push_back(packet_log_.get());
    endpoints_.add_observer(*packet_log_);
  }

  [[nodiscard]] systemc::Fabric& fabric() { return fabric_; }
  [[nodiscard]] systemc::Network& network() { return network_; }
  [[nodiscard]] traffic::Endpoints& endpoints() { return endpoints_; }
  [[nodiscard]] simulation::Recordings& recordings() { return recordings_; }
  [[nodiscard]] const std::vector<systemc::FabricObserver*>& observers() const {
    return observers_;
  }

  [[nodiscard]] simulation::Speed speed() const {
    return {static_cast<double>(std::clock() - start_) / CLOCKS_PER_SEC, fabric_.flits_moved(),
            fabric_.now()};
  }

  /// Finishes the files; also after a failed run, as that is when one wants to look.
  void close() {
    recordings_.close();
    if (!packet_log_) return;
    OutputFile file(arguments_.packets, "--packets");
    packet_log_->write(file.stream());
    file.commit();
  }
  [[nodiscard]] std::string described() const {
    return recordings_.described() +
           (packet_log_ ? fmt::format("  packets   {}\n", arguments_.packets) : "");
  }

  [[noreturn]] void fail_deadlock() {
    const auto states = network_.states();
    // Every flit of a packet says whose it is (traffic/packet.hpp).
    const auto name = [&](const systemc::ChannelEnd& end) -> std::optional<systemc::HeadFields> {
      const systemc::InputVcState& buffer = states[end.node].input[end.in][end.vc];
      if (buffer.count == 0) return std::nullopt;
      systemc::HeadFields head = systemc::unpack_head(buffer.front.data);
      const systemc::NetworkConfig& config = network_.config();
      const traffic::Packet* packet = endpoints_.in_flight(config.id(head.source), head.tag);
      if (packet != nullptr) head.destination = config.address(packet->destination);
      return head;
    };
    throw RunFailure(
        fmt::format("deadlock: {} flits are in the network in cycle {}, and packets "
                    "wait on each other for ever\n{}",
                    fabric_.flits_in_flight(), fabric_.now(),
                    explain_stall(network_.config(), states, name).text));
  }

 private:
  const TrafficArguments& arguments_;
  systemc::Fabric fabric_;
  systemc::Network network_;
  traffic::Endpoints endpoints_;
  simulation::Recordings recordings_;
  std::unique_ptr<traffic::PacketLog> packet_log_;
  std::vector<systemc::FabricObserver*> observers_;
  std::clock_t start_ = std::clock();
};

void finish(const TrafficArguments& arguments, TrafficSimulation& simulation, const fs::path& json,
            const std::string& json_text, const std::string& summary_text) {
  write_file(json, json_text);
  if (arguments.quiet) return;
  fmt::print("{}\n  result    {}\n{}", summary_text, json.string(), simulation.described());
}

void run_synthetic(const TrafficArguments& arguments, const simulation::TrafficScenario& s,
                   const fs::path& json) {
  traffic::SyntheticWorkload workload(s.synthetic, s.network);
  const traffic::Pattern& pattern = workload.pattern();
  const auto analysis = traffic::analyze(s.network, pattern.demand(), s.synthetic.length);
  std::vector<bool> sends(s.network.nodes());
  for (NodeId n = 0; n < sends.size(); ++n) sends[n] = pattern.sends(n);

  TrafficSimulation simulation(s, arguments, workload);
  ProgressLine progress(!arguments.quiet);
  const auto show = [&](Cycle now, Cycle last, const char* phase) {
    progress.show(fmt::format("{}: cycle {} of at most {}", phase, now, last));
  };
  const traffic::Watching watching{.observers = simulation.observers(),
                                   .channels = !arguments.fast,
                                   .occupancy_samples = arguments.fast ? 0 : 64};
  const auto result = traffic::run_open_loop(simulation.network(), simulation.endpoints(), sends,
                                             s.phases, watching, show);
  progress.clear();
  const simulation::Speed speed = simulation.speed();
  if (result.status == systemc::RunStatus::kDeadlock) simulation.recordings().fail("deadlock");
  simulation.close();
  if (result.status == systemc::RunStatus::kDeadlock) simulation.fail_deadlock();
  finish(arguments, simulation, json, to_json(s, result, analysis),
         summary(s, result, analysis, speed));
}

void run_trace(const TrafficArguments& arguments, const simulation::TrafficScenario& s,
               const fs::path& json) {
  traffic::TraceWorkload workload(s.trace);
  TrafficSimulation simulation(s, arguments, workload);
  systemc::Fabric& fabric = simulation.fabric();
  systemc::ObserverTee tee(simulation.observers());
  if (!simulation.observers().empty()) fabric.set_observer(&tee);
  ProgressLine progress(!arguments.quiet);
  constexpr Cycle kCyclesBetweenProgress = 10'000;
  systemc::RunStatus status = systemc::RunStatus::kCycleLimit;
  while (status == systemc::RunStatus::kCycleLimit && fabric.now() < s.cycle_limit) {
    status = fabric.run_until(std::min(s.cycle_limit, fabric.now() + kCyclesBetweenProgress));
    progress.show(fmt::format("cycle {}: {} of {} messages have arrived", fabric.now(),
                              workload.arrived(), s.trace.size()));
  }
  progress.clear();
  const simulation::Speed speed = simulation.speed();
  if (!workload.done()) simulation.recordings().fail("not finished");
  simulation.close();
  if (status == systemc::RunStatus::kDeadlock) simulation.fail_deadlock();
  if (!workload.done()) {
    throw RunFailure(
        fmt::format("cycle limit: {} cycles are over and {} of {} messages have not "
                    "arrived",
                    s.cycle_limit, s.trace.size() - workload.arrived(), s.trace.size()));
  }
  finish(arguments, simulation, json, to_json(s, workload), summary(s, workload, speed));
}

}  // namespace

int run_traffic(const TrafficArguments& arguments) {
  const simulation::TrafficScenario s =
      simulation::TrafficScenario::read(arguments.scenario, arguments.overrides);
  (void)simulation::rtl_nodes(arguments.recordings,
                              s.network);  // refused before anything is written
  const fs::path folder =
      arguments.out.empty() ? fs::path("runs") / s.name : fs::path(arguments.out);
  const fs::path json = prepare_result(folder);
  require_writable(arguments.recordings);
  if (!arguments.packets.empty()) require_writable(arguments.packets, "--packets");
  if (s.trace_file.empty()) {
    run_synthetic(arguments, s, json);
  } else {
    run_trace(arguments, s, json);
  }
  return 0;
}

}  // namespace annelid::cli
