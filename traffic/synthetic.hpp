// Open-loop synthetic traffic: every node creates packets by itself, whatever the network does.
#pragma once

#include <vector>

#include "systemc/router/timing_wheel.hpp"
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

/// Each node has a random stream of its own, (seed, node), from which it draws in this order: the
/// state of its bursts; then per packet the time, the destination, the length.
class SyntheticWorkload final : public Workload {
 public:
  /// Throws ConfigError.
  SyntheticWorkload(const SyntheticConfig& config, const systemc::NetworkConfig& network);

  [[nodiscard]] Cycle next(Cycle from) const override { return agenda_.next(from); }
  void create(Cycle now, PacketSink& sink) override;

  [[nodiscard]] const Pattern& pattern() const { return pattern_; }

 private:
  struct Source {
    Random random;
    InjectionProcess process;
    Creation next = {};
  };

  SyntheticConfig config_;
  Pattern pattern_;
  std::vector<Source> sources_;
  systemc::TimingWheel agenda_;
  std::vector<systemc::TimingWheel::Entry> due_;
};

}  // namespace annelid::traffic
