// What a pattern's traffic must cost at least, from the definitions alone: nothing of the simulator
// is used (docs/microarchitecture.md, sections 2, 5.1 and 6).
#pragma once

#include <vector>

#include "systemc/network/config.hpp"
#include "traffic/packet_length.hpp"
#include "traffic/pattern.hpp"

namespace annelid::traffic {

/// Flits per cycle on each channel if every source that sends offers 1 flit per cycle.
struct ChannelRates {
  std::vector<double> outputs;     ///< by node * ports() + switch output
  std::vector<double> injections;  ///< by node * L + local port
};
[[nodiscard]] ChannelRates expected_rates(const systemc::NetworkConfig& network,
                                          const Demand& demand);

struct Analysis {
  ChannelRates rates;
  double mean_hops = 0;
  /// Mean over pairs and lengths: head on the injection channel to tail on the ejection channel,
  /// and as nothing waits in an idle network, creation to tail too.
  double zero_load_latency = 0;
  /// Flits per cycle and sending node at which the busiest channel carries 1 flit per cycle.
  double ideal_throughput = 0;
  bool bound_by_injection = false,
       bound_by_ejection = false;  ///< else by a channel between routers
};
[[nodiscard]] Analysis analyze(const systemc::NetworkConfig& network, const Demand& demand,
                               const PacketLength& length);

/// Cycles from the head to the tail of a packet of `flits` flits on a channel, alone in the
/// network: flits - 1, or more where the buffers are shorter than the credit loop.
[[nodiscard]] std::uint64_t serialization(const systemc::NetworkConfig& network,
                                          std::uint64_t flits);

/// One packet alone: head on the injection channel to tail on the ejection channel.
[[nodiscard]] std::uint64_t zero_load_latency(const systemc::NetworkConfig& network, int hops,
                                              std::uint64_t flits);

}  // namespace annelid::traffic
