// The ideal network: docs/internals/microarchitecture.md, section 9.
#include "systemc/modules/crossbar.hpp"

#include <gmock/gmock.h>

#include <set>

#include "systemc/analysis/observer_tee.hpp"
#include "systemc/analysis/packet_tracker.hpp"
#include "systemc/modules/network.hpp"
#include "testbench/parameter_name.hpp"
#include "testbench/systemc/names.hpp"
#include "testbench/systemc/scoreboard.hpp"
#include "testbench/systemc/traffic_node.hpp"

namespace annelid::systemc {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr RouterKind kOne = RouterKind::kOnePort;

/// A silent network: packets are those that a test sends.
class Ideal {
 public:
  explicit Ideal(NetworkConfig config) : network_("network", fabric, with_ideal(config)) {
    EXPECT_EQ(fabric.run_until(10), RunStatus::kQuiet);  // every component's first step is over
  }

  void send(NodeId from, NodeId to, int flits, std::uint16_t tag = 0) {
    traffic.node(from).send(config().address(to), tag, flits);
  }
  /// Returns the cycle in which the heads of packets sent just before are on injection channels.
  Cycle run() {
    const Cycle sent = fabric.now() + 1;
    EXPECT_EQ(fabric.run_until(sent + 1'000'000), RunStatus::kQuiet);
    return sent;
  }
  [[nodiscard]] const std::vector<Arrival>& arrivals(NodeId node) {
    return traffic.node(node).arrivals();
  }
  [[nodiscard]] const NetworkConfig& config() const { return network_.config(); }
  [[nodiscard]] Network& network() { return network_; }

 private:
  static NetworkConfig with_ideal(NetworkConfig config) {
    config.ideal = true;
    return config;
  }

 public:
  Fabric fabric{"fabric"};

 private:
  Network network_;

 public:
  Traffic traffic{"traffic", network_, {.load = 0, .keep_arrivals = true}};
};

class Timing : public ::testing::TestWithParam<NetworkConfig> {};

TEST_P(Timing, EveryPairIsOneHopApartToTheCycle) {
  Ideal ideal(GetParam());
  const NodeId nodes = ideal.config().nodes();
  for (NodeId from = 0; from < nodes; ++from) {
    for (NodeId to = 0; to < nodes; ++to) {
      if (from == to) continue;
      for (const int flits : {1, 2, 9}) {
        ideal.send(from, to, flits);
        const Cycle sent = ideal.run();
        const Arrival& arrival = ideal.arrivals(to).back();
        ASSERT_EQ(arrival.head_cycle, sent + 2) << from << " to " << to;
        ASSERT_EQ(arrival.tail_cycle, sent + 1 + static_cast<Cycle>(flits));
      }
    }
  }
  EXPECT_EQ(ideal.fabric.flits_in_flight(), 0u);
  EXPECT_EQ(ideal.fabric.flits_moved(), std::uint64_t{nodes} * (nodes - 1) * (1 + 2 + 9));
}

INSTANTIATE_TEST_SUITE_P(Crossbar, Timing,
                         ::testing::Values(NetworkConfig{{4, 4, 1}, {}},
                                           NetworkConfig{{5, 1, 1}, {1, 1, 1, 3, 1, kOne}},
                                           NetworkConfig{{3, 2, 3}, {6, 1, 2, 8, 3}},
                                           NetworkConfig{{4, 3, 1}, {3, 1, 8, 4}}),
                         ::testing::PrintToStringParamName());

class Depth : public ::testing::TestWithParam<int> {};

TEST_P(Depth, APacketRunsAtTheRateOfDepthOverTheCreditLoopOf3) {
  const int depth = GetParam();
  Ideal ideal({{4, 1, 1}, {.local_ports = 1, .depth = depth}});
  ideal.send(0, 3, 30 * depth + 1);
  ideal.run();
  const Arrival& arrival = ideal.arrivals(3).back();
  EXPECT_EQ(arrival.tail_cycle - arrival.head_cycle, static_cast<Cycle>(30 * std::max(depth, 3)));
}
INSTANTIATE_TEST_SUITE_P(Crossbar, Depth, ::testing::Range(1, 5), test::ParameterName());

// Bisection and all: nothing but the ports limits a permutation.
class Permutation : public ::testing::TestWithParam<NodeId> {};

TEST_P(Permutation, RunsAtOneFlitPerCycleAndPort) {
  Ideal ideal({{8, 8, 1}, {.local_ports = 1}});
  for (NodeId n = 0; n < 64; ++n) ideal.send(n, (n + GetParam()) % 64, 1000);
  const Cycle sent = ideal.run();
  for (NodeId n = 0; n < 64; ++n) ASSERT_EQ(ideal.arrivals(n)[0].tail_cycle, sent + 1001);
}
INSTANTIATE_TEST_SUITE_P(Crossbar, Permutation, ::testing::Values(1, 7, 32, 63),
                         test::ParameterName());

TEST(Crossbar, AllPortsOfANodeRunAtFullRateAtOnce) {
  Ideal ideal({{6, 6, 6}, {.local_ports = 6, .dims = 3}});
  const NetworkConfig mesh{{6, 6, 6}, {.local_ports = 6, .dims = 3}};
  std::size_t packets = 0;
  for (NodeId n = 0; n < mesh.nodes(); ++n) {
    for (Port p = 0; p < 6; ++p) {
      Address to = mesh.address(n);
      const int d = p / 2, at = to[d] + (p % 2 == 0 ? 1 : -1);
      if (at < 0 || at >= 6) continue;
      to[d] = static_cast<std::uint8_t>(at);
      ideal.send(n, mesh.id(to), 500);
      ++packets;
    }
  }
  const Cycle sent = ideal.run();
  std::size_t arrived = 0;
  for (NodeId n = 0; n < mesh.nodes(); ++n) {
    std::set<Port> ports;
    for (const Arrival& a : ideal.arrivals(n)) {
      ASSERT_EQ(a.tail_cycle, sent + 501);
      ports.insert(a.local);
    }
    EXPECT_EQ(ports.size(), ideal.arrivals(n).size());
    arrived += ports.size();
  }
  EXPECT_EQ(arrived, packets);
  EXPECT_EQ(packets, 3u * 2 * 5 * 36);
}

// 15 sources of one hot node: its channel is never idle, and they take turns.
TEST(Crossbar, AHotEjectionPortIsBusyAndFair) {
  Ideal ideal({{4, 4, 1}, {.local_ports = 1}});
  constexpr int kPackets = 20, kFlits = 8;
  PacketTracker tracker(ideal.config());
  ideal.fabric.set_observer(&tracker);
  for (NodeId n = 1; n < 16; ++n) {
    for (int k = 0; k < kPackets; ++k) ideal.send(n, 0, kFlits, static_cast<std::uint16_t>(k));
  }
  const Cycle sent = ideal.run();
  const auto& arrivals = ideal.arrivals(0);
  ASSERT_EQ(arrivals.size(), 15u * kPackets);
  EXPECT_EQ(arrivals.back().tail_cycle, sent + 1 + 15 * kPackets * kFlits);
  for (std::size_t i = 0; i < arrivals.size(); ++i) {
    // In every round the same order, that of the nodes.
    EXPECT_EQ(ideal.config().id(arrivals[i].head.source), 1 + i % 15);
    EXPECT_EQ(arrivals[i].head.tag, i / 15);
  }
  // Who waits, waits for the port, and never for its own flits.
  tracker.flush();
  BlockedCycles blocked;
  for (const PacketRecord& p : tracker.packets()) blocked += p.blocked;
  EXPECT_GT(blocked.same_step, 1000u);
  EXPECT_EQ(blocked.same_step_ejection, blocked.same_step);
  EXPECT_EQ(blocked.back_pressure + blocked.other_step + blocked.control, 0u);
}

// From VC 0 to VC 0: two packets share an ejection channel one after the other.
TEST(Crossbar, PacketsOfOneVcComeOneAfterTheOther) {
  Ideal ideal({{4, 1, 1}, {.local_ports = 1, .local_vcs = 2, .dims = 1}});
  for (const NodeId from : {1u, 2u}) ideal.send(from, 0, 200);
  const Cycle sent = ideal.run();
  ASSERT_EQ(ideal.arrivals(0).size(), 2u);
  EXPECT_EQ(ideal.arrivals(0)[0].tail_cycle, sent + 201);
  EXPECT_EQ(ideal.arrivals(0)[1].tail_cycle, sent + 401);
}

class TwoVcs : public ::testing::TestWithParam<bool> {};  // the second one for control packets
INSTANTIATE_TEST_SUITE_P(Crossbar, TwoVcs, ::testing::Bool(), test::ParameterName());

// From VC 1 to VC 1: they take turns, flit by flit.
TEST_P(TwoVcs, OfAnEjectionPortTakeTurns) {
  const bool control = GetParam();
  Ideal ideal({{4, 1, 1},
               {.local_ports = 1, .local_vcs = control ? 1 : 2, .dims = 1, .control_vc = control}});
  ideal.send(1, 0, 200);
  ideal.send(2, 3, 200);
  ideal.send(2, 0, 200);  // on the other VC
  const Cycle sent = ideal.run();
  ASSERT_EQ(ideal.arrivals(0).size(), 2u);
  for (const Arrival& a : ideal.arrivals(0)) {
    EXPECT_LE(a.head_cycle, sent + 5) << "neither waits for the other one's end";
    EXPECT_GE(a.tail_cycle, sent + 280);
  }
  EXPECT_LE(ideal.arrivals(0)[1].tail_cycle, sent + 403) << "no port is idle";
}

// A packet that waits for a busy node delays what its own node sends behind it on the same VC, and
// nothing else.
class OwnPort : public ::testing::TestWithParam<int> {};

TEST_P(OwnPort, AloneSeesThatAPacketWaits) {
  const int vcs = GetParam();
  Ideal ideal({{8, 1, 1}, {.local_ports = 1, .local_vcs = vcs, .depth = 8, .dims = 1}});
  for (const NodeId busy : {1u, 2u}) ideal.send(busy, 0, 200);
  ideal.fabric.run_until(ideal.fabric.now() + 4);
  ideal.send(3, 0, 20);
  ideal.send(3, 4, 20);  // behind it
  ideal.send(5, 4, 20);  // not behind it
  const Cycle sent = ideal.run();
  for (const Arrival& a : ideal.arrivals(4)) {
    const bool waits = a.head.source.x == 3 && vcs == 1;
    EXPECT_EQ(a.tail_cycle > sent + 150, waits) << int{a.head.source.x};
  }
  EXPECT_EQ(ideal.arrivals(4).size(), 2u);
}
INSTANTIATE_TEST_SUITE_P(Crossbar, OwnPort, ::testing::Values(1, 2), test::ParameterName());

struct Load {
  NetworkConfig network;
  TrafficConfig traffic;
};

void PrintTo(const Load& load, std::ostream* out) {
  PrintTo(load.network, out);
  *out << "_F" << load.traffic.packet_flits;
}

class RandomLoad : public ::testing::TestWithParam<Load> {};

TEST_P(RandomLoad, ArrivesOnceInOrderAndWithItsBytes) {
  NetworkConfig config = GetParam().network;
  config.ideal = true;
  TrafficConfig load = GetParam().traffic;
  load.packets = 60;
  Fabric fabric("fabric");
  Network network("network", fabric, config);
  Traffic traffic("traffic", network, load);
  Scoreboard scoreboard(config);
  fabric.set_observer(&scoreboard);
  ASSERT_EQ(fabric.run_until(1'000'000), RunStatus::kQuiet);
  scoreboard.expect_empty();
  EXPECT_THAT(scoreboard.violations(), IsEmpty());
  EXPECT_EQ(scoreboard.packets_delivered(), 60u * config.nodes());
  EXPECT_EQ(fabric.flits_in_flight(), 0u);
  EXPECT_EQ(fabric.flits_moved(), scoreboard.flits_delivered());
  // Every place and every VC is free again.
  for (const RouterState& state : network.states()) {
    for (int l = 0; l < config.router.local_ports; ++l) {
      for (std::size_t v = 0; v < static_cast<std::size_t>(config.router.all_local_vcs()); ++v) {
        EXPECT_EQ(state.input[config.router.injection_input(l)][v], InputVcState{});
        EXPECT_EQ(state.output[config.router.ejection_output(l)][v],
                  (OutputVcState{static_cast<std::uint8_t>(config.router.depth), false}));
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Crossbar, RandomLoad,
    ::testing::Values(
        Load{{{4, 4, 1}, {}}, {.load = 2.0}},
        Load{{{4, 4, 1}, {1, 1, 1, 1}}, {.load = 0.9, .packet_flits = 5}},
        Load{{{4, 4, 1}, {1, 1, 8, 2}}, {.load = 0.9, .packet_flits = 1, .sink_stall = 0.3}},
        Load{{{4, 4, 1}, {3, 1, 3, 5}}, {.load = 2.5, .packet_flits = 20, .sink_stall = 0.5}},
        Load{{{3, 3, 3}, {6, 1, 2, 64, 3}}, {.load = 4.0, .packet_flits = 3}},
        Load{{{7, 1, 1}, {1, 1, 2, 4, 1, kOne}}, {.load = 0.8, .packet_flits = 2}},
        Load{{{4, 4, 1}, {.local_vcs = 7, .depth = 2, .control_vc = true}}, {.load = 2.0}},
        Load{{{5, 2, 1}, {.local_ports = 1, .control_vc = true}},
             {.load = 0.9, .sink_stall = 0.3}}),
    ::testing::PrintToStringParamName());

class Misuse : public ::testing::Test {
 protected:
  static Flit head(Address to) { return {pack(HeadFields{to, {0, 0, 0}, 0}), 0, true, true}; }
  /// What goes wrong in the cycle after those flits are on node 0's injection channel.
  std::string failure() {
    try {
      fabric.run_until(fabric.now() + 5);
    } catch (const std::exception& error) {
      return error.what();
    }
    return "";
  }
  void put(const Flit& flit) { crossbar.end(0, 0).put_flit(flit); }

  Fabric fabric{"fabric"};
  Crossbar crossbar{fabric, {.size = {2, 2, 1}, .router = {.depth = 2}, .ideal = true}};
};

TEST_F(Misuse, APacketToTheOwnNodeDoesNotEnter) {
  put(head({0, 0, 0}));
  EXPECT_THAT(failure(), HasSubstr("a packet for no other node"));
}
TEST_F(Misuse, APacketToNoNodeDoesNotEnter) {
  put(head({2, 0, 0}));
  EXPECT_THAT(failure(), HasSubstr("a packet for no other node"));
}
TEST_F(Misuse, ABodyWithoutAHeadDoesNotEnter) {
  put({0, 0, false, true});
  EXPECT_THAT(failure(), HasSubstr("a packet without a head"));
}
TEST_F(Misuse, NeighboursKeepToTheBuffers) {
  put(head({1, 0, 0}));
  put(head({1, 0, 0}));
  EXPECT_THROW(put(head({1, 0, 0})), std::logic_error);
  EXPECT_THROW(crossbar.end(1, 0).put_credit(0), std::logic_error);
  EXPECT_THROW(put({0, 1, true, true}), std::logic_error);
}

TEST(Crossbar, HasNoRings) {
  RouterConfig router;
  router.vcs = 2;
  router.torus = {true, true, false};
  EXPECT_THROW(validate(NetworkConfig{{4, 4, 1}, router, true}), ConfigError);
}

}  // namespace
}  // namespace annelid::systemc
