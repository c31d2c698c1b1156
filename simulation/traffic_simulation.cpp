#include "simulation/traffic_simulation.hpp"

#include <fmt/format.h>

#include <string>
#include <utility>

#include "base/output_file.hpp"
#include "simulation/scenario/network_keys.hpp"
#include "systemc/analysis/deadlock.hpp"
#include "systemc/cosim/rtl_router.hpp"

namespace annelid::simulation {
namespace {

/// Whether a file needs the events of the run.
bool is_watched(const TrafficOptions& options) {
  const RecordingOptions& r = options.recordings;
  return !r.flit_log.empty() || r.timeline_files().any() || !r.wave.file.empty() ||
         !options.packets.empty();
}

/// Threads have modules of the same kind in one SystemC hierarchy.
std::string module_name(const char* name, const Exchange* exchange) {
  return exchange == nullptr ? name : fmt::format("{}_{}", name, exchange->process());
}

/// A message of a trace can wait for one that has arrived anywhere in the cycle before.
systemc::Pace pace_of(const TrafficScenario& scenario) {
  return scenario.trace_file.empty() ? systemc::Pace::kWindow : systemc::Pace::kEveryCycle;
}

systemc::Fabric& set_up(systemc::Fabric& fabric, const TrafficOptions& options, systemc::Cut* cut) {
  fabric.set_kernel(kernel_kind(options), plane_backend(options.kernel));
  if (cut != nullptr) fabric.set_cut(*cut);
  if (cut != nullptr && !options.recordings.rtl.empty()) cut->exchange_every_cycle();
  return fabric;
}

}  // namespace

systemc::KernelKind kernel_kind(const TrafficOptions& options) {
  const bool planes = options.kernel == KernelChoice::kAutomatic
                          ? !is_watched(options)
                          : options.kernel != KernelChoice::kRouters;
  return planes ? systemc::KernelKind::kAutomatic : systemc::KernelKind::kRouters;
}

systemc::PlaneBackend plane_backend(KernelChoice kernel) {
  switch (kernel) {
    case KernelChoice::kPlanesBaseline:
      return systemc::PlaneBackend::kBaseline;
    case KernelChoice::kPlanesAvx2:
      return systemc::PlaneBackend::kAvx2;
    case KernelChoice::kPlanesAvx512:
      return systemc::PlaneBackend::kAvx512;
    default:
      return systemc::PlaneBackend::kBest;
  }
}

TrafficSimulation::TrafficSimulation(const TrafficScenario& scenario, const TrafficOptions& options,
                                     Exchange* exchange, traffic::Workload& workload)
    : options_(options),
      cut_(exchange == nullptr
               ? nullptr
               : std::make_unique<systemc::Cut>(scenario.network, *exchange, pace_of(scenario))),
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

Speed TrafficSimulation::speed() const {
  return {static_cast<double>(std::clock() - start_) / CLOCKS_PER_SEC, fabric_.flits_moved(),
          fabric_.now()};
}

RecordedFiles TrafficSimulation::close() {
  RecordedFiles recorded = recordings_.close();
  write_packets();
  return recorded;
}

systemc::StallReport TrafficSimulation::explain_deadlock() {
  const auto states = network_.all_states();
  if (cut_ == nullptr) {
    return explain_stall(network_.config(), states, [&](const systemc::ChannelEnd& end) {
      return front_packet(states[end.node], end.in, end.vc);
    });
  }
  const FrontPackets names = all_front_packets();
  if (states.empty()) return {};
  return explain_stall(network_.config(), states, [&](const systemc::ChannelEnd& end) {
    const auto found = names.find({end.node, end.in, end.vc});
    return found == names.end() ? std::nullopt : std::optional(found->second);
  });
}

void TrafficSimulation::fail_deadlock() {
  const systemc::StallReport stall = explain_deadlock();
  const std::uint64_t flits = fabric_.all_flits_in_flight();
  if (cut_ != nullptr && cut_->slab().process != 0) throw EndedByOther{};
  fail("deadlock",
       RunFailure(fmt::format("deadlock: {} flits are in the network in cycle {}, and packets "
                              "wait on each other for ever\n{}",
                              flits, fabric_.now(), stall.text)),
       stall);
}

void TrafficSimulation::fail(std::string_view what, const RunFailure& failure,
                             const systemc::StallReport& stall) {
  recordings_.fail(what, stall);
  write_packets();
  throw recordings_.close_after(failure);
}

void TrafficSimulation::log_packets() {
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

void TrafficSimulation::observe_all_processes() {
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

std::optional<systemc::HeadFields> TrafficSimulation::front_packet(
    const systemc::RouterState& state, Port in, Vc vc) const {
  const systemc::InputVcState& buffer = state.input[in][vc];
  if (buffer.count == 0) return std::nullopt;
  systemc::HeadFields head = systemc::unpack_head(buffer.front.data);
  const systemc::NetworkConfig& config = network_.config();
  const traffic::Packet* packet = endpoints_.in_flight(config.id(head.source), head.tag);
  if (packet != nullptr) head.destination = config.address(packet->destination);
  return head;
}

TrafficSimulation::FrontPackets TrafficSimulation::all_front_packets() {
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
  FrontPackets names;
  for (const std::vector<Named>& part : gathered<Named>(cut_->exchange(), own)) {
    for (const Named& each : part) names[{each.node, each.in, each.vc}] = each.head;
  }
  return names;
}

void TrafficSimulation::write_packets() {
  if (!packet_log_) return;
  OutputFile file(options_.packets, "--packets");
  packet_log_->write(file.stream());
  file.commit();
}

}  // namespace annelid::simulation
