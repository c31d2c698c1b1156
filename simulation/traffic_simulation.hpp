// A network with sources and sinks of traffic, and what is recorded of it.
#pragma once

#include <ctime>
#include <map>
#include <memory>
#include <optional>
#include <string_view>
#include <tuple>
#include <vector>

#include "base/run_failure.hpp"
#include "simulation/recordings/recordings.hpp"
#include "simulation/recordings/register_stream.hpp"
#include "simulation/results/traffic_result.hpp"
#include "simulation/traffic_options.hpp"
#include "systemc/analysis/observer_tee.hpp"
#include "systemc/fabric/event_stream.hpp"
#include "traffic/endpoints.hpp"
#include "traffic/packet_log.hpp"
#include "traffic/packet_stream.hpp"

namespace annelid::simulation {

/// Planes say what a flit is and why it waits, but more slowly than routers by themselves.
[[nodiscard]] systemc::KernelKind kernel_kind(const TrafficOptions& options);

/// The kind of processor whose planes run, if any do.
[[nodiscard]] systemc::PlaneBackend plane_backend(KernelChoice kernel);

/// A network, its sources and sinks, and who watches them. With an exchange, the part of one
/// process or thread. The scenario, the options and the workload must outlive it.
class TrafficSimulation {
 public:
  TrafficSimulation(const TrafficScenario& scenario, const TrafficOptions& options,
                    Exchange* exchange, traffic::Workload& workload);

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

  [[nodiscard]] Speed speed() const;

  /// Collective, after the last cycle: the observers have seen everything.
  void end() {
    if (stream_) stream_->finish();
  }
  /// Finishes the files.
  RecordedFiles close();
  /// Collective: finishes the files, and says why the run came to no end.
  [[noreturn]] void fail_deadlock();
  [[noreturn]] void fail(std::string_view what, const RunFailure& failure,
                         const systemc::StallReport& stall = {});

 private:
  using FrontPackets = std::map<std::tuple<NodeId, Port, Vc>, systemc::HeadFields>;

  /// Process 0 writes the files.
  [[nodiscard]] bool writes() const { return cut_ == nullptr || cut_->slab().process == 0; }
  void log_packets();
  /// The observers are told of the events of all processes by the stream, which observes those of
  /// this one.
  void observe_all_processes();
  /// Collective. The report is that of process 0.
  [[nodiscard]] systemc::StallReport explain_deadlock();
  /// The packet at the front of a buffer. Every flit of a packet says whose it is
  /// (traffic/packet.hpp).
  [[nodiscard]] std::optional<systemc::HeadFields> front_packet(const systemc::RouterState& state,
                                                                Port in, Vc vc) const;
  /// Collective: in process 0, those of all processes.
  [[nodiscard]] FrontPackets all_front_packets();
  void write_packets();

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

}  // namespace annelid::simulation
