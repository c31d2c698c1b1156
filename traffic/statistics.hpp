// What happens to the packets of a measurement window.
#pragma once

#include <vector>

#include "systemc/network/config.hpp"
#include "traffic/packet.hpp"
#include "traffic/samples.hpp"

namespace annelid::traffic {

/// Latencies of the packets that were created in a window of cycles, and what the nodes received
/// in it.
class PacketStatistics final : public PacketObserver {
 public:
  /// The window is [begin, end).
  PacketStatistics(const systemc::NetworkConfig& network, Cycle begin, Cycle end);

  void ejected(const Packet& packet) override;

  [[nodiscard]] const Samples& total_latency() const { return total_; }      ///< creation to tail
  [[nodiscard]] const Samples& network_latency() const { return network_; }  ///< injection to tail
  [[nodiscard]] const Samples& hops() const { return hops_; }
  /// Packets of the window that have been ejected, at any time.
  [[nodiscard]] std::uint64_t ejected_of_window() const { return total_.count(); }
  /// Flits of the packets, by source, whose tail was ejected within the window.
  [[nodiscard]] const std::vector<std::uint64_t>& delivered_flits() const { return delivered_; }

 private:
  systemc::NetworkConfig config_;
  Cycle begin_, end_;
  Samples total_, network_, hops_;
  std::vector<std::uint64_t> delivered_;
};

}  // namespace annelid::traffic
