// Descriptors of lists are judged, issued and held (docs/internals/nic/lists.md), cycle by cycle.
#include <gtest/gtest.h>

#include <ostream>
#include <utility>
#include <vector>

#include "systemc/modules/elaboration.hpp"
#include "testbench/nic/list_bench.hpp"

namespace annelid::test {
namespace {

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
  data(bench, 60, kWest, 1, 8, 1);  // complete in 63
  // Join 0 fires in 64, and those that wait for it from 65 on.
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
  EXPECT_EQ(bench.log.at(1), "65 posted 5");
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
