// Rationale: in a network of RTL routers, every register of every router is that of the model in
// the same place, in every cycle; so a difference shows in the cycle and at the node where it
// begins. State space: all registers of all routers. Parameter space: every Verilated
// configuration. Stimulus: random traffic up to saturation, with sinks that stall.
#include "testbench/lockstep/network_pair.hpp"

#include <gmock/gmock.h>

#include "systemc/cosim/rtl_model.hpp"
#include "testbench/lockstep/configuration_name.hpp"

namespace annelid::lockstep {
namespace {

constexpr Cycle kCycles = 1000;
constexpr systemc::TrafficConfig kTraffic{.load = 0.3, .packet_flits = 6, .sink_stall = 0.3};

systemc::NetworkConfig network_of(const systemc::RouterConfig& router) {
  systemc::NetworkConfig network{.size = {7, 1, 1}, .router = router};
  if (router.dims == 2) network.size = {4, 3, 1};
  if (router.dims == 3) network.size = {4, 3, 2};
  return network;
}

class NetworkPairs : public ::testing::TestWithParam<systemc::RouterConfig> {};

TEST_P(NetworkPairs, HaveTheSameRegistersInEveryCycle) {
  const systemc::NetworkConfig config = network_of(GetParam());
  NetworkPair pair("pair", config, config, kTraffic);
  EXPECT_EQ(pair.run(kCycles), "") << describe(config.router);
  EXPECT_GT(pair.flits_moved(), kCycles) << "there was traffic";
}

INSTANTIATE_TEST_SUITE_P(Verilated, NetworkPairs,
                         ::testing::ValuesIn(systemc::rtl_configurations()),
                         [](const auto& test) { return configuration_name(test.param); });

TEST(NetworkPair, NamesCycleNodeAndRegisterOfADifference) {
  const systemc::NetworkConfig rtl = network_of(systemc::rtl_configurations().front());
  systemc::NetworkConfig model = rtl;
  model.router.arbiters = systemc::ArbiterKind::kMatrix;
  NetworkPair pair("pair", model, rtl, kTraffic);
  EXPECT_THAT(pair.run(kCycles),
              ::testing::ContainsRegex("^cycle [0-9]+, node [0-9]+: out_pointer of port"));
}

}  // namespace
}  // namespace annelid::lockstep
