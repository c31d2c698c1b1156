// Tornado traffic on a ring of 8 that is offered too much: who starves, and by what. The tables of
// docs/reference/traffic.md, "Throughput that falls".
#include <gtest/gtest.h>

#include <array>
#include <set>

#include "base/random.hpp"
#include "systemc/modules/elaboration.hpp"
#include "testbench/traffic/one_network.hpp"

namespace annelid::traffic {
namespace {

constexpr double kLoad = 0.3;
constexpr std::uint32_t kFlits = 8;
constexpr Cycle kBegin = 1000, kEnd = 11000;

/// Flits per cycle of each source, all but those of `silent` sending.
std::array<double, 8> accepted(const std::set<NodeId>& silent = {}) {
  systemc::NetworkConfig ring{.size = {8, 1, 1}};
  ring.router.dims = 1;
  ring.router.local_ports = 2;
  ring.router.vcs = 2;
  ring.router.torus[0] = true;
  std::vector<Script::Message> messages;
  Random random(1);
  for (Cycle cycle = 0; cycle < kEnd; ++cycle) {
    for (NodeId n = 0; n < 8; ++n) {
      const bool creates = random.uniform() < kLoad / kFlits && !silent.contains(n);
      if (creates) messages.push_back({cycle, n, (n + 3) % 8, kFlits});
    }
  }
  Script script(messages);
  const systemc::Elaboration elaboration;
  OneNetwork one(ring, script);
  EXPECT_EQ(one.fabric.run_until(kEnd), systemc::RunStatus::kCycleLimit);
  std::array<double, 8> rates{};
  for (const Packet& p : one.arrivals.packets) {
    if (p.tail_ejected >= kBegin) rates[p.source] += double{kFlits} / (kEnd - kBegin);
  }
  return rates;
}

TEST(TornadoOnARing, ASourceGetsAsMuchAsAllThatPassItTogether) {
  const auto rates = accepted();
  // Node 2 is the first whose merger is limited by a channel, 3 +x; nodes 3 and 4 get all.
  EXPECT_NEAR(rates[3], kLoad, 0.03);
  EXPECT_NEAR(rates[4], kLoad, 0.03);
  EXPECT_NEAR(rates[2], rates[1] + rates[0], 0.02);
  EXPECT_NEAR(rates[1], rates[0] + rates[7], 0.02);
  EXPECT_NEAR(rates[0], rates[7] + rates[6], 0.02);
  EXPECT_NEAR(rates[7], rates[6] + rates[5], 0.01);
}

TEST(TornadoOnARing, APacketLosesItsTurnToAnotherVirtualChannelOfItsInput) {
  // Packets of node 4 pass node 6 by the input of those of node 5, in the other class.
  const auto all = accepted();
  EXPECT_LT(all[5], 0.25 * all[6]);
  const auto without = accepted({4});
  EXPECT_GT(without[5], 0.05);
  EXPECT_NEAR(without[5], without[6], 0.01);
}

}  // namespace
}  // namespace annelid::traffic
