// The analytic figures against numbers that were worked out by hand, and the closed form of uniform
// traffic against the sum over all pairs.
#include "traffic/analysis.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "traffic/zero_load.hpp"

namespace annelid::traffic {
namespace {

systemc::NetworkConfig network_of(std::array<int, 3> size, int dims, bool torus = false) {
  systemc::NetworkConfig network{.size = size};
  network.router.dims = dims;
  network.router.local_ports = 2 * dims;
  network.router.vcs = 2;
  for (int d = 0; d < dims; ++d) network.router.torus[static_cast<std::size_t>(d)] = torus;
  return network;
}

Demand all_pairs(const systemc::NetworkConfig& network) {
  Demand demand;
  for (NodeId from = 0; from < network.nodes(); ++from) {
    for (NodeId to = 0; to < network.nodes(); ++to) {
      if (from != to) demand.flows.push_back({from, to, 1.0 / (network.nodes() - 1)});
    }
  }
  return demand;
}

TEST(Uniform, TheClosedFormEqualsTheSumOverAllPairs) {
  std::vector<systemc::NetworkConfig> networks = {
      network_of({5, 1, 1}, 1),       network_of({5, 3, 1}, 2),
      network_of({4, 3, 2}, 3),       network_of({6, 1, 1}, 1, true),
      network_of({4, 5, 1}, 2, true), network_of({3, 4, 2}, 3, true)};
  networks.push_back(network_of({4, 3, 1}, 2));
  networks.back().router.local_ports = 3;
  networks.push_back(network_of({4, 3, 3}, 3));
  networks.back().router.kind = systemc::RouterKind::kOnePort;
  networks.back().router.local_ports = 1;
  for (const int n : {2, 4, 5}) {  // an uneven mesh and uneven tori
    networks.push_back(networks[static_cast<std::size_t>(n)]);
    networks.back().router.routing = systemc::RoutingKind::kYx;
  }
  for (const systemc::NetworkConfig& network : networks) {
    const ChannelRates closed = expected_rates(network, {1, {}});
    const ChannelRates summed = expected_rates(network, all_pairs(network));
    ASSERT_EQ(closed.outputs.size(), summed.outputs.size());
    for (std::size_t d = 0; d < closed.last_hops.size(); ++d) {
      ASSERT_NEAR(closed.last_hops[d], summed.last_hops[d], 1e-9) << network.size[0] << " " << d;
    }
    double sum = 0;
    for (std::size_t i = 0; i < closed.outputs.size(); ++i) {
      ASSERT_NEAR(closed.outputs[i], summed.outputs[i], 1e-9) << network.size[0] << " " << i;
      sum += closed.outputs[i];
    }
    for (std::size_t i = 0; i < closed.injections.size(); ++i) {
      ASSERT_NEAR(closed.injections[i], summed.injections[i], 1e-9) << network.size[0] << " " << i;
    }
    EXPECT_GT(sum, 1);
    EXPECT_NEAR(std::accumulate(closed.injections.begin(), closed.injections.end(), 0.0),
                network.nodes(), 1e-9);
  }
}

// Dally and Towles, section 3.3: under uniform traffic half of all packets of a mesh cross the
// middle.
TEST(IdealThroughput, OfUniformTrafficIsTheBisectionsLimit) {
  const PacketLength length(8);
  // 8x8: 32 sources send 32/63 of their flits over 8 channels.
  EXPECT_NEAR(analyze(network_of({8, 8, 1}, 2), {1, {}}, length).ideal_throughput,
              8 / (32 * 32.0 / 63), 1e-9);
  // A ring of 4: from each node one hop up, two hops up (a tie), one hop down; the channel up
  // carries 1 + 2 of 3 shares.
  EXPECT_NEAR(analyze(network_of({4, 1, 1}, 1, true), {1, {}}, length).ideal_throughput, 1, 1e-9);
}

TEST(IdealThroughput, OfTornadoOnARingIsOneOverTheHops) {
  const systemc::NetworkConfig ring = network_of({8, 1, 1}, 1, true);
  const Pattern tornado({PatternKind::kTornado}, ring);
  const Analysis a = analyze(ring, tornado.demand(), PacketLength(8));
  EXPECT_DOUBLE_EQ(a.mean_hops, 3);
  EXPECT_DOUBLE_EQ(a.ideal_throughput, 1 / 3.0);
  EXPECT_EQ(a.busiest.kind, BusyChannel::Kind::kRouters);
}

TEST(IdealThroughput, ACommonDestinationIsBoundByItsEjectionChannels) {
  systemc::NetworkConfig network = network_of({3, 3, 1}, 2);
  network.router.local_ports = 1;
  const Pattern hotspot({PatternKind::kHotspot, {4}, 1.0}, network);
  const Analysis a = analyze(network, hotspot.demand(), PacketLength(8));
  EXPECT_NEAR(a.ideal_throughput, 1 / 8.0, 1e-9);
  EXPECT_EQ(a.busiest.kind, BusyChannel::Kind::kEjection);
  EXPECT_EQ(a.busiest.node, 4u);
}

TEST(IdealThroughput, NeighboursAreBoundByTheirInjectionChannel) {
  systemc::NetworkConfig ring = network_of({4, 1, 1}, 1, true);
  ring.router.local_ports = 1;
  const Pattern neighbour({PatternKind::kNeighbour}, ring);
  EXPECT_DOUBLE_EQ(analyze(ring, neighbour.demand(), PacketLength(8)).ideal_throughput, 1);
}

TEST(BusiestChannel, OfTransposeIsTheFirstAtTheTurn) {
  // All seven packets of row 0 turn at (0,0) into +y, those of column 7 at (7,7) into -y.
  const systemc::NetworkConfig network = network_of({8, 8, 1}, 2);
  const Pattern transpose({PatternKind::kTranspose}, network);
  const Analysis a = analyze(network, transpose.demand(), PacketLength(8));
  EXPECT_EQ(a.busiest.kind, BusyChannel::Kind::kRouters);
  EXPECT_EQ(a.busiest.node, 0u);
  EXPECT_EQ(a.busiest.port, 2);  // +y
  EXPECT_DOUBLE_EQ(a.busiest.rate, 7);
}

TEST(BusiestChannel, OfTransposeInTheOrderYxTurnsFromColumnsIntoRows) {
  // All seven packets of column 0 turn at (0,0) into +x, those of column 7 at (7,7) into -x.
  systemc::NetworkConfig network = network_of({8, 8, 1}, 2);
  network.router.routing = systemc::RoutingKind::kYx;
  const Pattern transpose({PatternKind::kTranspose}, network);
  const Analysis a = analyze(network, transpose.demand(), PacketLength(8));
  EXPECT_EQ(a.busiest.kind, BusyChannel::Kind::kRouters);
  EXPECT_EQ(a.busiest.node, 0u);
  EXPECT_EQ(a.busiest.port, 0);  // +x
  EXPECT_DOUBLE_EQ(a.busiest.rate, 7);
}

struct Alone {
  const char* name;
  systemc::RouterKind kind;
  int stages, link_registers, depth, dims, hops;
  std::uint64_t flits, latency;
};

class ZeroLoad : public ::testing::TestWithParam<Alone> {};

// docs/internals/microarchitecture.md, section 6, by hand.
TEST_P(ZeroLoad, LatencyIsTheSpecifications) {
  const Alone& p = GetParam();
  systemc::NetworkConfig network;
  systemc::RouterConfig& router = network.router;
  router.kind = p.kind;
  router.stages = p.stages;
  router.link_registers = p.link_registers;
  router.depth = p.depth;
  router.dims = p.dims;
  const Address destination = {static_cast<std::uint8_t>(p.hops), 0, 0};
  EXPECT_EQ(zero_load_latency(network, {0, 0, 0}, destination, p.flits), p.latency);
}

INSTANTIATE_TEST_SUITE_P(
    Packets, ZeroLoad,
    ::testing::Values(
        Alone{"Default", systemc::RouterKind::kAllPort, 1, 0, 4, 2, 3, 8, 3 + 8},  // h + F
        Alone{"OneFlit", systemc::RouterKind::kAllPort, 1, 0, 4, 2, 1, 1, 2},
        Alone{"Pipeline", systemc::RouterKind::kAllPort, 3, 2, 8, 2, 4, 6, 3 * 5 + 2 * 4 + 5},
        Alone{"OnePort", systemc::RouterKind::kOnePort, 1, 0, 4, 3, 2, 5, 2 + 3 + 4},
        Alone{"OnePortPipeline", systemc::RouterKind::kOnePort, 2, 1, 6, 2, 3, 5, 2 * 5 + 3 + 4},
        // A place is free again after 2 cycles: every second cycle a flit.
        Alone{"Depth1", systemc::RouterKind::kAllPort, 1, 0, 1, 2, 2, 4, 3 + 6},
        // 3 flits every 8 cycles: flit 7 follows flit 6, the first of the third turn.
        Alone{"ShallowPipeline", systemc::RouterKind::kAllPort, 2, 2, 3, 2, 1, 8, 2 * 2 + 2 + 17},
        // 2 flits every 12 cycles, flit 26 is the first of turn 13. In the internal channel behind
        // the hop the flits behind the head are 2 cycles faster than it.
        Alone{"OnePortShallow", systemc::RouterKind::kOnePort, 4, 4, 2, 2, 1, 27,
              4 * 3 + 4 + 13 * 12 - 2}),
    [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace annelid::traffic
