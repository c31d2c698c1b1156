// The fabric against a loop without SystemC, activity map, agenda or skipped time (bench/): both
// must do the same work, or a comparison of their speed means nothing.
#include "bench/plain_network.hpp"

#include <gmock/gmock.h>

#include "systemc/fabric/fabric.hpp"
#include "systemc/modules/network.hpp"

namespace annelid::systemc {
namespace {

constexpr NetworkConfig kConfig{{8, 8, 1}, {4, 2, 1, 4}};

struct FabricNetwork {
  FabricNetwork(const std::string& name, const TrafficConfig& config)
      : fabric((name + "_fabric").c_str()),
        network((name + "_network").c_str(), fabric, kConfig),
        traffic((name + "_traffic").c_str(), network, config) {}
  Fabric fabric;
  Network network;
  Traffic traffic;
};

void expect_equal_runs(FabricNetwork& systemc, const TrafficConfig& config) {
  PlainNetwork plain(kConfig, config);
  for (int i = 0; i < 30; ++i) {
    plain.run(100);
    ASSERT_EQ(systemc.fabric.run_until(systemc.fabric.now() + 100), RunStatus::kCycleLimit);
    ASSERT_EQ(plain.flits_moved(), systemc.fabric.flits_moved()) << "before " << plain.now();
    ASSERT_EQ(plain.counts().latency_sum, systemc.traffic.counts().latency_sum);
  }
  EXPECT_GT(plain.counts().latency_sum, 1000u);
}

TEST(PlainNetwork, DoesTheSameAsTheFabricInEveryHundredCycles) {
  const TrafficConfig light{.load = 0.005}, medium{.load = 0.1, .sink_stall = 0.1},
      heavy{.load = 0.8, .sink_stall = 0.3};
  FabricNetwork a("a", light), b("b", medium), c("c", heavy);
  expect_equal_runs(a, light);
  expect_equal_runs(b, medium);
  expect_equal_runs(c, heavy);
}

}  // namespace
}  // namespace annelid::systemc
