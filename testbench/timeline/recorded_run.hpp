// Journeys of a simulated network, for tests. One network per process: SystemC elaborates once.
#pragma once

#include <gtest/gtest.h>

#include "systemc/analysis/observer_tee.hpp"
#include "systemc/modules/network.hpp"
#include "testbench/systemc/traffic_node.hpp"
#include "timeline/waits.hpp"

namespace annelid::timeline {

class RecordedNetwork {
 public:
  explicit RecordedNetwork(const systemc::NetworkConfig& config,
                           const systemc::TrafficConfig& load = {.load = 0})
      : config_(config),
        network_("network", fabric_, config),
        traffic_("traffic", network_, load),
        recorder_(config) {
    watch({});
  }
  /// Others who watch, beside the recorder.
  void watch(std::vector<systemc::FabricObserver*> others) {
    others.push_back(&recorder_);
    tee_.emplace(std::move(others));
    fabric_.set_observer(&*tee_);
  }
  void send(NodeId from, NodeId to, std::uint16_t tag, int flits) {
    traffic_.node(from).send(config_.address(to), tag, flits);
  }
  void pass(Cycle cycles) { fabric_.run_until(fabric_.now() + cycles); }
  void finish() {
    ASSERT_EQ(fabric_.run_until(fabric_.now() + 100'000), systemc::RunStatus::kQuiet);
  }
  RecordedRun run() {
    RecordedRun run = recorder_.take();
    find_waits(run);
    return run;
  }

 private:
  systemc::Fabric fabric_{"fabric"};
  systemc::NetworkConfig config_;
  systemc::Network network_;
  systemc::Traffic traffic_;
  JourneyRecorder recorder_;
  std::optional<systemc::ObserverTee> tee_;
};

inline constexpr systemc::RouterKind kOnePort = systemc::RouterKind::kOnePort;

/// Meshes, tori, lines; one-port, several VCs and stages, link registers; ideal.
inline const std::vector<systemc::NetworkConfig>& networks() {
  static const std::vector<systemc::NetworkConfig> kNetworks = {
      {{4, 4, 1}, {}},
      {{4, 4, 1}, {4, 2, 2, 2}},
      {{4, 4, 1}, {4, 2, 1, 3, 2, {}, 2, 1}},
      {{4, 4, 1}, {2, 3, 2, 3, 2, {}, 3}},
      {{4, 4, 1}, {4, 4, 2, 3, 2, {}, 4, 0, {}, {true, true, false}}},
      {{4, 2, 2}, {1, 3, 2, 4, 3, kOnePort, 4, 1}},
      {{4, 4, 1}, {4, 1, 2, 3}, true},
      {{4, 4, 1}, {.depth = 2, .control_vc = true}},
      {{16, 1, 1}, {1, 2, 1, 2, 1, kOnePort, 1, 0, {}, {true, false, false}}}};
  return kNetworks;
}

}  // namespace annelid::timeline
