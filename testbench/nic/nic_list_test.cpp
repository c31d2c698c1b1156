// The list unit of a NIC, cycle by cycle (docs/internals/nic/lists.md). A list that starts in cycle
// t begins its first fetch in t+1 and issues that descriptor in t+4.
#include <gtest/gtest.h>

#include <map>

#include "systemc/modules/elaboration.hpp"
#include "testbench/nic/list_script.hpp"
#include "testbench/nic/node5.hpp"

namespace annelid::test {
namespace {

constexpr std::uint16_t kHandle = 0x123;  // its place is 3
constexpr std::uint32_t kFailed = 1u << 29;

SendOrder to(Address node, std::uint16_t tag, std::uint32_t bytes = 8) {
  SendOrder order{node, 0x800, bytes, tag, 0};
  return order;
}
ReceiveOrder from(Address node, std::uint16_t tag, std::uint32_t offset = 0x1000) {
  return {node, offset, 64, tag, 0};
}

/// A NIC that knows lists from cycle 0 on, and that takes completions.
struct ListBench : LoneNic {
  explicit ListBench(const nic::NicConfig& config = small_config()) : LoneNic(config, 5) {}

  void know(std::uint16_t handle, const List& list) {
    list.store(nic.memory(), list_offset(handle));
    script->at(0, [=](Registers& r) { set_list(r, handle, list_offset(handle), list.counts()); });
  }
  void go_at(Cycle cycle, std::uint16_t handle) {
    script->at(cycle, [=](Registers& r) { r.write(reg::kListGo, handle); });
  }
  /// A list that the core starts in cycle 10.
  void play(const List& list, std::uint16_t handle = kHandle) {
    know(handle, list);
    go_at(10, handle);
  }
  /// Takes completions as soon as they can be seen.
  void take() {
    script->on_event([this](Registers& r) {
      while (const std::uint32_t word = r.read(reg::kCompletion)) {
        taken[r.read(reg::kCycle)].push_back(word);
      }
    });
  }
  /// What a register reads in these cycles.
  void watch(std::uint32_t offset, const std::vector<Cycle>& cycles) {
    for (const Cycle cycle : cycles) {
      script->at(cycle, [=, this](Registers& r) { seen.push_back(r.read(offset)); });
    }
  }

  std::map<Cycle, std::vector<std::uint32_t>> taken;
  std::vector<std::uint32_t> seen;
};
using Seen = std::vector<std::uint32_t>;
using TakenAt = std::map<Cycle, std::vector<std::uint32_t>>;

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

// ---- Issuing and holding ------------------------------------------------------------------------

TEST(ListHold, ReleasesASendInTheCycleAfterItsDependencyIsCompleteAndInItsOrderOfTags) {
  ListBench bench;
  bench.play(List()
                 .receive(from(kWest, 1))
                 .send(to(kEast, 7), {on_receive(0)})
                 .send(to(kEast, 7))
                 .send(to(kEast, 8))
                 .send(to(kNorth, 7)));
  data(bench, 60, kWest, 1, 8, 0);  // complete in 63
  bench.run_until(64);
  EXPECT_EQ(bench.nic.describe_wait(),
            "send 0 of list 291 to 2,1 tag 7 (8 bytes) on port 0: held behind another one of its "
            "list, with its tag\n"
            "send 1 of list 291 to 2,1 tag 7 (8 bytes) on port 0: held behind another one of its "
            "list, with its tag\n"
            "list 291: 1 of 1 receives and 4 of 4 sends are issued\nscript\n");
  bench.run_until(100);
  EXPECT_EQ(bench.log, (Texts{"26 posted 8", "27 started 8 on 0", "29 sent 8", "30 posted 7",
                              "31 started 7 on 2", "33 sent 7", "63 received 1", "64 posted 7",
                              "65 posted 7"}));
}

TEST(ListHold, KeepsTheOrderOfATagAlsoIfTheYoungerSendCouldGo) {
  ListBench bench;
  bench.play(List()
                 .receive(from(kWest, 1, 0x1000))
                 .receive(from(kWest, 2, 0x1100))
                 .send(to(kEast, 7), {on_receive(1)})
                 .send(to(kEast, 7), {on_receive(0)})
                 .send(to(kEast, 8), {on_receive(0)})
                 .send(to(kSelf, 7), {on_receive(0)}));
  data(bench, 60, kWest, 1, 8, 0);  // complete in 63
  data(bench, 70, kWest, 2, 8, 1);  // complete in 73
  bench.run_until(100);
  Texts posted;
  for (const std::string& line : bench.log) {
    if (line.find("posted") != std::string::npos) posted.push_back(line);
  }
  EXPECT_EQ(posted, (Texts{"64 posted 8", "65 posted 7", "74 posted 7", "75 posted 7"}));
}

TEST(ListHold, CompletesAJoinWhenItFires) {
  ListBench bench;
  bench.take();
  bench.play(List()
                 .receive(from(kWest, 1))
                 .join({on_receive(0)})
                 .join({})
                 .send(to(kSelf, 5, 0), {on_send(0), on_send(1)})
                 .join({on_send(1), on_send(0), on_receive(0)}));
  data(bench, 60, kWest, 1, 8,
       0);  // complete in 63; join 0 fires in 64, those that wait from 65 on
  receive_at(bench, 0, {kSelf, 0x3000, 0, 5, 1});
  bench.watch(reg::kSendSpace, {24, 25, 63, 65, 66, 67});
  bench.run_until(62);
  EXPECT_EQ(bench.nic.describe_wait(),
            "receive 1 from 1,1 tag 5 (0 bytes): no send to the own node has its tag\n"
            "receive 0 of list 291 from 0,1 tag 1 (64 bytes): offered, nothing has arrived\n"
            "join 0 of list 291: held, waits for receive 0\n"
            "send 2 of list 291 to 1,1 tag 5 (0 bytes): held, waits for send 0\n"
            "join 3 of list 291: held, waits for send 0 and receive 0\n"
            "list 291: 1 of 1 receives and 4 of 4 sends are issued\nscript\n");
  bench.run_until(100);
  EXPECT_EQ(bench.log[1], "65 posted 5");
  // Join 1 is issued in 22 and fires in 23; the fetch of send 2 begins in 23.
  EXPECT_EQ(bench.seen, (Seen{62, 62, 61, 62, 62, 63}));
}

TEST(ListHold, FiresTheOldestOfListsAndOfTriggersOneInACycle) {
  ListBench bench;
  bench.play(List().receive(from(kWest, 1)).send(to(kSelf, 21, 0), {on_receive(0)}));  // held in 18
  const auto triggered = [&](Cycle at, std::uint16_t tag) {
    SendOrder order = to(kSelf, tag, 0);
    order.trigger = 3;
    order.threshold = 1;
    send_at(bench, at, order);
  };
  triggered(5, 31);
  triggered(30, 32);
  data(bench, 60, kWest, 1, 8, 0);  // complete in 63
  bench.script->at(64, [](Registers& r) { r.write(reg::kCounter + 4 * 3, 1); });
  bench.run_until(100);
  EXPECT_EQ(bench.log, (Texts{"63 received 1", "64 posted 31", "65 posted 21", "66 posted 32"}));
}

TEST(ListIssue, PutsASendBehindThoseOfTheCoreAndTheTriggerUnit) {
  nic::NicConfig config = small_config();
  config.alpha = 10;
  ListBench bench(config);
  bench.play(List().send(to(kEast, 7)));
  SendOrder triggered = to(kNorth, 8);
  triggered.trigger = 0;
  triggered.threshold = 0;
  send_at(bench, 14, triggered);
  send_at(bench, 14, to(kWest, 9));
  bench.run_until(100);
  EXPECT_EQ(packets_of(bench),
            (Texts{"25 port 1 to 0,1 tag 9: eager 8 #0", "35 port 2 to 1,2 tag 8: eager 8 #0",
                   "45 port 0 to 2,1 tag 7: eager 8 #0"}));
}

TEST(ListIssue, GivesEveryFieldOfADescriptorItsMeaning) {
  ListBench bench;
  SendOrder strided = to(kEast, 0xbeef, 24);
  strided.port = 3;
  strided.step = 0x1234;
  strided.block = 8;
  strided.stride = 100;
  ReceiveOrder three = from(kWest, 5, 0x1000);
  three.bytes = 8;
  three.combine = 0x211;  // SUM, INT32, the operand apart
  three.stage = 0x2000;
  three.operand = 0x3000;
  bench.play(List().receive(three).send(strided));
  nic::NodeMemory& memory = bench.nic.memory();
  memory.store(0x3000, 0x0000000200000001, 8);
  for (std::uint32_t i = 0; i < 3; ++i) memory.store(0x800 + 100 * i, i + 1, 8);
  data(bench, 60, kWest, 5, 8, 0);
  bench.run_until(100);
  EXPECT_EQ(memory.load(0x1000, 8), words(8)[0] + 0x0000000200000001);
  EXPECT_EQ(packets_of(bench).back(), "19 port 3 to 2,1 tag 48879: eager 24 #0");
  Seen sent;
  for (const auto& [cycle, local, flit] : bench.injected) {
    if (local == 3 && cycle >= 21) sent.push_back(static_cast<std::uint32_t>(flit.data));
  }
  EXPECT_EQ(sent, (Seen{1, 2, 3}));
}

// ---- Errors -------------------------------------------------------------------------------------

struct Shown {
  std::uint32_t cause = 0, node = 0, info = 0;
  friend bool operator==(const Shown&, const Shown&) = default;
  friend std::ostream& operator<<(std::ostream& out, const Shown& s) {
    return out << s.cause << ' ' << std::hex << s.node << ' ' << s.info << std::dec;
  }
};
void show_at(ListBench& bench, Cycle at, Shown& shown) {
  bench.script->at(at, [&shown](Registers& r) {
    shown = {r.read(reg::kError), r.read(reg::kErrorNode), r.read(reg::kErrorInfo)};
  });
}

/// The error of the only send or receive of a list, which ends as failed.
Shown refused(const List& list) {
  const systemc::Elaboration elaboration;
  ListBench bench;
  Shown shown;
  bench.play(list);
  show_at(bench, 15, shown);
  bench.watch(reg::kSendSpace, {14, 15});
  bench.watch(reg::kRecvSpace, {14, 15});
  bench.watch(reg::kCompletion, {16});
  bench.run_until(50);
  EXPECT_EQ(bench.failures.size(), 1U);
  EXPECT_EQ(bench.failures.at(0).cycle, 14U);
  EXPECT_EQ(bench.seen[0] + bench.seen[1], 127U);
  EXPECT_EQ(bench.seen[2] + bench.seen[3], 128U);
  EXPECT_EQ(bench.seen[4], 0x90000000 | kFailed | kHandle) << "it ends in 15";
  EXPECT_TRUE(bench.log.empty());
  return shown;
}

TEST(ListErrors, AreThoseOfTheGoRegistersWithTheNumberAsId) {
  const Address outside{4, 1, 0};
  EXPECT_EQ(refused(List().send(to(outside, 7))), (Shown{3, 0x000104, 0x00070000}));
  EXPECT_EQ(refused(List().receive(from(outside, 7))), (Shown{3, 0x000104, 0x00078000}));
  EXPECT_EQ(refused(List().send(to(kEast, 7)).send_word(0, 0x04000102)),
            (Shown{6, 0x000102, 0x00070000}));
  EXPECT_EQ(refused(List().send(to(kEast, 7, 1 << 20))), (Shown{4, 0x000102, 0x00070000}));
  EXPECT_EQ(refused(List().receive(from(kWest, 7, (1 << 20) - 63))),
            (Shown{4, 0x000100, 0x00078000}));
  ReceiveOrder bad_operator = from(kWest, 7);
  bad_operator.combine = 0x18;
  EXPECT_EQ(refused(List().receive(bad_operator)), (Shown{9, 0x000100, 0x00078000}));
  EXPECT_EQ(refused(List().receive(from(kWest, 7)).receive_word(0, 0x01000000)),
            (Shown{3, 0, 0x00078000}))
      << "any node, and no open receive";
}

TEST(ListErrors, OfDependenciesComeBeforeOthers) {
  const Address outside{4, 1, 0};
  for (const std::uint32_t none : {on_send(0), on_send(1), on_receive(0), on_receive(32766)}) {
    EXPECT_EQ(refused(List().send(to(outside, 7), {none})), (Shown{13, 0, 0})) << none;
    EXPECT_EQ(refused(List().join({none})), (Shown{13, 0, 0})) << none;
    EXPECT_EQ(refused(List().send(to(kEast, 7), {kNoDependency, none})), (Shown{13, 0, 0}));
    EXPECT_EQ(refused(List().send(to(kEast, 7), {kNoDependency, kNoDependency, none})),
              (Shown{13, 0, 0}));
  }
  EXPECT_EQ(refused(List().receive(from(outside, 7), {on_receive(0)})), (Shown{13, 0, 0x8000}));
  EXPECT_EQ(refused(List().receive(from(outside, 7), {on_send(0)})), (Shown{13, 0, 0x8000}));
}

TEST(ListErrors, LetTheListGoOnAsIfTheDescriptorWereComplete) {
  ListBench bench;
  bench.take();
  bench.script->at(0, [](Registers& r) { r.write(reg::kEventEnable, 2); });
  bench.play(List()
                 .send(to({4, 1, 0}, 7))
                 .send(to(kEast, 8), {on_send(0)})
                 .send(to(kWest, 9), {on_send(2), on_send(5)}));
  bench.run_until(100);
  EXPECT_EQ(bench.log, (Texts{"18 posted 8", "19 started 8 on 0", "21 sent 8"}));
  ASSERT_EQ(bench.failures.size(), 2U);
  EXPECT_EQ(bench.failures[1].cycle, 22U);
  EXPECT_EQ(bench.failures[1].cause, reg::ErrorCause::kBadList);
  EXPECT_TRUE(bench.nic.error() == reg::ErrorCause::kBadAddress) << "the first one stays";
}

TEST(ListErrors, OfATransferMakeItsCallFail) {
  ListBench bench;
  bench.know(kHandle, List().receive(from(kWest, 1)));
  bench.run_until(20);
  bench.nic.call(start_call(kHandle));
  data(bench, 60, kWest, 1, 65, 0);  // too long
  Shown shown;
  show_at(bench, 90, shown);
  bench.run_until(100);
  EXPECT_EQ(shown, (Shown{5, 0x000100, 0x00018000}));
  ASSERT_EQ(bench.calls_finished.size(), 1U);
  EXPECT_EQ(bench.calls_finished[0].result, 8U);
  EXPECT_EQ(bench.failures.at(0).cause, reg::ErrorCause::kTooLong);
}

TEST(ListErrors, OfBytesThatAreTakenAreFoundAtOnceOrAtTheFiringOfAHeldSend) {
  ListBench bench;
  Shown shown;
  bench.play(List()
                 .receive(from(kWest, 1, 0x7f8))  // has the bytes of the sends
                 .send(to(kEast, 7))
                 .send(to(kEast, 8), {on_send(0)})
                 .join({})
                 .send(to(kEast, 9), {on_send(2)})
                 .send(to(kWest, 9), {on_send(3)}));
  bench.watch(reg::kCompletion, {90});
  bench.script->at(20, [](Registers& r) { r.write(reg::kError, 0); });
  show_at(bench, 60, shown);
  data(bench, 70, kWest, 1, 8, 0);
  bench.run_until(100);
  std::vector<std::pair<Cycle, reg::ErrorCause>> failures;
  for (const auto& failure : bench.failures) failures.emplace_back(failure.cycle, failure.cause);
  // Send 0 is issued in 18 and refused, and so is send 1 in 22. The join is issued in 26 and fires
  // in 27; send 3 is issued in 30 and finds it complete. Send 4 is issued in 34.
  const auto overlap = reg::ErrorCause::kOverlap;
  EXPECT_EQ(failures, (std::vector<std::pair<Cycle, reg::ErrorCause>>{
                          {18, overlap}, {22, overlap}, {30, overlap}, {34, overlap}}));
  EXPECT_EQ(shown, (Shown{8, 0x000102, 0x00080001}));
  EXPECT_EQ(bench.seen, Seen{0x90000000 | kFailed | kHandle});
}

TEST(ListErrors, DropAHeldSendWhoseBytesAreTakenWhenItFires) {
  ListBench bench;
  Shown shown;
  bench.play(List()
                 .receive(from(kWest, 1, 0x1000))
                 .receive(from(kWest, 2, 0x7f8))
                 .send(to(kEast, 7), {on_receive(0)})
                 .send(to(kEast, 8), {on_send(0)}));
  show_at(bench, 64, shown);
  bench.watch(reg::kSendSpace, {64, 65, 66});
  data(bench, 60, kWest, 1, 8, 0);  // complete in 63
  data(bench, 70, kWest, 2, 8, 1);
  bench.run_until(100);
  ASSERT_EQ(bench.failures.size(), 2U);
  EXPECT_EQ(bench.failures[0].cycle, 64U);
  EXPECT_EQ(bench.failures[0].text, "the bytes of a held send belong to receive 1 of list 291");
  EXPECT_EQ(bench.failures[1].cycle, 65U) << "the dropped send is complete";
  EXPECT_EQ(bench.seen, (Seen{62, 63, 64}));
}

TEST(ListErrors, OfLists) {
  ListBench bench;
  bench.know(kHandle, List().receive(from(kWest, 1)));
  bench.go_at(10, kHandle);
  std::vector<Shown> shown;
  struct Try {
    std::uint16_t handle;
    std::uint32_t offset, counts;
  };
  const std::vector<Try> tries = {
      {kHandle, 0x1000, 1},     // plays
      {0x103, 0, 0},            // the same place
      {7, 0x1004, 1},           // not a multiple of 8
      {7, 0x1000, 0x8000},      // too many sends
      {7, 0x1000, 0x80000000},  // too many receives
      {7, (1 << 20) - 24, 1},   // behind the end
      {7, (1 << 20) - 32, 0x10001},
  };
  Cycle at = 20;
  for (const Try& bad : tries) {
    bench.script->at(at++, [&shown, bad](Registers& r) {
      set_list(r, bad.handle, bad.offset, bad.counts);
      shown.push_back({r.read(reg::kError), r.read(reg::kErrorNode), r.read(reg::kErrorInfo)});
      r.write(reg::kError, 0);
    });
  }
  // These are right.
  for (const Try& good : {Try{8, (1 << 20) - 32, 1}, Try{9, 0x1004, 0}, Try{10, 0x1000, 0x7f}}) {
    bench.script->at(at++, [good](Registers& r) {
      set_list(r, good.handle, good.offset, good.counts);
      EXPECT_EQ(r.read(reg::kError), 0U) << good.handle;
    });
  }
  bench.script->at(at, [](Registers& r) { r.write(reg::kListGo, 7); });
  bench.run_until(100);
  std::vector<Shown> expected;
  for (const Try& bad : tries) expected.push_back({13, 0, bad.handle});
  EXPECT_EQ(shown, expected);
  EXPECT_EQ(bench.failures.size(), tries.size() + 1);
  EXPECT_EQ(bench.failures.back().text, "LIST_GO for handle 7, which is not known");
}

TEST(ListErrors, OfAPlaceThatWasEmptied) {
  ListBench bench;
  bench.know(kHandle, List().join({}));
  bench.script->at(5, [](Registers& r) { set_list(r, kHandle, 4, 0); });
  bench.go_at(10, kHandle);
  bench.run_until(50);
  ASSERT_EQ(bench.failures.size(), 1U);
  EXPECT_EQ(bench.failures[0].cause, reg::ErrorCause::kBadList);
}

}  // namespace
}  // namespace annelid::test
