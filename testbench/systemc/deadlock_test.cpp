// Explanations of a stall: packets that wait on each other, and chains that end at a NIC.
#include "systemc/deadlock.hpp"

#include <gmock/gmock.h>

#include "systemc/network.hpp"
#include "systemc/packet_tracker.hpp"
#include "systemc/route.hpp"
#include "systemc/traffic.hpp"

namespace annelid {
namespace {

constexpr Port kLocal0 = RouterConfig{}.first_local();

using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// Registers that dimension order would never reach, written by hand: depth 1 and one VC.
class HandMade {
 public:
  HandMade() : states(config.nodes()) {
    for (NodeId n = 0; n < config.nodes(); ++n) {
      for (Port o = 0; o < config.router.ports(); ++o) states[n].output[o][0].credits = 1;
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

  NetworkConfig config{{2, 2, 1}, {1, 1, 1, 1}};
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
}  // namespace annelid
