// The measurement of an open-loop network: warm-up, measurement, drain (Dally and Towles, section
// 23.2). Sources go on creating packets until the end, so that the packets of the measurement see
// the same network to their end.
#pragma once

#include <functional>
#include <optional>

#include "traffic/endpoints.hpp"
#include "traffic/meters.hpp"
#include "traffic/statistics.hpp"

namespace annelid::traffic {

struct Phases {
  Cycle warm_up = 5000;
  Cycle measure = 10000;      ///< at least 1
  Cycle drain_limit = 50000;  ///< how long to wait for the packets of the measurement
};

/// Who watches, beyond what is always counted.
struct Watching {
  std::vector<systemc::FabricObserver*> observers = {};  ///< from the first cycle on
  bool channels = true;        ///< count the flits of each channel in the measurement
  int occupancy_samples = 64;  ///< of all buffers, spread over the measurement; 0: none
};

/// Rates are flits per cycle and node that sends.
struct OpenLoopResult {
  OpenLoopResult(const systemc::NetworkConfig& network, Cycle begin, Cycle end)
      : packets_of_window(network, begin, end) {}

  systemc::RunStatus status =
      systemc::RunStatus::kCycleLimit;             ///< kDeadlock, or how the last phase ended
  Cycle cycles = 0;                                ///< simulated in all
  std::uint64_t flit_hops = 0;                     ///< flits through a switch in all
  bool drained = false;                            ///< every packet of the measurement was ejected
  std::uint64_t packets = 0, packets_ejected = 0;  ///< of the measurement
  std::size_t senders = 0;                         ///< nodes that send
  double offered = 0;                              ///< flits that were created in the window
  double accepted = 0;                             ///< flits that were ejected in it
  /// Of the source with the fewest: flits of its packets whose tail was ejected in the window, and
  /// those that it created in it.
  double accepted_least = 0, offered_least = 0;
  NodeId least_source = 0;
  PacketStatistics packets_of_window;
  std::optional<ChannelMeter> channels;
  OccupancyMeter occupancy;
};

/// Says how far the run is: cycle, and its last possible one.
using OnProgress = std::function<void(Cycle now, Cycle last, const char* phase)>;

/// Runs a network from cycle 0. `sends[n]` says whether node n sends at all.
[[nodiscard]] OpenLoopResult run_open_loop(systemc::Network& network, Endpoints& endpoints,
                                           const std::vector<bool>& sends, const Phases& phases,
                                           const Watching& watching,
                                           const OnProgress& on_progress = {});

}  // namespace annelid::traffic
