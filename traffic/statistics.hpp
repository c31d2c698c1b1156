// What happens to the packets of a measurement window.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "systemc/network/config.hpp"
#include "traffic/packet.hpp"
#include "traffic/samples.hpp"

namespace annelid::traffic {

/// A mean with the half width of its 95 % interval, which is there if there were enough packets.
struct LatencyEstimate {
  double mean = 0;
  std::optional<double> half_width;
};

/// Latencies of the packets that were created in a window of cycles, and what each source created
/// and what the nodes received of it in that window.
class PacketStatistics final : public PacketObserver {
 public:
  /// The window is [begin, end).
  PacketStatistics(const systemc::NetworkConfig& network, Cycle begin, Cycle end);

  void created(const Packet& packet) override;
  void ejected(const Packet& packet) override;

  [[nodiscard]] Cycle window_cycles() const { return end_ - begin_; }
  [[nodiscard]] const Samples& total_latency() const { return total_; }      ///< creation to tail
  [[nodiscard]] const Samples& network_latency() const { return network_; }  ///< injection to tail
  [[nodiscard]] const Samples& hops() const { return hops_; }
  /// Packets of the window that have been ejected, at any time.
  [[nodiscard]] std::uint64_t ejected_of_window() const { return total_.count(); }
  /// Flits of the packets, by source, that were created within the window.
  [[nodiscard]] const std::vector<std::uint64_t>& created_flits() const { return created_; }
  /// Flits of the packets, by source, whose tail was ejected within the window.
  [[nodiscard]] const std::vector<std::uint64_t>& delivered_flits() const { return delivered_; }

  /// The total latency of the packets that were created in a quarter of the window, 0..3. One that
  /// has not been ejected counts as if it were in cycle `now`. The interval comes from the means of
  /// batches, as packets that are close in time have similar latencies.
  [[nodiscard]] LatencyEstimate latency_of_quarter(std::size_t quarter, Cycle now) const;

 private:
  static constexpr std::size_t kQuarters = 4;
  static constexpr std::size_t kBatches = 5;  ///< of a quarter: few and long, as congestion lasts

  /// Packets that were created in a part of the window; cycles count from the window's begin.
  struct Batch {
    std::uint64_t created = 0, ejected = 0;
    std::uint64_t sum_created = 0, sum_ejected = 0;  ///< of the cycles of creation, of the tails
    [[nodiscard]] double latencies(Cycle now) const;
  };
  [[nodiscard]] bool in_window(Cycle cycle) const { return cycle >= begin_ && cycle < end_; }
  [[nodiscard]] Batch& batch(const Packet& packet);

  systemc::NetworkConfig config_;
  std::vector<Address> address_;  ///< by node
  Cycle begin_, end_;
  Samples total_, network_, hops_;
  std::vector<std::uint64_t> created_, delivered_;
  std::array<Batch, kQuarters * kBatches> batches_{};
};

}  // namespace annelid::traffic
