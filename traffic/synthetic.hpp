// Open-loop synthetic traffic: every node creates packets regardless of the network's state.
#pragma once

#include <vector>

#include "systemc/fabric/timing_wheel.hpp"
#include "systemc/network/slab.hpp"
#include "traffic/injection.hpp"
#include "traffic/packet_length.hpp"
#include "traffic/pattern.hpp"
#include "traffic/workload.hpp"

namespace annelid::traffic {

struct SyntheticConfig {
  PatternConfig pattern = {};
  InjectionConfig injection = {};
  PacketLength length{8};
  std::uint64_t seed = 1;
};

/// Each node has its own random stream, (seed, node). It draws from it first the state of its
/// bursts, then for each packet the time, the destination and the length.
class SyntheticWorkload final : public Workload {
 public:
  /// Throws ConfigError if the config is not valid for the network.
  SyntheticWorkload(const SyntheticConfig& config, const systemc::NetworkConfig& network);
  /// Creates only the packets that the nodes of a slab send.
  SyntheticWorkload(const SyntheticConfig& config, const systemc::NetworkConfig& network,
                    const systemc::Slab& slab);

  [[nodiscard]] Cycle next(Cycle from) const override { return agenda_.next(from); }
  void create(Cycle now, PacketSink& sink) override;
  [[nodiscard]] bool reacts() const override { return false; }

  [[nodiscard]] const Pattern& pattern() const { return pattern_; }

 private:
  struct Source {
    Random random;
    Creation next = {};
  };
  [[nodiscard]] Creation next_of(NodeId node, Cycle from);

  SyntheticConfig config_;
  Pattern pattern_;
  InjectionProcess process_;
  std::vector<Source> sources_;
  std::vector<InjectionProcess::Burst> bursts_;  // by node; empty if there are none
  systemc::TimingWheel agenda_;
  std::vector<systemc::TimingWheel::Entry> due_;
};

}  // namespace annelid::traffic
