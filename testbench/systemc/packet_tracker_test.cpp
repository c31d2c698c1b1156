// Contention that is known beforehand, as the tracker counts it.
#include "systemc/analysis/packet_tracker.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <functional>
#include <utility>

#include "base/random.hpp"
#include "systemc/analysis/observer_tee.hpp"
#include "systemc/modules/network.hpp"
#include "testbench/parameter_name.hpp"
#include "testbench/systemc/names.hpp"
#include "testbench/systemc/traffic_node.hpp"

namespace annelid::systemc {
namespace {

constexpr Port kLocal0 = RouterConfig{}.first_local();

using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// Keeps every event, to play it to other observers in another order. A packet keeps the number
/// that it was sent with in `bytes`, and all packets have one tag: they are of one call, unless
/// `relabel` says more.
class Recorder final : public FabricObserver {
 public:
  struct Call {
    Cycle cycle;
    std::function<void(FabricObserver&)> play;
  };
  void packet(Cycle c, NodeId n, Port l, const PacketInfo& i) override {
    PacketInfo info = i;
    info.bytes = std::exchange(info.head.tag, std::uint16_t{0});
    if (relabel) relabel(info);
    add(c, [=](FabricObserver& o) { o.packet(c, n, l, info); });
  }
  void injected(Cycle c, NodeId n, Port l, const Flit& f) override {
    add(c, [=](FabricObserver& o) { o.injected(c, n, l, f); });
  }
  void allocated(Cycle c, NodeId n, Port i, Vc v, Port out, Vc w) override {
    add(c, [=](FabricObserver& o) { o.allocated(c, n, i, v, out, w); });
  }
  void granted(Cycle c, NodeId n, Port i, Vc v, Port out, const Flit& f) override {
    add(c, [=](FabricObserver& o) { o.granted(c, n, i, v, out, f); });
  }
  void moved(Cycle c, NodeId n, Port i, Vc v, Port out, const Flit& f) override {
    add(c, [=](FabricObserver& o) { o.moved(c, n, i, v, out, f); });
  }
  void blocked(Cycle c, NodeId n, Port i, Vc v, Port out, BlockCause cause) override {
    add(c, [=](FabricObserver& o) { o.blocked(c, n, i, v, out, cause); });
  }

  /// Plays all calls, those of one cycle in an order that `seed` chooses (0: as they came).
  void play(FabricObserver& observer, std::uint64_t seed = 0) {
    Random random(seed);
    std::vector<Call> calls = calls_;
    for (std::size_t i = 0; i < calls.size() && seed != 0; ++i) {
      std::size_t end = i;
      while (end < calls.size() && calls[end].cycle == calls[i].cycle) ++end;
      std::swap(calls[i], calls[i + random.below(static_cast<std::uint32_t>(end - i))]);
    }
    for (const Call& call : calls) call.play(observer);
  }

  std::function<void(PacketInfo&)> relabel;

 private:
  void add(Cycle cycle, std::function<void(FabricObserver&)> play) {
    calls_.push_back({cycle, std::move(play)});
  }
  std::vector<Call> calls_;
};

/// A row of four nodes; packets are sent by hand, and their labels are chosen by number.
class Contention : public ::testing::Test {
 protected:
  void build(const RouterConfig& router) {
    config_ = {{4, 1, 1}, router};
    network_ = std::make_unique<Network>("network", fabric_, config_);
    traffic_ = std::make_unique<Traffic>("traffic", *network_, TrafficConfig{.load = 0});
    tracker_ = std::make_unique<PacketTracker>(config_);
    fabric_.set_observer(&recorder_);
    ASSERT_EQ(fabric_.run_until(10), RunStatus::kQuiet);
  }
  void send(NodeId from, NodeId to, std::uint16_t number, int flits) {
    traffic_->node(from).send(config_.address(to), number, flits);
  }
  void run() {
    ASSERT_EQ(fabric_.run_until(10000), RunStatus::kQuiet);
    recorder_.play(*tracker_);
    tracker_->flush();
  }
  const PacketRecord& packet(std::uint16_t number) {
    return *std::ranges::find(tracker_->packets(), number,
                              [](const PacketRecord& p) { return p.info.bytes; });
  }
  PacketId id(std::uint16_t number) {
    return static_cast<PacketId>(&packet(number) - tracker_->packets().data());
  }

  Fabric fabric_{"fabric"};
  NetworkConfig config_;
  std::unique_ptr<Network> network_;
  std::unique_ptr<Traffic> traffic_;
  std::unique_ptr<PacketTracker> tracker_;
  Recorder recorder_;
};

TEST_F(Contention, APacketAloneIsNeverBlockedAndItsRecordIsExact) {
  build({});
  send(0, 3, 1, 7);
  run();
  const PacketRecord& p = packet(1);
  EXPECT_EQ(p.flits, 7u);
  EXPECT_EQ(p.hops, 3u);
  EXPECT_EQ(p.head_ejected, p.injected + 3 + 1);
  EXPECT_EQ(p.tail_ejected, p.injected + 3 + 7);
  EXPECT_EQ(p.blocked, BlockedCycles{});
  EXPECT_THAT(p.blockers, IsEmpty());
  for (NodeId n = 0; n < 3; ++n) EXPECT_EQ(tracker_->channel_load(n, kPlusX), 7u);
  EXPECT_EQ(tracker_->channel_load(3, kLocal0 + 1), 7u);
  EXPECT_EQ(tracker_->injection_load(0, 0), 7u);
  EXPECT_EQ(tracker_->channel_load(1, kMinusX), 0u);
}

// The packet of node 0 reaches node 1's router in the cycle after node 1 has injected its own, so
// it waits for all of that one's tail: a head for the VC, its followers for room.
TEST_F(Contention, TwoMessagesOfAStepOnOneChannelAreStepwiseContention) {
  build({.depth = 64});
  send(0, 3, 1, 6);
  send(1, 3, 2, 10);
  run();
  const PacketRecord& late = packet(1);
  EXPECT_EQ(packet(2).blocked, BlockedCycles{});
  EXPECT_EQ(late.blocked.same_step, late.tail_ejected - late.injected - (3 + 6));
  EXPECT_GT(late.blocked.same_step, 0u);
  EXPECT_EQ(late.blocked.other_step + late.blocked.control + late.blocked.back_pressure, 0u);
  EXPECT_THAT(late.blockers, ElementsAre(Blocker{id(2), late.blocked.same_step}));
  const auto steps = tracker_->steps();
  ASSERT_EQ(steps.size(), 1u);
  EXPECT_EQ(steps.at(1).messages, 2u);
  EXPECT_EQ(steps.at(1).flits, 16u);
  EXPECT_EQ(steps.at(1).hops, 3u + 2u);
  EXPECT_EQ(steps.at(1).busiest, 2u) << "both cross 1 -> 2 and 2 -> 3";
  EXPECT_EQ(steps.at(1).blocked, late.blocked);
  EXPECT_EQ(steps.at(1).last_ejected, late.tail_ejected);
}

TEST_F(Contention, MessagesOfDifferentStepsAreDepthContentionAndControlPacketsAreApart) {
  build({.depth = 64});
  recorder_.relabel = [](PacketInfo& info) {
    info.step = info.bytes;
    info.control = info.bytes == 9;
  };
  send(0, 3, 1, 6);
  send(1, 3, 2, 10);
  ASSERT_EQ(fabric_.run_until(1000), RunStatus::kQuiet);
  send(0, 3, 3, 6);
  send(1, 3, 9, 10);
  run();
  EXPECT_EQ(packet(1).blocked.same_step, 0u);
  EXPECT_GT(packet(1).blocked.other_step, 0u);
  EXPECT_EQ(packet(3).blocked.control, packet(1).blocked.other_step);
  EXPECT_EQ(packet(3).blocked.other_step, 0u);
  EXPECT_EQ(tracker_->control().messages, 1u);
  const auto steps = tracker_->steps();
  EXPECT_THAT(steps, ::testing::SizeIs(3));
  EXPECT_EQ(steps.at(1).blocked.other_step, packet(1).blocked.other_step);
}

TEST_F(Contention, AMessageOfAnotherCallIsNoContentionOfTheSteps) {
  build({.depth = 64});
  recorder_.relabel = [](PacketInfo& info) {
    info.head.tag = static_cast<std::uint16_t>(info.bytes);
  };
  send(0, 3, 1, 6);
  send(1, 3, 2, 10);
  run();
  const PacketRecord& late = packet(1);
  EXPECT_EQ(late.blocked, BlockedCycles{.other_call = late.blocked.other_call});
  EXPECT_GT(late.blocked.other_call, 0u);
  EXPECT_THAT(late.blockers, ElementsAre(Blocker{id(2), late.blocked.other_call}));
  EXPECT_EQ(tracker_->steps(1).at(1).messages, 1u);
  EXPECT_EQ(tracker_->steps(1).at(1).busiest, 1u);
  EXPECT_EQ(tracker_->steps().at(1).busiest, 2u) << "of all calls";
}

TEST_F(Contention, AControlPacketBelongsToNoStepAndWaitsOnlyForItsTurn) {
  build({.depth = 64, .control_vc = true});
  recorder_.relabel = [](PacketInfo& info) {
    info.control = info.bytes >= 8;
    info.step = 1;
  };
  send(0, 3, 1, 1);   // on the data VC
  send(0, 3, 8, 20);  // on the control VC
  send(1, 3, 2, 100);
  run();
  const PacketRecord &control = packet(8), &data = packet(2);
  EXPECT_LT(control.tail_ejected, data.tail_ejected);
  EXPECT_GT(control.blocked.other_step, 5u)
      << "each of its flits may lose once to the long message";
  EXPECT_EQ(control.blocked.same_step, 0u);
  EXPECT_GT(data.blocked.control, 5u);
  EXPECT_EQ(tracker_->control().blocked, control.blocked);
  EXPECT_EQ(tracker_->steps().at(1).busiest, 2u) << "the two messages, and no control packet";
  EXPECT_THAT(control.blockers, ElementsAre(Blocker{id(2), control.blocked.other_step}));
}

// The head of packet 1 waits for the data VC, which packet 2 owns, whatever passes by on the other.
TEST_F(Contention, AHeadBlamesThePacketsThatOwnTheVcsOpenToIt) {
  build({.depth = 64, .control_vc = true});
  recorder_.relabel = [](PacketInfo& info) { info.control = info.bytes >= 8; };
  send(0, 3, 1, 4);
  send(0, 3, 8, 20);
  send(1, 3, 2, 100);
  run();
  const auto head_blocked = packet(1).head_ejected - packet(1).injected - (3 + 1);
  EXPECT_GT(head_blocked, 50u);
  EXPECT_THAT(packet(1).blockers, ElementsAre(Blocker{id(2), packet(1).blocked.same_step}));
  EXPECT_EQ(packet(1).blocked.control, 0u);
}

TEST_F(Contention, OnSharedVcsEachFlitThatLosesTheSwitchBlamesTheWinner) {
  build({.vcs = 2, .depth = 64});
  send(0, 3, 1, 20);
  send(1, 3, 2, 20);
  run();
  const PacketRecord &a = packet(1), &b = packet(2);
  // Both share channel 1 -> 2 flit by flit; nobody else is in the network.
  EXPECT_GT(a.blocked.same_step, 8u);
  EXPECT_GT(b.blocked.same_step, 8u);
  for (const Blocker& blocker : a.blockers) EXPECT_EQ(blocker.packet, id(2));
  for (const Blocker& blocker : b.blockers) EXPECT_EQ(blocker.packet, id(1));
}

TEST_F(Contention, AFlitThatWaitsForRoomBehindItsOwnHeadIsBackPressureAndNoContention) {
  build({.depth = 2});
  send(0, 3, 1, 6);
  send(1, 3, 2, 10);
  run();
  const PacketRecord& late = packet(1);
  EXPECT_GT(late.blocked.back_pressure, 0u);
  EXPECT_GT(late.blocked.same_step, 0u);
  EXPECT_THAT(late.blockers, ElementsAre(Blocker{id(2), late.blocked.same_step}));
}

// The first packet's only flit leaves node 1 in a cycle t, and fills the next buffer until t + 1;
// the second one's head reaches the front in t + 1 and finds the VC free, but its credit under way.
TEST_F(Contention, AHeadWithoutCreditBlamesThePacketThatUsedTheVcBeforeIt) {
  build({.depth = 1});
  send(0, 2, 1, 1);
  ASSERT_EQ(fabric_.run_until(fabric_.now() + 2), RunStatus::kCycleLimit);
  send(1, 3, 2, 1);
  run();
  EXPECT_EQ(packet(2).injected, packet(1).injected + 2);
  EXPECT_EQ(packet(2).blocked, BlockedCycles{.same_step = 1});
  EXPECT_THAT(packet(2).blockers, ElementsAre(Blocker{id(1), 1}));
}

// Outputs +x and -x offer themselves to input local0, which takes -x. So +x grants nothing, and the
// packet at local1 waits for the one at local0 that requested +x, too.
TEST(PacketTracker, ARefusedOfferBlamesThoseThatRequestedTheSameOutput) {
  const NetworkConfig config{{4, 1, 1}, {.local_vcs = 2, .allocator = AllocatorKind::kOutputFirst}};
  PacketTracker tracker(config);
  const auto inject = [&](Cycle t, Port local, Vc vc, NodeId to) {
    const HeadFields head{config.address(to), config.address(1), 0};
    tracker.packet(t, 1, local, {.head = head});
    tracker.injected(t, 1, local, {pack(head), vc, true, true});
  };
  inject(1, 0, 0, 3);
  inject(1, 1, 0, 3);
  inject(2, 0, 1, 0);
  tracker.blocked(3, 1, kLocal0, 0, kPlusX, BlockCause::kLostSwitch);
  tracker.blocked(3, 1, kLocal0 + 1, 0, kPlusX, BlockCause::kLostSwitch);
  tracker.moved(3, 1, kLocal0, 1, kMinusX, {0, 0, true, true});
  tracker.flush();
  ASSERT_EQ(tracker.packets().size(), 3u);
  EXPECT_THAT(tracker.packets()[0].blockers, ElementsAre(Blocker{2, 1}));
  EXPECT_THAT(tracker.packets()[1].blockers, ElementsAre(Blocker{0, 1}));
}

std::vector<PacketRecord> records(Recorder& recorder, const NetworkConfig& config,
                                  std::uint64_t seed) {
  PacketTracker tracker(config);
  recorder.play(tracker, seed);
  tracker.flush();
  return tracker.packets();
}

/// What the routers say of packets, counted without a tracker: blocked front flits and moves.
class Counter final : public FabricObserver {
 public:
  explicit Counter(const NetworkConfig& network) : network_(network) {}
  void blocked(Cycle, NodeId, Port, Vc, Port, BlockCause) override { ++blocked_flits; }
  void moved(Cycle, NodeId, Port, Vc, Port out, const Flit& flit) override {
    hops += flit.head && (network_.ideal || network_.router.is_external(out));
  }
  std::uint64_t blocked_flits = 0, hops = 0;

 private:
  NetworkConfig network_;
};

class TrackedTraffic : public ::testing::TestWithParam<NetworkConfig> {};

TEST_P(TrackedTraffic, EveryBlockedFlitIsBlamedOnceAndTheOrderOfEventsWithinACycleDoesNotMatter) {
  const NetworkConfig config = GetParam();
  Fabric fabric("fabric");
  Network network("network", fabric, config);
  Traffic traffic("traffic", network, {.load = 0.8, .sink_stall = 0.3, .packets = 40});
  Recorder recorder;
  recorder.relabel = [](PacketInfo& info) {
    info.step = info.bytes % 3;
    info.control = info.bytes % 5 == 0;
    info.head.tag = info.bytes % 4 == 0;
  };
  Counter counter(config);
  ObserverTee tee({&recorder, &counter});
  fabric.set_observer(&tee);
  ASSERT_EQ(fabric.run_until(100000), RunStatus::kQuiet);

  const auto as_they_came = records(recorder, config, 0);
  EXPECT_EQ(as_they_came.size(), 16u * 40);
  BlockedCycles sum;
  std::uint64_t hops = 0;
  for (const PacketRecord& p : as_they_came) {
    sum += p.blocked;
    hops += p.hops;
    EXPECT_EQ(p.flits, 8u);
    EXPECT_NE(p.tail_ejected, kNever);
    EXPECT_EQ(std::ranges::count(p.blockers, PacketId(&p - as_they_came.data()), &Blocker::packet),
              0);
  }
  EXPECT_EQ(sum.same_step + sum.other_step + sum.other_call + sum.control + sum.back_pressure,
            counter.blocked_flits);
  EXPECT_EQ(hops, counter.hops);
  EXPECT_GT(
      std::min({sum.same_step, sum.other_step, sum.other_call, sum.control, sum.back_pressure}),
      50u);
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    EXPECT_TRUE(records(recorder, config, seed) == as_they_came) << seed;
  }
}

constexpr RouterKind kOne = RouterKind::kOnePort;
INSTANTIATE_TEST_SUITE_P(
    PacketTracker, TrackedTraffic,
    ::testing::Values(
        NetworkConfig{{4, 4, 1}, {4, 2, 2, 2}}, NetworkConfig{{4, 4, 1}, {4, 2, 1, 3, 2, {}, 2, 1}},
        NetworkConfig{{4, 4, 1}, {2, 3, 2, 3, 2, {}, 3}},
        NetworkConfig{{4, 4, 1}, {4, 4, 2, 3, 2, {}, 4, 0, {}, {true, true, false}}},
        NetworkConfig{{4, 2, 2}, {1, 3, 2, 4, 3, kOne, 4, 1}},
        NetworkConfig{{4, 4, 1}, {4, 1, 2, 3}, true},
        NetworkConfig{{4, 4, 1}, {.depth = 2, .control_vc = true}},
        NetworkConfig{{4, 4, 1}, {.depth = 2, .control_vc = true}, true},
        NetworkConfig{
            {4, 4, 1},
            {.vcs = 2, .depth = 2, .stages = 4, .torus = {true, true, false}, .control_vc = true}},
        NetworkConfig{{4, 4, 1},
                      {.vcs = 3,
                       .local_vcs = 2,
                       .depth = 3,
                       .stages = 4,
                       .allocator = AllocatorKind::kOutputFirst}},
        NetworkConfig{{16, 1, 1}, {1, 2, 1, 2, 1, kOne, 1, 0, {}, {true, false, false}}}),
    test::ParameterName());

}  // namespace
}  // namespace annelid::systemc
