// Statistics of the packets of a measurement window.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "base/exchange.hpp"
#include "systemc/network/config.hpp"
#include "traffic/packet.hpp"
#include "traffic/samples.hpp"

namespace annelid::traffic {

/// A mean in cycles, if there were packets, and the half width of its 95 % interval if there were
/// enough of them.
struct LatencyEstimate {
  std::optional<double> mean;
  std::optional<double> half_width;
};

/// Counts, for a window of cycles, the latencies of the packets created in it, the flits that each
/// source created in it, and the flits of each source that were delivered in it.
class PacketStatistics final : public PacketObserver {
 public:
  /// The window is [begin, end), in cycles.
  PacketStatistics(const systemc::NetworkConfig& network, Cycle begin, Cycle end);

  void created(const Packet& packet) override;
  void ejected(const Packet& packet) override;

  /// Collective: adds what the other processes counted, in process 0.
  void merge(Exchange& exchange);

  [[nodiscard]] Cycle window_cycles() const { return end_ - begin_; }
  [[nodiscard]] const Samples& total_latency() const {
    return total_;
  }  ///< cycles from creation to tail
  [[nodiscard]] const Samples& network_latency() const {
    return network_;
  }  ///< cycles from injection to tail
  [[nodiscard]] const Samples& hops() const { return hops_; }
  /// Packets created in the window that have been ejected, in the window or later.
  [[nodiscard]] std::uint64_t ejected_of_window() const { return total_.count(); }
  /// By source: flits of the packets that were created within the window.
  [[nodiscard]] const std::vector<std::uint64_t>& created_flits() const { return created_; }
  /// By source: flits of the packets whose tail was ejected within the window.
  [[nodiscard]] const std::vector<std::uint64_t>& delivered_flits() const { return delivered_; }

  /// The total latency in cycles of the packets that were created in a quarter of the window, 0..3.
  /// A packet that has not been ejected yet counts as if it were ejected in cycle `now`. The
  /// interval is computed from the means of batches, because packets that are close in time have
  /// similar latencies.
  [[nodiscard]] LatencyEstimate latency_of_quarter(std::size_t quarter, Cycle now) const;

 private:
  static constexpr std::size_t kQuarters = 4;
  static constexpr std::size_t kBatches =
      5;  ///< per quarter: few and long, because congestion lasts

  /// The packets that were created in a part of the window. Cycles count from the window's begin.
  struct Batch {
    std::uint64_t created = 0, ejected = 0;
    std::uint64_t sum_created = 0, sum_ejected = 0;  ///< of the cycles of creation, of the tails
    [[nodiscard]] double latencies(Cycle now) const;
  };
  [[nodiscard]] bool in_window(Cycle cycle) const { return cycle >= begin_ && cycle < end_; }
  [[nodiscard]] std::size_t batch_of(Cycle created) const;
  [[nodiscard]] Batch& batch(const Packet& packet);

  systemc::NetworkConfig config_;
  std::vector<Address> address_;  ///< by node
  Cycle begin_, end_;
  Samples total_, network_, hops_;
  std::vector<std::uint64_t> created_, delivered_;
  std::array<Batch, kQuarters * kBatches> batches_{};
  std::array<Cycle, kQuarters * kBatches> first_cycle_{};  ///< of each batch
  std::size_t batch_ = 0;                                  ///< of the last call of batch()
};

}  // namespace annelid::traffic
