// Fidelity to docs/internals/microarchitecture.md, section 6: cycles of packets in an otherwise
// idle network.
#include <gmock/gmock.h>

#include <cstdlib>

#include "systemc/fabric/fabric.hpp"
#include "systemc/modules/network.hpp"
#include "testbench/systemc/names.hpp"
#include "testbench/systemc/traffic_node.hpp"

namespace annelid::systemc {
namespace {

/// Hops of dimension order, written out here: the shorter way in each dimension.
int distance(const NetworkConfig& config, Address from, Address to) {
  int sum = 0;
  for (int d = 0; d < config.router.dims; ++d) {
    const int straight = std::abs(int{to[d]} - int{from[d]});
    const bool ring = config.router.torus[static_cast<std::size_t>(d)];
    sum += ring ? std::min(straight, config.size_of(d) - straight) : straight;
  }
  return sum;
}

/// Sends one packet at a time and looks at the cycles of its arrival.
class IdleNetwork {
 public:
  explicit IdleNetwork(const NetworkConfig& config) : network_("network", fabric_, config) {
    EXPECT_EQ(fabric_.run_until(10), RunStatus::kQuiet);  // every component's first step is over
  }

  void expect_unloaded_latency(NodeId from, NodeId to, int flits) {
    const Address source = network_.config().address(from), target = network_.config().address(to);
    const Cycle sent = fabric_.now() + 1;  // created now, on the injection channel in the next
    traffic_.node(from).send(target, 5, flits);
    ASSERT_EQ(fabric_.run_until(sent + 10000), RunStatus::kQuiet);
    ASSERT_FALSE(traffic_.node(to).arrivals().empty());
    const Arrival& arrival = traffic_.node(to).arrivals().back();
    const NetworkConfig& config = network_.config();
    const auto h = static_cast<Cycle>(distance(config, source, target));
    const auto stages = static_cast<Cycle>(config.router.stages);
    const auto switches =
        h + (config.router.one_port() ? static_cast<Cycle>(config.router.dims) : 1);
    const Cycle head_at =
        sent + stages * switches + static_cast<Cycle>(config.router.link_registers) * h;
    EXPECT_EQ(arrival.head, (HeadFields{target, source, 5}));
    EXPECT_EQ(arrival.flits, static_cast<std::uint32_t>(flits));
    EXPECT_EQ(arrival.head_cycle, head_at);
    EXPECT_EQ(arrival.tail_cycle, head_at + static_cast<Cycle>(flits - 1));
    ++packets_;
    EXPECT_EQ(traffic_.counts().packets_ejected, packets_);
  }

  /// Cycles between head and tail of a packet on the ejection channel.
  Cycle length_on_ejection(NodeId from, NodeId to, int flits) {
    traffic_.node(from).send(network_.config().address(to), 5, flits);
    EXPECT_EQ(fabric_.run_until(fabric_.now() + 10000), RunStatus::kQuiet);
    const Arrival& arrival = traffic_.node(to).arrivals().back();
    return arrival.tail_cycle - arrival.head_cycle;
  }

  [[nodiscard]] std::uint64_t packets() const { return packets_; }

 private:
  Fabric fabric_{"fabric"};
  Network network_;
  Traffic traffic_{"traffic", network_, {.load = 0, .keep_arrivals = true}};
  std::uint64_t packets_ = 0;
};

TEST(RouterTiming, TheTailIsEjectedAfterHopsPlusFlitsForAllPairsOf4x4) {
  IdleNetwork network({.size = {4, 4, 1}});
  for (NodeId from = 0; from < 16; ++from) {
    for (NodeId to = 0; to < 16; ++to) {
      if (from == to) continue;
      for (int flits : {1, 2, 7}) network.expect_unloaded_latency(from, to, flits);
    }
  }
  EXPECT_EQ(network.packets(), 16u * 15 * 3);
}

TEST(RouterTiming, TheTailIsEjectedAfterHopsPlusFlitsForSamplesOf8x8WithOtherRouters) {
  IdleNetwork network({.size = {8, 8, 1}, .router = {3, 4, 2, 2}});
  for (NodeId from = 0; from < 64; from += 7) {
    for (NodeId to = 0; to < 64; to += 5) {
      if (from != to) network.expect_unloaded_latency(from, to, static_cast<int>(1 + from + to));
    }
  }
  EXPECT_GT(network.packets(), 100u);
}

TEST(RouterTiming, TheTailIsEjectedAfterHopsPlusFlitsOnALineOfTheGreatestLength) {
  IdleNetwork network({.size = {256, 1, 1}, .router = {1, 1, 1, 64}});
  network.expect_unloaded_latency(0, 255, 3);
  network.expect_unloaded_latency(255, 0, 300);
  EXPECT_EQ(network.packets(), 2u);
}

class ZeroLoad : public ::testing::TestWithParam<NetworkConfig> {};

TEST_P(ZeroLoad, LatencyIsThatOfTheFormulaForAllPairs) {
  IdleNetwork network(GetParam());
  const NodeId nodes = GetParam().nodes();
  for (NodeId from = 0; from < nodes; ++from) {
    for (NodeId to = 0; to < nodes; ++to) {
      if (from == to) continue;
      for (int flits : {1, 2, 9}) network.expect_unloaded_latency(from, to, flits);
    }
  }
  EXPECT_EQ(network.packets(), std::uint64_t{nodes} * (nodes - 1) * 3);
}

constexpr RouterKind kOne = RouterKind::kOnePort;
constexpr ArbiterKind kMatrix = ArbiterKind::kMatrix;
constexpr TorusClasses kPlh = TorusClasses::kPlh;
constexpr std::array<bool, 3> kX{true, false, false}, kXy{true, true, false},
    kXyz{true, true, true};

INSTANTIATE_TEST_SUITE_P(
    RouterTiming, ZeroLoad,
    ::testing::Values(NetworkConfig{{5, 1, 1}, {.local_ports = 2, .dims = 1}},
                      NetworkConfig{{3, 3, 1}, {.depth = 4, .stages = 2}},
                      NetworkConfig{{3, 3, 1}, {.depth = 6, .stages = 3, .link_registers = 1}},
                      NetworkConfig{{3, 3, 1},
                                    {.vcs = 8, .depth = 12, .stages = 4, .link_registers = 4}},
                      NetworkConfig{{3, 2, 3}, {.local_ports = 6, .dims = 3}},
                      NetworkConfig{{3, 2, 3}, {1, 2, 2, 8, 3, {}, 4, 2, kMatrix}},
                      NetworkConfig{{5, 4, 1}, {4, 2, 1, 4, 2, {}, 1, 0, {}, kXy}},
                      NetworkConfig{{2, 1, 1}, {1, 2, 1, 4, 1, {}, 1, 0, {}, kX}},
                      NetworkConfig{{6, 2, 1}, {3, 3, 1, 12, 2, {}, 4, 4, {}, kX, kPlh}},
                      NetworkConfig{{3, 3, 3}, {6, 2, 1, 4, 3, {}, 1, 0, {}, kXyz}}),
    ::testing::PrintToStringParamName());
INSTANTIATE_TEST_SUITE_P(
    OnePort, ZeroLoad,
    ::testing::Values(NetworkConfig{{5, 1, 1}, {1, 1, 1, 4, 1, kOne}},
                      NetworkConfig{{3, 3, 1}, {1, 1, 1, 4, 2, kOne}},
                      NetworkConfig{{3, 3, 1}, {1, 2, 2, 6, 2, kOne, 2, 1}},
                      NetworkConfig{{3, 2, 3}, {1, 1, 1, 6, 3, kOne, 3, 1, kMatrix}},
                      NetworkConfig{{4, 5, 1}, {1, 2, 1, 12, 2, kOne, 4, 4, {}, kXy}},
                      NetworkConfig{{3, 2, 4}, {1, 3, 1, 4, 3, kOne, 1, 0, {}, kXyz, kPlh}}),
    ::testing::PrintToStringParamName());

// 64 x 64 nodes: from corner to corner, and everybody at once.
TEST(RouterTiming, TheTailIsEjectedAfterHopsPlusFlitsForSamplesOf64x64) {
  IdleNetwork network({.size = {64, 64, 1}});
  for (const auto& [from, to] :
       {std::pair<NodeId, NodeId>{0, 4095}, {4095, 0}, {63, 4032}, {1000, 3000}}) {
    network.expect_unloaded_latency(from, to, 20);
  }
  EXPECT_EQ(network.packets(), 4u);
}

TEST(Network, Of64x64DeliversEverythingUnderTraffic) {
  Fabric fabric("fabric");
  Network network("network", fabric, {.size = {64, 64, 1}, .router = {.vcs = 2}});
  Traffic traffic("traffic", network, {.load = 0.05, .packets = 4});
  ASSERT_EQ(fabric.run_until(100000), RunStatus::kQuiet);
  EXPECT_EQ(traffic.counts().packets_ejected, 4096u * 4);
  EXPECT_EQ(traffic.counts().flits_ejected, 4096u * 4 * 8);
  EXPECT_EQ(fabric.flits_in_flight(), 0u);
}

// ---- The credit loop: one packet runs at D / loop flits per cycle -------------------------------

struct Rate {
  RouterConfig router;
  int loop;
};

void PrintTo(const Rate& rate, std::ostream* out) {
  PrintTo(NetworkConfig{.size = {4, 1, 1}, .router = rate.router}, out);
}

class CreditLoop : public ::testing::TestWithParam<Rate> {};

TEST_P(CreditLoop, APacketRunsAtTheRateOfDepthOverLoop) {
  const Rate& rate = GetParam();
  ASSERT_EQ(rate.router.credit_loop(), rate.loop);
  IdleNetwork network({.size = {4, 1, 1}, .router = rate.router});
  const int depth = rate.router.depth, rounds = 30;
  const Cycle between = network.length_on_ejection(0, 3, rounds * depth + 1);
  EXPECT_EQ(between, static_cast<Cycle>(rounds * std::max(depth, rate.loop)));
}

RouterConfig with(int depth, int stages, int links) {
  return {.depth = depth, .stages = stages, .link_registers = links};
}
INSTANTIATE_TEST_SUITE_P(RouterTiming, CreditLoop,
                         ::testing::Values(Rate{with(1, 1, 0), 2}, Rate{with(2, 1, 0), 2},
                                           Rate{with(1, 2, 0), 4}, Rate{with(3, 3, 0), 4},
                                           Rate{with(4, 4, 0), 4}, Rate{with(5, 4, 1), 6},
                                           Rate{with(6, 2, 1), 6}, Rate{with(3, 1, 4), 10},
                                           Rate{with(10, 1, 4), 10}, Rate{with(7, 4, 4), 12},
                                           Rate{with(12, 3, 4), 12}),
                         ::testing::PrintToStringParamName());

TEST(RouterTiming, AChannelRunsAtFullRateWithDepth2) {
  IdleNetwork network({.size = {4, 1, 1}, .router = {.depth = 2}});
  EXPECT_EQ(network.length_on_ejection(0, 3, 101), 100u);
}

TEST(RouterTiming, AChannelRunsAtHalfRateWithDepth1) {
  IdleNetwork network({.size = {4, 1, 1}, .router = {.depth = 1}});
  EXPECT_EQ(network.length_on_ejection(0, 3, 101), 200u);
}

}  // namespace
}  // namespace annelid::systemc
