// Bounds of a pattern's traffic, from the definitions alone: nothing of the simulator
// is used (docs/internals/microarchitecture.md, sections 2, 5.1 and 6).
#pragma once

#include <array>
#include <vector>

#include "systemc/network/config.hpp"
#include "traffic/packet_length.hpp"
#include "traffic/pattern.hpp"

namespace annelid::traffic {

/// Flits per cycle on each channel if every source that sends offers 1 flit per cycle.
struct ChannelRates {
  std::vector<double> outputs;        ///< by node * ports() + switch output
  std::vector<double> injections;     ///< by node * L + local port
  std::array<double, 3> last_hops{};  ///< of all packets, by the dimension of their last hop
};
[[nodiscard]] ChannelRates expected_rates(const systemc::NetworkConfig& network,
                                          const Demand& demand);

/// The channel with the highest rate, and of several the first: one between routers before an
/// injection channel, that before an ejection channel.
struct BusyChannel {
  enum class Kind : std::uint8_t { kRouters, kInjection, kEjection };
  Kind kind = Kind::kRouters;
  NodeId node = 0;
  Port port = 0;  ///< a switch output; kInjection: a local port
  double rate = 0;
};

struct Analysis {
  ChannelRates rates;
  double mean_hops = 0;
  /// Mean over pairs and lengths: head on the injection channel to tail on the ejection channel,
  /// and as nothing waits in an idle network, creation to tail too.
  double zero_load_latency = 0;
  /// Flits per cycle and sending node at which the busiest channel carries 1 flit per cycle.
  double ideal_throughput = 0;
  BusyChannel busiest;
};
[[nodiscard]] Analysis analyze(const systemc::NetworkConfig& network, const Demand& demand,
                               const PacketLength& length);

}  // namespace annelid::traffic
