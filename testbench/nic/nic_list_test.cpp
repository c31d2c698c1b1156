// Lists of a NIC start, are fetched, and end (docs/internals/nic/lists.md), cycle by cycle.
#include <gtest/gtest.h>

#include "systemc/modules/elaboration.hpp"
#include "testbench/nic/list_bench.hpp"

namespace annelid::test {
namespace {

// ---- Start and end ------------------------------------------------------------------------------

TEST(ListStart, ByTheCoreFetchesFromTheNextCycleOnAndEndsWithACompletion) {
  ListBench bench;
  bench.play(List().send(to(kEast, 7)));
  bench.take();
  bench.watch(reg::kListSpace, {10, 11, 18, 19});
  bench.watch(reg::kListPlays, {10, 11, 18, 19});
  bench.watch(reg::kSendSpace, {11, 12, 17, 18});
  bench.run_until(100);
  EXPECT_EQ(bench.log, (Texts{"14 posted 7", "15 started 7 on 0", "17 sent 7"}));
  EXPECT_EQ(bench.taken, (TakenAt{{19, {0x90000000 | kHandle}}}));
  EXPECT_TRUE(bench.failures.empty());
  EXPECT_TRUE(bench.nic.idle());
  EXPECT_EQ(bench.seen, (Seen{3, 8, 3, 8, 64, 63, 63, 3, 8, 64, 4, 0}))
      << "space, plays and sends in 10, 11, 12, 17, 18, 19";
}

TEST(ListStart, ByACallTakesItInItsFirstCycleAndFinishesIt) {
  ListBench bench;
  bench.know(kHandle, List().send(to(kEast, 7)));
  bench.take();
  for (const std::uint32_t offset : {reg::kEvent, reg::kCallTicket, reg::kCall, reg::kListPlays}) {
    bench.watch(offset, {21, 22});
  }
  bench.run_until(20);
  EXPECT_EQ(bench.nic.call(start_call(kHandle)), 0U);  // visible from 21 on
  bench.run_until(22);
  EXPECT_EQ(bench.nic.call_state(0).stage, nic::CallQueue::Stage::kTaken);
  bench.run_until(100);
  EXPECT_EQ(bench.log, (Texts{"25 posted 7", "26 started 7 on 0", "28 sent 7"}));
  EXPECT_EQ(bench.calls_finished, (std::vector<LoneNic::Finished>{{29, 0, 0}}));
  EXPECT_EQ(bench.taken, TakenAt{}) << "no completion";
  EXPECT_EQ(bench.seen, (Seen{0, 0, 0, 0, 0, 0, 0, 8}));
  EXPECT_FALSE(bench.nic.calling());
}

TEST(ListStart, ThatIsNoStartGoesToTheCore) {
  for (const std::uint32_t handle : {kHandle | 0x10000U, 0x103U, 0x124U}) {
    const systemc::Elaboration elaboration;
    ListBench bench;
    bench.know(kHandle, List().join({}));
    bench.watch(reg::kEvent, {22});
    bench.watch(reg::kCallTicket, {23});
    bench.run_until(20);
    bench.nic.call(start_call(handle));
    bench.run_until(100);
    EXPECT_EQ(bench.seen, (Seen{1, 0x80000000})) << handle;
    EXPECT_TRUE(bench.calls_finished.empty());
  }
}

TEST(ListStart, OfAListThatPlaysGoesToTheCoreUntilTheListEnds) {
  ListBench bench;
  bench.know(kHandle, List().send(to(kEast, 7)));
  bench.watch(reg::kEvent, {21, 22, 29, 30, 31});
  bench.run_until(20);
  bench.nic.call(start_call(kHandle));
  bench.nic.call(start_call(kHandle));
  bench.run_until(100);
  // The first ends in 29; the second is a start from 30 on.
  EXPECT_EQ(bench.seen, (Seen{0, 1, 1, 0, 0}));
  ASSERT_EQ(bench.calls_finished.size(), 1U);
  EXPECT_EQ(bench.calls_finished[0], (LoneNic::Finished{29, 0, 0}));
  EXPECT_EQ(bench.nic.call_state(1).stage, nic::CallQueue::Stage::kTaken);
  EXPECT_EQ(bench.log[3], "34 posted 7") << "started in 30";
}

TEST(ListStart, OfACallBehindOneThatTheCoreTakesIsTakenInTheSameCycle) {
  ListBench bench;
  bench.know(kHandle, List().send(to(kEast, 7)));
  bench.watch(reg::kCallTicket, {50});
  bench.run_until(20);
  bench.nic.call({});
  bench.nic.call(start_call(kHandle));
  bench.run_until(100);
  EXPECT_EQ(bench.seen, Seen{0x80000000});
  EXPECT_EQ(bench.log[0], "54 posted 7");
}

TEST(ListStart, WaitsForAFreeListPlaceWhichIsSeenInTheCycleAfterAnEnd) {
  ListBench bench;
  for (std::uint16_t handle = 0; handle < 4; ++handle) {
    bench.know(handle, List().receive(from(kWest, handle, 0x1000 + 0x100U * handle)));
  }
  bench.know(4, List().send(to(kEast, 7)));
  bench.watch(reg::kListSpace, {26});
  bench.watch(reg::kListPlays, {26});
  bench.watch(reg::kEvent, {40});
  bench.run_until(20);
  for (std::uint16_t handle = 0; handle < 5; ++handle) bench.nic.call(start_call(handle));
  data(bench, 60, kWest, 0, 8, 0);  // consumed in 63, so the list ends in 64
  bench.run_until(100);
  EXPECT_EQ(bench.seen, (Seen{0, 15, 0}));
  EXPECT_EQ(bench.calls_finished[0], (LoneNic::Finished{64, 0, 0}));
  EXPECT_EQ(bench.log[1], "69 posted 7") << "started in 65";
}

TEST(ListEnd, OfSeveralInOneCycleIsToldInTheOrderOfListPlaces) {
  ListBench bench;
  // Of each the receive completes in 63: one message with no place between them.
  bench.know(9, List().receive(from(kWest, 1, 0x1000)));
  bench.know(2, List().receive(from(kEast, 2, 0x2000)));
  bench.go_at(10, 9);
  bench.go_at(10, 2);
  bench.take();
  data(bench, 60, kWest, 1, 8, 0, 0);
  data(bench, 60, kEast, 2, 8, 1, 1);
  bench.run_until(100);
  EXPECT_EQ(bench.taken, (TakenAt{{65, {0x90000009, 0x90000002}}}));
}

TEST(ListEnd, EntersTheQueueBehindTheTransfersOfItsCycle) {
  ListBench bench;
  bench.play(List().receive(from(kWest, 1, 0x1000)));
  receive_at(bench, 0, {kEast, 0x2000, 64, 2, 77});
  bench.take();
  data(bench, 60, kWest, 1, 8, 1, 0);  // complete in 63, the list ends in 64
  data(bench, 61, kEast, 2, 8, 0, 1);  // complete in 64
  bench.run_until(100);
  EXPECT_EQ(bench.taken, (TakenAt{{65, {0xc000004d, 0x90000000 | kHandle}}}));
}

TEST(ListEnd, ShowsNoMessage) {
  ListBench bench;
  bench.play(List().join({}));
  receive_at(bench, 0, {kEast, 0x2000, 64, 2, 77});
  data(bench, 40, kEast, 2, 8, 0, 1);
  for (const Cycle at : {60, 61}) {
    bench.watch(reg::kCompletion, {at});
    for (const std::uint32_t offset :
         {reg::kCompletionBytes, reg::kCompletionNode, reg::kCompletionTag}) {
      bench.watch(offset, {at});
    }
  }
  bench.run_until(100);
  EXPECT_EQ(bench.seen, (Seen{0x90000000 | kHandle, 0, 0, 0, 0xc000004d, 8, 0x000102, 2}));
}

TEST(ListEnd, OfFourWithoutTheirCompletionsTakenRefusesAFifth) {
  ListBench bench;
  for (std::uint16_t handle = 0; handle < 5; ++handle) {
    bench.know(handle, List().join({}));
    bench.go_at(10 + 20 * handle, handle);
  }
  bench.know(5, List().send(to(kEast, 7)));
  bench.watch(reg::kListSpace, {89, 95});
  bench.watch(reg::kCompletion, {99});
  bench.go_at(100, 4);
  bench.run_until(150);
  EXPECT_EQ(bench.seen, (Seen{4, 4, 0x90000000}));
  ASSERT_EQ(bench.failures.size(), 1U);
  EXPECT_EQ(bench.failures[0].cause, reg::ErrorCause::kListOverflow);
  EXPECT_EQ(bench.failures[0].cycle, 90U);
  bench.nic.call(start_call(5));
  bench.run_until(200);
  EXPECT_EQ(bench.calls_finished.size(), 1U) << "calls need no entry";
}

TEST(ListEnd, OfACallThatTheCoreNamesInCallDoneIsRefused) {
  ListBench bench;
  bench.know(kHandle, List().receive(from(kWest, 1)));
  bench.script->at(40, [](Registers& r) { r.write(reg::kCallDone, 0); });
  bench.run_until(20);
  bench.nic.call(start_call(kHandle));
  bench.run_until(60);
  ASSERT_EQ(bench.failures.size(), 1U);
  EXPECT_EQ(bench.failures[0].cause, reg::ErrorCause::kBadCall);
  EXPECT_EQ(bench.nic.call_state(0).stage, nic::CallQueue::Stage::kTaken);
}

// ---- Fetching -----------------------------------------------------------------------------------

TEST(ListFetch, TakesFourCyclesAndTheSidesInTurn) {
  ListBench bench;
  bench.know(1, List()
                    .receive(from(kWest, 1, 0x1000))
                    .receive(from(kEast, 2, 0x1100))
                    .send(to(kSelf, 11, 0))
                    .send(to(kSelf, 12, 0)));
  bench.know(2, List().receive(from(kNorth, 3, 0x1200)).send(to(kSelf, 13, 0)));
  bench.go_at(10, 1);
  bench.go_at(10, 2);
  bench.run_until(100);
  EXPECT_EQ(bench.log, (Texts{"18 posted 11", "26 posted 13", "34 posted 12"}));
  EXPECT_EQ(packets_of(bench),
            (Texts{"15 port 1 to 0,1 tag 1: offer 0", "23 port 2 to 1,2 tag 3: offer 1",
                   "31 port 0 to 2,1 tag 2: offer 2"}));
}

TEST(ListFetch, OccupiesAPlaceFromItsFirstCycleAndAPutBackReceiveFreesIt) {
  ListBench bench;
  bench.play(List().receive(from(kWest, 1), {on_send(0)}).send(to(kEast, 7)));
  bench.watch(reg::kRecvSpace, {11, 12, 14, 15, 22, 23, 30});
  bench.watch(reg::kSendSpace, {15, 16});
  bench.run_until(100);
  // The receive is fetched in 11 and put back in 14, the send is fetched in 15. Its tail goes in
  // 21, so the receive is fetched again in 22 and posted in 25.
  EXPECT_EQ(bench.log, (Texts{"18 posted 7", "19 started 7 on 0", "21 sent 7"}));
  EXPECT_EQ(packets_of(bench),
            (Texts{"19 port 0 to 2,1 tag 7: eager 8 #0", "26 port 1 to 0,1 tag 1: offer 0"}));
  EXPECT_EQ(bench.seen, (Seen{64, 63, 63, 64, 64, 63, 64, 63, 63}));
}

TEST(ListFetch, GivesAListFourteenPlacesOfADirection) {
  ListBench bench;
  List list;
  for (std::uint16_t i = 0; i < 20; ++i) {
    list.receive(from(kWest, i, 0x1000 + 0x40U * i)).send(to(kEast, i, 100));
  }
  bench.play(list);
  bench.know(9, List().receive(from(kNorth, 99, 0x4000)));
  bench.go_at(200, 9);
  bench.watch(reg::kRecvSpace, {199, 210});
  bench.watch(reg::kSendSpace, {199});
  data(bench, 300, kWest, 0, 8, 0);  // consumed in 303
  bench.watch(reg::kRecvSpace, {304, 305});
  bench.run_until(400);
  EXPECT_EQ(bench.seen, (Seen{50, 50, 49, 50, 49})) << "the next fetch begins in 304";
}

TEST(ListFetch, WaitsForAPlaceAndTakesItInTheCycleInWhichTheCoreFreesIt) {
  for (const bool polled : {false, true}) {
    const systemc::Elaboration elaboration;
    ListBench bench;
    bench.polled = polled;
    for (std::uint16_t i = 0; i < 64; ++i) {
      receive_at(bench, 0, {kEast, 0x4000 + 0x40U * i, 64, i, i});
    }
    bench.play(List().receive(from(kWest, 1)));
    data(bench, 30, kEast, 0, 8, 0, 1);
    bench.script->at(70, [&](Registers& r) { EXPECT_NE(r.read(reg::kCompletion), 0U); });
    bench.watch(reg::kRecvSpace, {70, 71});
    bench.run_until(200);
    EXPECT_EQ(bench.seen, (Seen{1, 0}));
    EXPECT_EQ(packets_of(bench).back(), "74 port 1 to 0,1 tag 1: offer 0");
  }
}

TEST(ListFetch, IsNotCountedByLimitedMemory) {
  nic::NicConfig config = small_config();
  config.memory_flits = 1;
  ListBench bench(config);
  List list;
  for (std::uint16_t i = 0; i < 4; ++i) list.send(to(kSelf, i, 0));
  bench.play(list);
  send_at(bench, 0, {kEast, 0x800, 64, 9, 9});
  bench.run_until(100);
  EXPECT_EQ(bench.log, (Texts{"0 posted 9", "1 started 9 on 0", "10 sent 9", "14 posted 0",
                              "18 posted 1", "22 posted 2", "26 posted 3"}));
}

}  // namespace
}  // namespace annelid::test
