// Waveforms of events made by hand.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <utility>
#include <vector>

#include "testbench/waves/scratch.hpp"
#include "testbench/waves/wave_file.hpp"
#include "waves/wave_trace.hpp"

namespace annelid::waves {

inline constexpr Port kLocal0 = systemc::RouterConfig{}.first_local();

using Changes = std::vector<WaveFile::Change>;

inline constexpr Address kFrom{0, 0, 0}, kTo{2, 1, 0};

// A 3x2 mesh; its routers' registers are what a test writes into `states`.
class WaveOfEvents : public ::testing::Test {
 protected:
  WaveOfEvents() {
    config.size[0] = 3;
    config.size[1] = 2;
    config.router.vcs = 2;
    config.router.local_ports = 2;
    states.resize(config.nodes());
    for (systemc::RouterState& state : states) {
      for (Port p = 0; p < config.router.ports(); ++p) {
        for (Vc v = 0; v < config.router.link_vcs(p); ++v) state.output[p][v].credits = 4;
      }
    }
  }

  std::unique_ptr<WaveTrace> trace(std::vector<NodeId> nodes = {}, const WaveWindow& window = {}) {
    return std::make_unique<WaveTrace>(
        scratch / "w.fst", config, std::move(nodes),
        [this](NodeId node, unsigned, systemc::RouterState& state) {
          ++reads;
          state = states[node];
        },
        window);
  }
  /// A flit of one packet crosses from 0,0 to 1,0 in every cycle from `from` to `to`.
  static void cross(WaveTrace& wave, Cycle from, Cycle to) {
    for (Cycle t = from; t <= to; ++t) {
      wave.cycle(t);
      wave.moved(t, 0, kLocal0, 0, kPlusX, t == from ? head(0, 5) : body(0, t));
    }
  }
  [[nodiscard]] WaveFile read() const { return WaveFile(scratch / "w.fst"); }

  static systemc::Flit head(Vc vc, std::uint16_t tag) {
    return {systemc::pack({kTo, kFrom, tag}), vc, true, false};
  }
  static systemc::Flit body(Vc vc, std::uint64_t data) { return {data, vc, false, false}; }
  static systemc::Flit tail(Vc vc, std::uint64_t data) { return {data, vc, false, true}; }

  Scratch scratch;
  systemc::NetworkConfig config;
  std::vector<systemc::RouterState> states;
  int reads = 0;
};

}  // namespace annelid::waves
