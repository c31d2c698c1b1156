// Bounds of a pattern's traffic, computed from the definitions alone, without the simulator
// (docs/internals/microarchitecture.md, sections 2, 5.1 and 6).
#pragma once

#include <array>
#include <vector>

#include "systemc/network/config.hpp"
#include "traffic/packet_length.hpp"
#include "traffic/pattern.hpp"

namespace annelid::traffic {

/// Flits per cycle on each channel if every sending source offers 1 flit per cycle.
struct ChannelRates {
  std::vector<double> outputs;        ///< indexed by node * ports() + switch output
  std::vector<double> injections;     ///< indexed by node * L + local port
  std::array<double, 3> last_hops{};  ///< rates of all flows, by dimension of the last hop
};
[[nodiscard]] ChannelRates expected_rates(const systemc::NetworkConfig& network,
                                          const Demand& demand);

/// The channel with the highest rate. Among equals, a channel between routers comes before an
/// injection channel, and that before an ejection channel; otherwise the first one wins.
struct BusyChannel {
  enum class Kind : std::uint8_t { kRouters, kInjection, kEjection };
  Kind kind = Kind::kRouters;
  NodeId node = 0;
  Port port = 0;  ///< a switch output; for kInjection, a local port
  double rate = 0;
};

struct Analysis {
  ChannelRates rates;
  double mean_hops = 0;
  /// Cycles from the head on the injection channel to the tail on the ejection channel, as a mean
  /// over pairs and lengths. Nothing waits in an idle network, so creation to tail takes the same
  /// time.
  double zero_load_latency = 0;
  /// The load in flits per cycle and sending node at which the busiest channel carries 1 flit per
  /// cycle.
  double ideal_throughput = 0;
  BusyChannel busiest;
};
[[nodiscard]] Analysis analyze(const systemc::NetworkConfig& network, const Demand& demand,
                               const PacketLength& length);

}  // namespace annelid::traffic
