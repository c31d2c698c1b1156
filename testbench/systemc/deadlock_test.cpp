// Explanations of a stall: packets that wait on each other, and chains that end at a NIC.
#include "systemc/analysis/deadlock.hpp"

#include <gmock/gmock.h>

#include <algorithm>

#include "systemc/analysis/packet_tracker.hpp"
#include "systemc/modules/network.hpp"
#include "systemc/network/route.hpp"
#include "testbench/systemc/dependency_cycle.hpp"
#include "testbench/systemc/traffic_node.hpp"

namespace annelid::systemc {
namespace {

constexpr Port kLocal0 = RouterConfig{}.first_local();

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

/// Registers written by hand, as dimension order would never reach them unless asked to: depth 1
/// and one VC, or all VCs of another network.
class HandMade {
 public:
  explicit HandMade(const NetworkConfig& network = {{2, 2, 1}, {1, 1, 1, 1}})
      : config(network), states(config.nodes()) {
    for (RouterState& state : states) {
      for (Port o = 0; o < config.router.ports(); ++o) {
        for (Vc v = 0; v < config.router.output_vcs(o); ++v) {
          state.output[o][v].credits = static_cast<std::uint8_t>(config.router.depth);
        }
      }
    }
  }

  /// A body flit at the front of (at, in), of a packet that owns output `out` and waits for room.
  void body_waits(Address at, Port in, Port out) {
    InputVcState& input = states[config.id(at)].input[in][0];
    input = {.count = 1, .front = {.data = 77}, .active = true, .out_port = out};
    fill(at, out).owned = true;
  }
  /// A head at the front of (at, in).
  void head_waits(Address at, Port in, const HeadFields& head) {
    states[config.id(at)].input[in][0] = {.count = 1, .front = {.data = pack(head), .head = true}};
  }
  /// No credit left for an output.
  OutputVcState& fill(Address at, Port out) {
    OutputVcState& output = states[config.id(at)].output[out][0];
    output.credits = 0;
    return output;
  }

  /// A packet of `source` for `to` has come `hops` hops along an upward ring of dimension d, fills
  /// the buffer there and waits for the next channel; its tail is still in the buffer before.
  void comes_up_a_ring(int d, int size, int source) {
    Address first, second, to;
    first[d] = static_cast<std::uint8_t>(source);
    second[d] = static_cast<std::uint8_t>((source + 1) % size);
    to[d] = static_cast<std::uint8_t>((source + 2) % size);
    const auto up = static_cast<Port>(2 * d);
    const Port entry =
        config.router.one_port() ? config.router.external_ports() + d : config.router.first_local();
    body_waits(first, entry, up);
    head_waits(second, opposite(up), {to, first, static_cast<std::uint16_t>(source)});
    input(first, entry).count = input(second, opposite(up)).count =
        static_cast<std::uint8_t>(config.router.depth);
    // The channel into the switch that the packet starts in is full as well.
    if (const auto sender = sender_of(config, first, entry)) fill(sender->address, sender->port);
  }
  InputVcState& input(Address at, Port in) { return states[config.id(at)].input[in][0]; }

  NetworkConfig config;
  std::vector<RouterState> states;
};

// Four packets that turn around the square 0,0 - 1,0 - 1,1 - 0,1: each holds the channel that the
// one behind it wants.
TEST(Deadlock, FindsTheCycleOfChannelsAndPackets) {
  HandMade net;
  net.body_waits({0, 0, 0}, kPlusY, kPlusX);
  net.body_waits({1, 0, 0}, kMinusX, kPlusY);
  net.body_waits({1, 1, 0}, kMinusY, kMinusX);
  net.body_waits({0, 1, 0}, kPlusX, kMinusY);
  const StallReport report = explain_stall(net.config, net.states);
  EXPECT_TRUE(report.cycle);
  ASSERT_EQ(report.waits.size(), 4u);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(report.waits[i].what, Wait::For::kRoom);
    EXPECT_EQ(report.waits[i].on, report.waits[(i + 1) % 4].waiting);
  }
  EXPECT_THAT(report.text, HasSubstr("0,1 -y vc0: a packet waits for room behind 0,0 +x vc0"));
  const StallReport named =
      explain_stall(net.config, net.states, [](const ChannelEnd& end) -> std::optional<HeadFields> {
        return HeadFields{{9, 8, 0}, {7, 6, 0}, static_cast<std::uint16_t>(end.node)};
      });
  EXPECT_THAT(named.text, HasSubstr("0,1 -y vc0: packet 7,6 -> 9,8 tag 0 waits for"));
}

TEST(Deadlock, AHeadWaitsForThePacketThatOwnsItsOutput) {
  HandMade net;
  net.body_waits({0, 0, 0}, kPlusY, kPlusX);
  net.body_waits({1, 0, 0}, kMinusX, kPlusY);
  net.body_waits({1, 1, 0}, kMinusY, kMinusX);
  net.body_waits({0, 1, 0}, kPlusX, kMinusY);
  net.head_waits({0, 0, 0}, kLocal0, {{1, 0, 0}, {0, 0, 0}, 5});
  // A fifth packet, outside the cycle: the cycle is what is reported.
  EXPECT_EQ(explain_stall(net.config, net.states).waits.size(), 4u);

  // Now the corner at 0,0 is a head that wants +x, which a packet from the NIC owns; that one waits
  // behind the same square.
  HandMade other;
  other.body_waits({0, 0, 0}, kLocal0, kPlusX);
  other.head_waits({0, 0, 0}, kPlusY, {{1, 0, 0}, {0, 1, 0}, 4});
  other.body_waits({1, 0, 0}, kMinusX, kPlusY);
  other.body_waits({1, 1, 0}, kMinusY, kMinusX);
  other.body_waits({0, 1, 0}, kPlusX, kMinusY);
  const StallReport report = explain_stall(other.config, other.states);
  EXPECT_TRUE(report.cycle);
  EXPECT_EQ(report.waits.size(), 5u);
  EXPECT_THAT(
      report.text,
      HasSubstr("0,1 -y vc0: packet 0,1 -> 1,0 tag 4 waits for 0,0 +x vc0 held by a packet"));
}

TEST(Deadlock, ASecondVcThatStillMovesBreaksTheCycle) {
  HandMade net;
  net.config.router.vcs = 2;
  net.body_waits({0, 0, 0}, kPlusY, kPlusX);
  net.body_waits({1, 0, 0}, kMinusX, kPlusY);
  net.body_waits({1, 1, 0}, kMinusY, kMinusX);
  net.head_waits({0, 1, 0}, kPlusX, {{0, 0, 0}, {1, 1, 0}, 4});
  net.fill({0, 1, 0}, kMinusY);
  for (Port o = 0; o < 4; ++o) {
    for (RouterState& state : net.states) state.output[o][1].credits = 0;
  }
  // The buffer of VC 1 beyond -y is full too, but with a packet that is about to be ejected.
  net.states[0].input[kPlusY][1] = {
      .count = 1, .front = {.data = pack(HeadFields{{0, 0, 0}, {1, 1, 0}, 6}), .head = true}};
  EXPECT_FALSE(explain_stall(net.config, net.states).cycle);
  // Only with a packet that waits in the cycle as well does it close.
  net.states[0].input[kPlusY][1] = net.states[0].input[kPlusY][0];
  net.states[0].input[kPlusY][1].out_vc = 1;
  net.states[0].output[kPlusX][1].owned = true;
  net.states[1].input[kMinusX][1] = {.count = 1, .front = {}, .active = true, .out_port = kPlusY};
  EXPECT_TRUE(explain_stall(net.config, net.states).cycle);
}

TEST(Deadlock, AHeadThatAnotherVcWouldTakeIsNotPartOfAChain) {
  HandMade net;
  net.config.router.vcs = 2;
  for (RouterState& state : net.states) state.output[kPlusX][1].credits = 1;
  net.body_waits({0, 0, 0}, kLocal0, kPlusX);
  net.body_waits({1, 0, 0}, kMinusX, kLocal0);
  net.head_waits({0, 0, 0}, kPlusY, {{1, 0, 0}, {0, 1, 0}, 4});  // VC 0 is owned, VC 1 has room
  const StallReport report = explain_stall(net.config, net.states);
  EXPECT_FALSE(report.cycle);
  ASSERT_EQ(report.waits.size(), 2u);
  EXPECT_EQ(report.waits[0].waiting, (ChannelEnd{0, kLocal0, 0}));
  EXPECT_EQ(report.waits[1].what, Wait::For::kNicDrain);
}

void expect_closed(const std::vector<Wait>& waits) {
  for (std::size_t i = 0; i < waits.size(); ++i) {
    EXPECT_EQ(waits[i].on, waits[(i + 1) % waits.size()].waiting) << i;
  }
}

TEST(Deadlock, ARingWithoutClassesStallsInACycleOfTheDependencyGraph) {
  for (int stages : {1, 2, 3, 4}) {
    for (bool routed : {false, true}) {
      if (routed && stages < 3) continue;
      HandMade net({{4, 1, 1}, {.local_ports = 1, .depth = 3, .dims = 1, .stages = stages}});
      net.config.router.torus = {true};
      net.config.router.allow_deadlock = true;
      for (int source = 0; source < 4; ++source) net.comes_up_a_ring(0, 4, source);
      for (RouterState& state : net.states) {
        state.input[kMinusX][0].routed = routed;
        state.input[kMinusX][0].out_port = routed ? kPlusX : 0;
      }
      const StallReport report = explain_stall(net.config, net.states);
      EXPECT_TRUE(report.cycle);
      EXPECT_THAT(report.waits, SizeIs(8)) << "a head for a VC, its owner for room, all round";
      expect_closed(report.waits);
      EXPECT_THAT(report.channels, SizeIs(4));
      expect_dependency_cycle(net.config, report.channels);
      EXPECT_THAT(report.text, HasSubstr("  the cycle of channels: 0,0 +x -> 1,0 +x -> 2,0 +x "
                                         "-> 3,0 +x -> 0,0 +x\n"));
      EXPECT_THAT(report.text, HasSubstr("  0,0 +x vc0: packet 0,0 -> 2,0 tag 0 waits for 1,0 +x "
                                         "vc0 held by a packet\n"));
    }
  }
}

// The VCs for control of a ring without classes: data VCs are all free, and of no use.
TEST(Deadlock, ControlPacketsWaitForControlVcsOnly) {
  HandMade net({{4, 1, 1},
                {.local_ports = 1,
                 .depth = 3,
                 .dims = 1,
                 .torus = {true},
                 .allow_deadlock = true,
                 .control_vc = true}});
  for (int source = 0; source < 4; ++source) net.comes_up_a_ring(0, 4, source);
  for (RouterState& state : net.states) {
    for (Port p = 0; p < 3; ++p) {
      std::swap(state.input[p][0], state.input[p][1]);
      std::swap(state.output[p][0], state.output[p][1]);
      if (state.input[p][1].active) state.input[p][1].out_vc = 1;
    }
  }
  const StallReport report = explain_stall(net.config, net.states);
  EXPECT_TRUE(report.cycle);
  EXPECT_THAT(report.waits, SizeIs(8));
  EXPECT_THAT(report.channels, SizeIs(4));
  expect_dependency_cycle(net.config, report.channels);
  EXPECT_THAT(report.text,
              HasSubstr("  the cycle of channels: 0,0 +x control -> 1,0 +x control -> 2,0 +x "
                        "control -> 3,0 +x control -> 0,0 +x control\n"));
  EXPECT_THAT(report.text, HasSubstr("  0,0 +x control vc1: packet 0,0 -> 2,0 tag 0 waits for 1,0 "
                                     "+x control vc1 held by a packet\n"));
  EXPECT_THAT(report.text, HasSubstr(" inj0 control vc1: a packet waits for room"));
}

TEST(Deadlock, AOnePortRoutersRingsStallBehindItsInternalChannels) {
  HandMade net({{2, 5, 1}, {.local_ports = 1, .depth = 2, .kind = RouterKind::kOnePort}});
  net.config.router.torus = {false, true};
  net.config.router.allow_deadlock = true;
  for (int source = 0; source < 5; ++source) net.comes_up_a_ring(1, 5, source);
  // In front of one internal channel waits a packet that is no part of the cycle.
  net.body_waits({0, 2, 0}, 4, 4);
  net.input({0, 2, 0}, 4).count = 2;
  const StallReport report = explain_stall(net.config, net.states);
  EXPECT_TRUE(report.cycle);
  EXPECT_THAT(report.waits, SizeIs(10));
  expect_closed(report.waits);
  EXPECT_THAT(report.channels, SizeIs(5));
  expect_dependency_cycle(net.config, report.channels);
  EXPECT_THAT(
      report.text,
      HasSubstr("  0,1 x>y vc0: a packet waits for room behind 0,1 +y vc0, full with packet "
                "0,1 -> 0,3 tag 1 in front\n"));
  for (const Wait& wait : report.waits) EXPECT_NE(wait.waiting.in, 4);

  // One buffer has its place back: the whole ring will turn, and a flit for it is not awaited.
  net.input({0, 3, 0}, kMinusY).count = 1;
  EXPECT_FALSE(explain_stall(net.config, net.states).cycle) << "a credit is under way";
}

TEST(Deadlock, AHeadWaitsForTheVcsOfItsClassOnly) {
  // Two VCs for each dateline class: 0 and 1 before the wrap-around link, 2 and 3 after it.
  HandMade net({{8, 1, 1}, {.local_ports = 1, .vcs = 4, .local_vcs = 2, .depth = 1, .dims = 1}});
  net.config.router.torus = {true};
  constexpr Port kLocal = 2;
  const auto own = [&](Vc w) {  // a packet that has come up on VC w fills VC w of 2,0 +x ...
    net.states[2].input[kMinusX][w] = {
        .count = 1, .front = {}, .active = true, .out_port = kPlusX, .out_vc = w};
    net.states[2].output[kPlusX][w] = {.credits = 0, .owned = true};
    // ... where the one in front waits for the NIC of 3,0.
    const auto local_vc = static_cast<Vc>(w - 2);
    net.states[3].input[kMinusX][w] = {
        .count = 1, .front = {}, .active = true, .out_port = kLocal, .out_vc = local_vc};
    net.states[3].output[kLocal][local_vc] = {.credits = 0, .owned = true};
  };
  own(2);
  net.head_waits({2, 0, 0}, kLocal, {{5, 0, 0}, {2, 0, 0}, 9});
  EXPECT_THAT(explain_stall(net.config, net.states).waits, SizeIs(2)) << "VC 3 is free";
  own(3);
  const StallReport report = explain_stall(net.config, net.states);
  EXPECT_FALSE(report.cycle);
  EXPECT_THAT(report.waits, SizeIs(3)) << "VCs 0 and 1 are free";
  EXPECT_THAT(report.text, HasSubstr("  2,0 inj0 vc0: packet 2,0 -> 5,0 tag 9 waits for 2,0 +x "
                                     "class 1 vc2 held by a packet\n"));
  net.head_waits({2, 0, 0}, kLocal, {{0, 0, 0}, {2, 0, 0}, 9});
  EXPECT_THAT(explain_stall(net.config, net.states).waits, SizeIs(2)) << "down, where all is free";
}

TEST(Deadlock, WhatIsUnderWayMayStillMoveAPacket) {
  HandMade net({{2, 2, 1}, {.local_ports = 1, .depth = 2, .link_registers = 2}});
  net.body_waits({0, 0, 0}, kPlusY, kPlusX);
  net.body_waits({1, 0, 0}, kMinusX, kPlusY);
  net.body_waits({1, 1, 0}, kMinusY, kMinusX);
  net.body_waits({0, 1, 0}, kPlusX, kMinusY);
  EXPECT_THAT(explain_stall(net.config, net.states).text, IsEmpty()) << "buffers of two, one full";
  for (const auto& [at, in] : {std::pair{Address{0, 0, 0}, kPlusY},
                               {Address{1, 0, 0}, kMinusX},
                               {Address{1, 1, 0}, kMinusY},
                               {Address{0, 1, 0}, kPlusX}}) {
    EXPECT_FALSE(explain_stall(net.config, net.states).cycle);
    net.input(at, in).count = 2;
  }
  EXPECT_TRUE(explain_stall(net.config, net.states).cycle);

  // A packet with its flits on the link, none in the buffer that it goes through.
  HandMade other({{3, 1, 1}, {.local_ports = 1, .depth = 2, .dims = 1, .link_registers = 1}});
  other.states[0].input[2][0] = {.front = {}, .active = true, .out_port = kPlusX};
  other.states[0].output[kPlusX][0] = {.credits = 1, .owned = true};
  other.states[1].input[kMinusX][0] = {.front = {}, .active = true, .out_port = kPlusX};
  EXPECT_THAT(explain_stall(other.config, other.states).waits, SizeIs(1));
  other.states[0].output[kPlusX][0].credits = 2;
  const StallReport report = explain_stall(other.config, other.states);
  ASSERT_THAT(report.waits, SizeIs(2));
  EXPECT_EQ(report.waits[0].what, Wait::For::kFlits);
  EXPECT_EQ(report.waits[1].what, Wait::For::kNicInjection);
}

// With four stages a head has its VC some time before it is granted.
TEST(Deadlock, AHeadThatHasItsVcWaitsForRoom) {
  HandMade net;
  net.config.router.stages = 4;
  net.body_waits({0, 0, 0}, kPlusY, kPlusX);
  net.body_waits({1, 0, 0}, kMinusX, kPlusY);
  net.body_waits({1, 1, 0}, kMinusY, kMinusX);
  net.body_waits({0, 1, 0}, kPlusX, kMinusY);
  net.input({0, 0, 0}, kPlusY).front = {.data = pack(HeadFields{{1, 1, 0}, {0, 1, 0}, 3}),
                                        .head = true};
  const StallReport report = explain_stall(net.config, net.states);
  EXPECT_TRUE(report.cycle);
  EXPECT_THAT(report.waits, SizeIs(4));
  EXPECT_THAT(report.text, HasSubstr("0,1 -y vc0: packet 0,1 -> 1,1 tag 3 waits for room behind"));
}

// A line of packets back and forth through all rows, which would take hours if each were followed
// from its own place to the end.
TEST(Deadlock, AChainOfThousandsIsFollowedOnceAndToldInAFewLines) {
  constexpr int kSide = 64;
  HandMade net({{kSide, kSide, 1}, {.local_ports = 1, .depth = 1}});
  for (int y = 0; y < kSide; ++y) {
    const bool up = y % 2 == 0;
    for (int x = 0; x < kSide; ++x) {
      const bool begins = x == (up ? 0 : kSide - 1), ends = x == (up ? kSide - 1 : 0);
      const Port in = begins ? (y == 0 ? 4 : kMinusY) : up ? kMinusX : kPlusX;
      const Port out = ends ? (y == kSide - 1 ? 4 : kPlusY) : up ? kPlusX : kMinusX;
      net.body_waits({static_cast<std::uint8_t>(x), static_cast<std::uint8_t>(y), 0}, in, out);
    }
  }
  const StallReport chain = explain_stall(net.config, net.states);
  EXPECT_FALSE(chain.cycle);
  EXPECT_THAT(chain.waits, SizeIs(kSide * kSide));
  EXPECT_EQ(std::ranges::count(chain.text, '\n'), kStallLines + 1);
  EXPECT_THAT(chain.text, HasSubstr("  and 4081 more waits\n"));
}

TEST(Deadlock, AnIdleNetworkHasNothingToExplain) {
  const HandMade net;
  const StallReport report = explain_stall(net.config, net.states);
  EXPECT_FALSE(report.cycle);
  EXPECT_THAT(report.waits, IsEmpty());
  EXPECT_THAT(report.text, IsEmpty());
}

TEST(Deadlock, AChainOfBlockedPacketsEndsAtTheNicThatDoesNotDrain) {
  const NetworkConfig config{{4, 1, 1}, {4, 1, 1, 2}};
  Fabric fabric("fabric");
  Network network("network", fabric, config);
  Traffic traffic("traffic", network, {.load = 0, .sink_stall = 1.0});
  PacketTracker tracker(config);
  fabric.set_observer(&tracker);
  ASSERT_EQ(fabric.run_until(10), RunStatus::kQuiet);
  traffic.node(0).send({3, 0, 0}, 1, 30);
  ASSERT_EQ(fabric.run_until(fabric.now() + 30), RunStatus::kCycleLimit);
  traffic.node(1).send({2, 0, 0}, 2, 3);
  ASSERT_EQ(fabric.run_until(100000), RunStatus::kDeadlock);
  tracker.flush();
  const StallReport report = explain_stall(
      config, network.states(), [&](const ChannelEnd& end) -> std::optional<HeadFields> {
        const auto id = tracker.front(end.node, end.in, end.vc);
        if (!id) return std::nullopt;
        return tracker.packets()[*id].info.head;
      });
  EXPECT_FALSE(report.cycle);
  ASSERT_EQ(report.waits.size(), 4u);
  EXPECT_EQ(report.waits.back().what, Wait::For::kNicDrain);
  EXPECT_THAT(report.text, HasSubstr("2,0 +x vc0: packet 0,0 -> 3,0 tag 1 waits for the NIC of 3,0 "
                                     "to drain 3,0 ej1 vc0"));
  for (std::size_t i = 0; i + 1 < report.waits.size(); ++i) {
    EXPECT_EQ(report.waits[i].on, report.waits[i + 1].waiting);
  }
}

}  // namespace
}  // namespace annelid::systemc
