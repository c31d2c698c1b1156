// Measures the loads of channels and the fill of buffers.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "base/exchange.hpp"
#include "systemc/modules/network.hpp"
#include "traffic/endpoints.hpp"

namespace annelid::traffic {

/// Counts the flits on each channel. An observer costs simulation time, so it is attached only
/// while it is needed.
class ChannelMeter final : public systemc::FabricObserver {
 public:
  explicit ChannelMeter(const systemc::NetworkConfig& network);

  void moved(Cycle, NodeId node, Port, Vc, Port out, const systemc::Flit&) override {
    ++outputs_[node * ports_ + out];
  }
  void injected(Cycle, NodeId node, Port local, const systemc::Flit&) override {
    ++injections_[node * local_ports_ + local];
  }

  /// Collective: takes over what the other processes counted, in process 0.
  void merge(const systemc::Cut& cut);

  /// Forgets what it has counted.
  void clear();
  /// Takes over the counts that a network in planes has made by itself.
  void take(const systemc::Network& network, const Endpoints& endpoints);

  /// Flits, indexed by node * ports() + switch output.
  [[nodiscard]] const std::vector<std::uint64_t>& outputs() const { return outputs_; }
  /// Flits, indexed by node * L + local port.
  [[nodiscard]] const std::vector<std::uint64_t>& injections() const { return injections_; }

 private:
  std::size_t ports_, local_ports_;
  std::vector<std::uint64_t> outputs_, injections_;
};

/// The kinds of router buffers, by the channel that feeds them.
enum class BufferClass : std::uint8_t { kExternal, kInternal, kInjection };
inline constexpr int kBufferClasses = 3;
[[nodiscard]] const char* name_of(BufferClass buffer);

/// Flits in the buffers of data VCs of inputs, from samples of all routers' registers.
class OccupancyMeter {
 public:
  struct Fill {
    std::uint64_t samples = 0, flits = 0;  ///< sums over all buffers of the class and VC
    int most = 0;
    std::uint64_t used =
        0;  ///< not 0 if any of the buffers has ever held a flit, in a sample or not
    /// There must be samples.
    [[nodiscard]] double mean() const {
      return static_cast<double>(flits) / static_cast<double>(samples);
    }
  };

  /// Collective: adds the samples of the other processes.
  void merge(Exchange& exchange);

  /// To be called between cycles. Buffers without a channel (at the rim of a mesh) are left out.
  void sample(systemc::Network& network);
  /// To be called at the end of the measurement: notes which of these buffers have ever held a
  /// flit.
  void note_used(systemc::Network& network);

  [[nodiscard]] const Fill& fill(BufferClass buffer, Vc vc) const {
    return fills_[static_cast<std::size_t>(buffer)][vc];
  }
  [[nodiscard]] std::uint64_t times() const { return times_; }

 private:
  [[nodiscard]] static std::optional<BufferClass> class_of(const systemc::NetworkConfig& config,
                                                           Port port);
  static void sample(systemc::Network& network, Port port, Vc vc, Fill& fill);
  static void note_used(systemc::Network& network, Port port, Vc vc, Fill& fill);
  /// Calls f(port, vc, fill) for each data VC of each input that has buffers.
  template <typename F>
  void for_each(const systemc::NetworkConfig& config, F f);

  std::array<std::array<Fill, kMaxVcs>, kBufferClasses> fills_{};
  std::uint64_t times_ = 0;
};

}  // namespace annelid::traffic
