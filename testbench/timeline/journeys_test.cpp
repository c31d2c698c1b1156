// Journeys and waits: against what the routers themselves report, and where they are known
// beforehand.
#include "timeline/journeys.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "systemc/analysis/packet_tracker.hpp"
#include "systemc/network/route.hpp"
#include "testbench/parameter_name.hpp"
#include "testbench/systemc/names.hpp"
#include "testbench/timeline/recorded_run.hpp"

namespace annelid::timeline {

void PrintTo(const Wait& w, std::ostream* out) {
  *out << "cause " << int{static_cast<std::uint8_t>(w.cause)} << ", packet " << w.packet << ", "
       << w.cycles << " cycles";
}

namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// Cycles in which a head stood at the front of a buffer and did not go: in routers of one stage.
class BlockedHeads final : public systemc::FabricObserver {
 public:
  void moved(Cycle, NodeId node, Port in, Vc vc, Port, const systemc::Flit& flit) override {
    const std::tuple place(node, in, vc);
    if (flit.tail) {
      headless_.erase(place);
    } else {
      headless_.insert(place);
    }
  }
  void blocked(Cycle, NodeId node, Port in, Vc vc, Port, systemc::BlockCause) override {
    cycles += headless_.contains({node, in, vc}) ? 0 : 1;
  }
  std::uint64_t cycles = 0;

 private:
  std::set<std::tuple<NodeId, Port, Vc>> headless_;  // whose head has left
};

class HeavyTraffic : public ::testing::TestWithParam<systemc::NetworkConfig> {};

TEST_P(HeavyTraffic, JourneysAgreeWithThePacketTrackerAndTheirCyclesAddUp) {
  const systemc::NetworkConfig config = GetParam();
  RecordedNetwork network(config, {.load = 0.8, .sink_stall = 0.3, .packets = 40});
  systemc::PacketTracker tracker(config);
  BlockedHeads blocked;
  network.watch({&tracker, &blocked});
  network.finish();
  tracker.flush();
  const RecordedRun run = network.run();

  ASSERT_EQ(run.journeys.size(), 16u * 40);
  ASSERT_EQ(tracker.packets().size(), run.journeys.size());
  std::uint64_t waited = 0, at_front = 0, unknown = 0;
  for (JourneyId id = 0; id < run.journeys.size(); ++id) {
    const Journey& j = run.journeys[id];
    const systemc::PacketRecord& record = tracker.packets()[id];
    ASSERT_TRUE(j.arrived);
    EXPECT_EQ(j.info, record.info);
    EXPECT_EQ(j.hops.front().head(), record.injected);
    EXPECT_EQ(j.hops.back().head(), record.head_ejected);
    EXPECT_EQ(j.hops.back().end(), record.tail_ejected + 1);
    EXPECT_EQ(std::ranges::count_if(j.hops,
                                    [&](const Hop& h) {
                                      return config.ideal ? h.channel < systemc::kFirstInjection
                                                          : h.channel < 2 * config.dims();
                                    }),
              record.hops);
    for (std::size_t h = 0; h < j.hops.size(); ++h) {
      EXPECT_EQ(j.hops[h].flits(), 8u);
      if (h == 0) continue;
      EXPECT_EQ(j.hops[h].head(),
                j.hops[h - 1].head() + transit(config, j.hops[h - 1].channel) + j.hops[h].waited());
      for (const Wait& w : j.hops[h].waits) {
        EXPECT_NE(w.packet, id);
        EXPECT_GT(w.cycles, 0u);
        waited += w.cycles;
        at_front += w.cause == WaitCause::kBehind ? 0 : w.cycles;
        unknown += w.cause == WaitCause::kOther ? w.cycles : 0;
        // Where a buffer has one VC and routers one stage, the tracker blames the same packets.
        if (config.router.stages > 1 || run.vcs() > 1 || w.cause == WaitCause::kBehind) continue;
        EXPECT_EQ(std::ranges::count(record.blockers, w.packet, &systemc::Blocker::packet), 1)
            << id;
      }
    }
  }
  EXPECT_GT(waited, 1000u);
  EXPECT_LE(unknown * 1000, waited);
  if (config.router.stages == 1 && !config.ideal) {
    EXPECT_EQ(at_front, blocked.cycles);
  }
}

class LonePackets : public ::testing::TestWithParam<systemc::NetworkConfig> {};

TEST_P(LonePackets, DoNotWait) {
  const systemc::NetworkConfig config = GetParam();
  RecordedNetwork network(config);
  network.pass(10);
  for (NodeId from = 0; from < config.nodes(); from += 3) {
    for (NodeId to = 0; to < config.nodes(); to += 2) {
      if (from == to) continue;
      network.send(from, to, 1, 5);
      network.finish();
    }
  }
  const RecordedRun run = network.run();
  EXPECT_GT(run.journeys.size(), 40u);
  for (const Journey& j : run.journeys) {
    EXPECT_TRUE(j.arrived);
    EXPECT_EQ(j.waited(), 0u) << j.from(config) << " to " << j.to(config);
  }
}

INSTANTIATE_TEST_SUITE_P(Journeys, HeavyTraffic, ::testing::ValuesIn(networks()),
                         test::ParameterName());
INSTANTIATE_TEST_SUITE_P(Journeys, LonePackets, ::testing::ValuesIn(networks()),
                         test::ParameterName());

// Packet 0 of node 0 finds the channel from 1 to 2 taken by packet 1; packet 2 comes behind it.
TEST(Waits, OfAHeadForAChannelAndOfTheNextOneBehindIt) {
  RecordedNetwork network({{4, 1, 1}, {.depth = 64}});
  network.pass(10);
  network.send(0, 3, 1, 6);
  network.send(0, 3, 2, 4);
  network.send(1, 3, 3, 20);
  network.finish();
  const RecordedRun run = network.run();
  ASSERT_EQ(run.journeys.size(), 3u);
  const Journey &first = run.journeys[0], &taker = run.journeys[1], &second = run.journeys[2];
  ASSERT_EQ(second.info.head.tag, 2);
  EXPECT_EQ(taker.waited(), 0u);
  const Hop& wanted = first.hops[2];
  EXPECT_EQ(wanted.node, 1u);
  EXPECT_EQ(wanted.channel, kPlusX);
  EXPECT_EQ(wanted.head(), taker.hops[1].end());
  const std::uint64_t cycles = wanted.head() - first.hops[1].head() - 1;
  EXPECT_GT(cycles, 15u);
  EXPECT_THAT(wanted.waits, ElementsAre(Wait{WaitCause::kChannel, 1, cycles}));
  EXPECT_EQ(first.waited(), cycles);
  const Hop& behind = second.hops[2];
  EXPECT_THAT(behind.waits,
              ElementsAre(Wait{WaitCause::kBehind, 0, behind.head() - second.hops[1].head() - 1}));
  EXPECT_EQ(behind.head(), wanted.end());
}

// The control packet passes on the other VC of the channel, and is in nobody's way.
TEST(Waits, OfAHeadForAVcAreForThePacketThatHoldsIt) {
  RecordedNetwork network({{4, 1, 1}, {.depth = 64, .control_vc = true}});
  network.pass(10);
  network.send(0, 3, 1, 4);   // on the data VC
  network.send(0, 3, 8, 20);  // on the control VC
  network.send(1, 3, 2, 100);
  network.finish();
  const RecordedRun run = network.run();
  ASSERT_EQ(run.journeys.size(), 3u);
  const auto journey = [&](std::uint16_t tag) {
    return static_cast<JourneyId>(
        std::ranges::find_if(run.journeys,
                             [&](const Journey& j) { return j.info.head.tag == tag; }) -
        run.journeys.begin());
  };
  const std::vector<Hop>& hops = run.journeys[journey(1)].hops;
  ASSERT_EQ(hops.size(), 5u);
  EXPECT_GT(hops[2].waited(), 50u);
  EXPECT_THAT(hops[2].waits, ElementsAre(Wait{WaitCause::kChannel, journey(2), hops[2].waited()}));
}

// The run is cut off while packet 1 waits for 2 and packet 3 stands behind 1; 9 waits for the
// control packet 8.
TEST(Waits, OfHeadsThatStillWaitAtTheEndNameTheirHolders) {
  RecordedNetwork network({{4, 1, 1}, {.depth = 64, .control_vc = true}});
  network.pass(10);
  network.send(0, 3, 1, 4);
  network.send(0, 3, 9, 4);
  network.send(0, 3, 3, 4);
  network.send(1, 3, 2, 200);
  network.send(1, 3, 8, 200);
  network.pass(40);
  const RecordedRun run = network.run();
  const auto find = [&](std::uint16_t tag) {
    return static_cast<JourneyId>(
        std::ranges::find_if(run.journeys,
                             [&](const Journey& j) { return j.info.head.tag == tag; }) -
        run.journeys.begin());
  };
  ASSERT_EQ(run.journeys.size(), 5u);
  const auto expect = [&](std::uint16_t tag, WaitCause cause, std::uint16_t holder) {
    const Journey& journey = run.journeys[find(tag)];
    ASSERT_FALSE(journey.arrived);
    ASSERT_TRUE(journey.last_wait) << tag;
    const Cycle since = journey.hops.back().head() + 1;
    EXPECT_EQ(*journey.last_wait, (LastWait{1, kPlusX, since, cause, find(holder)})) << tag;
  };
  expect(1, WaitCause::kChannel, 2);
  expect(9, WaitCause::kChannel, 8);
  expect(3, WaitCause::kBehind, 1);
  EXPECT_FALSE(run.journeys[find(2)].last_wait) << "its head has arrived";
}

// As in the tracker's test: the VC is free, but its credit is under way.
TEST(Waits, OfAHeadForRoomBehindTheChannel) {
  RecordedNetwork network({{4, 1, 1}, {.depth = 1}});
  network.pass(10);
  network.send(0, 2, 1, 1);
  network.pass(2);
  network.send(1, 3, 2, 1);
  network.finish();
  const RecordedRun run = network.run();
  ASSERT_EQ(run.journeys.size(), 2u);
  EXPECT_THAT(run.journeys[1].hops[1].waits, ElementsAre(Wait{WaitCause::kRoom, 0, 1}));
}

class Windows : public ::testing::TestWithParam<systemc::NetworkConfig> {};

/// The waits of a hop, with the numbers of packets in place of their ids.
std::vector<std::tuple<WaitCause, std::string, std::uint64_t>> named(const RecordedRun& run,
                                                                     const Hop& hop) {
  std::vector<std::tuple<WaitCause, std::string, std::uint64_t>> waits;
  for (const Wait& w : hop.waits) {
    waits.emplace_back(w.cause, w.packet == kNobody ? "" : run.journeys[w.packet].number_text(),
                       w.cycles);
  }
  return waits;
}

// So many packets that those before the window are forgotten while the network runs.
TEST_P(Windows, HoldThePacketsThatAreUnderWayInThem) {
  const systemc::NetworkConfig config = GetParam();
  const Window window{4000, 4060};
  RecordedNetwork network(config, {.load = 0.7, .sink_stall = 0.2, .packets = 700});
  JourneyRecorder recorder(config, {.window = window});
  network.watch({&recorder});
  network.finish();
  const RecordedRun whole = network.run();
  RecordedRun run = recorder.take();
  find_waits(run);
  EXPECT_FALSE(run.loads);
  EXPECT_TRUE(run.all_journeys);
  EXPECT_EQ(run.window, window);
  EXPECT_EQ(run.end, window.end + 1);

  std::size_t next = 0, compared = 0, cut = 0;
  for (const Journey& all : whole.journeys) {
    if (all.hops[0].head() > window.end || all.hops.back().end() <= window.begin) continue;
    ASSERT_LT(next, run.journeys.size());
    const Journey& j = run.journeys[next++];
    EXPECT_EQ(j.number_text(), all.number_text());
    EXPECT_EQ(j.info, all.info);
    EXPECT_EQ(j.arrived, all.hops.back().end() <= window.end + 1);
    cut += j.arrived ? 0 : 1;
    for (std::size_t h = 0; h < j.hops.size(); ++h) {
      EXPECT_EQ(j.hops[h].head(), all.hops[h].head());
      EXPECT_EQ(j.hops[h].waited(), all.hops[h].waited());
      const Cycle since = all.hops[h].head() - all.hops[h].waited();
      // Where it has left the window or come from before it, the packet that is blamed can be gone.
      if (since < window.begin + 20) continue;
      EXPECT_EQ(named(run, j.hops[h]), named(whole, all.hops[h]));
      compared += j.hops[h].waits.size();
    }
  }
  EXPECT_EQ(next, run.journeys.size());
  EXPECT_GT(compared, 20u);
  EXPECT_GT(cut, 5u);
}

INSTANTIATE_TEST_SUITE_P(Journeys, Windows, ::testing::Values(networks()[0], networks()[1]),
                         test::ParameterName());

TEST(WindowsOfARun, BehindTheEndOfTheRunAreEmpty) {
  const systemc::NetworkConfig config{{4, 1, 1}, {}};
  RecordedNetwork network(config);
  JourneyRecorder recorder(config, {.window = {5000, 6000}});
  network.watch({&recorder});
  network.send(0, 3, 1, 6);
  network.finish();
  EXPECT_EQ(network.run().journeys.size(), 1u);
  const RecordedRun run = recorder.take();
  EXPECT_THAT(run.journeys, IsEmpty());
  EXPECT_FALSE(run.loads);
}

TEST(TooManyPackets, AreLoadsThatCountEveryFlit) {
  const systemc::NetworkConfig config{{4, 4, 1}, {4, 2, 2, 2}};
  RecordedNetwork network(config, {.load = 0.7, .sink_stall = 0.2, .packets = 400});
  JourneyRecorder recorder(config, {.most_packets = 100});
  network.watch({&recorder});
  network.finish();
  const RecordedRun whole = network.run();
  EXPECT_FALSE(whole.loads);
  const RecordedRun run = recorder.take();
  ASSERT_TRUE(run.loads);
  EXPECT_FALSE(run.all_journeys);
  EXPECT_THAT(run.journeys, IsEmpty()) << "all have arrived";
  EXPECT_EQ(run.begin, whole.begin);
  EXPECT_EQ(run.end, whole.end);
  EXPECT_EQ(run.loads->messages(), 16u * 400);
  EXPECT_EQ(run.loads->arrived(), 16u * 400);
  ASSERT_EQ(run.loads->steps().size(), 1u);
  EXPECT_EQ(run.loads->steps().begin()->second.begin, whole.begin);
  EXPECT_EQ(run.loads->steps().begin()->second.end, whole.end);

  // By node, channel and part of the time.
  const Cycle width = run.loads->width();
  EXPECT_GT(width, 1u);
  std::map<std::tuple<NodeId, systemc::ChannelId, Cycle>, std::uint32_t> flits, found;
  for (const Journey& j : whole.journeys) {
    for (const Hop& hop : j.hops) {
      for (const Burst& b : hop.bursts) {
        for (Cycle c = b.first; c < b.end(); ++c) {
          ++flits[{hop.node, hop.channel, (c - run.loads->begin()) / width}];
        }
      }
    }
  }
  for (NodeId node = 0; node < config.nodes(); ++node) {
    for (systemc::ChannelId channel = 0; channel < systemc::kChannelsPerNode; ++channel) {
      const auto& parts = run.loads->flits(node, channel);
      for (std::size_t part = 0; part < parts.size(); ++part) {
        if (parts[part] > 0) found[{node, channel, part}] = parts[part];
      }
    }
  }
  EXPECT_EQ(found, flits);
}

// A search that looks at each cycle does not end.
TEST(Waits, OfVeryManyCyclesAreFoundByWhatChangesInThem) {
  constexpr Cycle kEnd = 1'000'000'000'000;
  const systemc::NetworkConfig config{{4, 1, 1}, {}};
  const auto head = [](std::uint8_t from) {
    return systemc::Flit{pack(systemc::HeadFields{{3, 0, 0}, {from, 0, 0}, 1}), 0, true, false};
  };
  const systemc::Flit tail{0, 0, false, true};
  JourneyRecorder recorder(config);
  recorder.flit({1, 0, systemc::kFirstInjection, head(0)});
  recorder.flit({1, 1, systemc::kFirstInjection, head(1)});
  recorder.flit({2, 0, kPlusX, head(0)});
  recorder.flit({2, 1, kPlusX, head(1)});
  recorder.flit({kEnd, 1, systemc::kFirstInjection, tail});
  recorder.flit({kEnd + 1, 1, kPlusX, tail});
  recorder.flit({kEnd + 2, 1, kPlusX, head(0)});
  RecordedRun run = recorder.take();
  find_waits(run);
  ASSERT_EQ(run.journeys.size(), 2u);
  EXPECT_THAT(run.journeys[0].hops[2].waits,
              ElementsAre(Wait{WaitCause::kChannel, 1, kEnd + 2 - 3}));
}

TEST(JourneyRecorder, RefusesFlitsThatCannotFollow) {
  const systemc::NetworkConfig config{{4, 4, 1}, {}};
  const auto head = [](std::uint8_t to) {
    return systemc::Flit{pack(systemc::HeadFields{{to, 0, 0}, {0, 0, 0}, 1}), 0, true, false};
  };
  JourneyRecorder recorder(config);
  EXPECT_THROW(recorder.flit({1, 0, systemc::kFirstInjection, {5, 0, false, true}}),
               std::invalid_argument);
  recorder.flit({2, 0, systemc::kFirstInjection, head(3)});
  EXPECT_THROW(recorder.flit({3, 0, systemc::kFirstInjection, head(3)}), std::invalid_argument);
  EXPECT_THROW(recorder.flit({3, 0, kPlusX, head(2)}), std::invalid_argument);  // another packet
  EXPECT_THROW(recorder.flit({3, 1, kPlusX, head(3)}), std::invalid_argument);  // another node
  recorder.flit({3, 0, kPlusX, head(3)});
  const RecordedRun run = recorder.take();
  ASSERT_EQ(run.journeys.size(), 1u);
  EXPECT_FALSE(run.journeys[0].arrived);
  EXPECT_EQ(run.begin, 2u);
  EXPECT_EQ(run.end, 4u);
  EXPECT_THAT(recorder.take().journeys, IsEmpty());
}

}  // namespace
}  // namespace annelid::timeline
