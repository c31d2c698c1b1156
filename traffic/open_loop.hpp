// Measures an open-loop network in three phases: warm-up, measurement and drain (Dally and Towles,
// section 23.2). Sources create packets until the run ends, so that the packets of the measurement
// see the same load until they arrive.
#pragma once

#include <functional>

#include "traffic/endpoints.hpp"
#include "traffic/meters.hpp"
#include "traffic/statistics.hpp"

namespace annelid::traffic {

struct Phases {
  Cycle warm_up = 5000;
  Cycle measure = 10000;      ///< cycles, at least 1
  Cycle drain_limit = 50000;  ///< longest wait for the packets of the measurement, in cycles
};

/// The result. Rates are in flits per cycle and sending node.
struct OpenLoopResult {
  OpenLoopResult(const systemc::NetworkConfig& network, Cycle begin, Cycle end)
      : packets_of_window(network, begin, end), channels(network) {}

  systemc::RunStatus status =
      systemc::RunStatus::kCycleLimit;             ///< kDeadlock, or how the last phase ended
  Cycle cycles = 0;                                ///< all cycles that were simulated
  std::uint64_t flit_hops = 0;                     ///< flits that crossed a switch in all cycles
  bool drained = false;                            ///< every packet of the measurement was ejected
  std::uint64_t packets = 0, packets_ejected = 0;  ///< created in the measurement
  std::size_t senders = 0;                         ///< number of nodes that send
  double offered = 0;                              ///< flits created in the window
  double accepted = 0;                             ///< flits ejected in the window
  /// For the source with the fewest: the flits of its packets whose tail was ejected in the window,
  /// and the flits that it created in the window.
  double accepted_least = 0, offered_least = 0;
  NodeId least_source = 0;
  bool numbers_met = false;  ///< Endpoints::numbers_may_have_met
  PacketStatistics packets_of_window;
  ChannelMeter channels;     ///< of the measurement
  OccupancyMeter occupancy;  ///< samples of all buffers, spread over the measurement
};

/// Reports the progress of the run: the current cycle and the last possible one.
using OnProgress = std::function<void(Cycle now, Cycle last, const char* phase)>;

/// Runs a network from cycle 0. `sends[n]` says whether node n sends packets at all. The observers
/// see every cycle.
[[nodiscard]] OpenLoopResult run_open_loop(systemc::Network& network, Endpoints& endpoints,
                                           const std::vector<bool>& sends, const Phases& phases,
                                           const std::vector<systemc::FabricObserver*>& observers,
                                           const OnProgress& on_progress = {});

}  // namespace annelid::traffic
