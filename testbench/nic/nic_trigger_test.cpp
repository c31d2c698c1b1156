// Counters and triggered sends in a NIC, and trees that run while the core sleeps
// (docs/internals/nic/registers.md). The units have tests of their own.
#include <gtest/gtest.h>

#include "testbench/nic/mesh.hpp"
#include "testbench/nic/node5.hpp"

namespace annelid::test {
namespace {

SendOrder held(Address to, std::uint16_t tag, std::uint32_t counter, std::uint32_t threshold) {
  SendOrder order{to, 0x800, 8, tag, tag};
  order.trigger = counter;
  order.threshold = threshold;
  return order;
}
ReceiveOrder counted(Address from, std::uint16_t id, std::uint32_t counter) {
  ReceiveOrder order{from, 0x100 + 0x100U * id, 64, 1, id};
  order.notify = counter;
  return order;
}
constexpr std::uint32_t kQuiet = 0x100;

TEST(Trigger, FiresWhenTheCounterShowsItsThreshold) {
  LoneNic bench(small_config(), 5);
  send_at(bench, 0, held(kEast, 7, 3, 2));
  receive_at(bench, 0, counted(kWest, 1, 3));
  receive_at(bench, 0, counted(kNorth, 2, 3));
  data(bench, 20, kWest, 1, 64, 0, 1);   // complete in 30
  data(bench, 40, kNorth, 1, 64, 1, 2);  // complete in 50, shown and fired in 51
  bench.run_until(49);
  EXPECT_EQ(bench.nic.describe_wait(),
            "receive 2 from 1,2 tag 1 (64 bytes): arriving\n"
            "send 7 to 2,1 tag 7 (8 bytes) on port 0: held, counter 3 is 1 and must be 2\n"
            "1 completions not taken\nscript\n");
  bench.run_until(100);
  EXPECT_EQ(packets_of(bench),
            (Texts{"1 port 1 to 0,1 tag 1: offer 0", "1 port 2 to 1,2 tag 1: offer 1",
                   "52 port 0 to 2,1 tag 7: eager 8 #0"}));
  EXPECT_EQ(bench.log, (Texts{"30 received 1", "50 received 1", "51 posted 7", "52 started 7 on 0",
                              "54 sent 7"}));
}

TEST(Trigger, FiresOneSendPerCycleTheOldestAndByTheCoresWriteAtOnce) {
  LoneNic bench(small_config(), 5);
  send_at(bench, 0, held(kEast, 1, 3, 5));
  send_at(bench, 0, held(kWest, 2, 3, 5));
  send_at(bench, 0, held(kNorth, 3, 4, 0));  // at once
  send_at(bench, 20, {kSouth, 0x900, 8, 4, 4});
  bench.script->at(20, [](Registers& r) { r.write(reg::kCounter + 4 * 3, 9); });
  bench.run_until(100);
  EXPECT_EQ(packets_of(bench),
            (Texts{"1 port 2 to 1,2 tag 3: eager 8 #0", "21 port 3 to 1,0 tag 4: eager 8 #0",
                   "22 port 0 to 2,1 tag 1: eager 8 #0", "23 port 1 to 0,1 tag 2: eager 8 #0"}))
      << "the core's own go comes first";
}

TEST(Trigger, PaysTheStartUpFromItsFiringOn) {
  nic::NicConfig config = small_config();
  config.alpha = 30;
  LoneNic bench(config, 5);
  send_at(bench, 0, held(kEast, 1, 3, 1));
  bench.script->at(100, [](Registers& r) { r.write(reg::kCounter + 4 * 3, 1); });
  bench.run_until(200);
  EXPECT_EQ(packets_of(bench), Texts{"131 port 0 to 2,1 tag 1: eager 8 #0"});
}

TEST(Trigger, OrdersMessagesByFiringAndNotByGo) {
  LoneNic bench(small_config(), 5);
  send_at(bench, 0, held(kEast, 1, 3, 1));
  for (std::uint16_t id = 2; id < 4; ++id) {
    SendOrder later = held(kEast, 1, 3, 0);
    later.trigger = reg::kNoCounter;
    later.bytes = 100;
    later.id = id;
    send_at(bench, 5, later);
  }
  bench.script->at(10, [](Registers& r) { r.write(reg::kCounter + 4 * 3, 1); });
  offer(bench, 20, kEast, 1, 0);
  offer(bench, 40, kEast, 1, 1);
  offer(bench, 60, kEast, 1, 2);
  bench.run_until(100);
  EXPECT_EQ(packets_of(bench), (Texts{"23 port 0 to 2,1 tag 1: data 100 #0 place 0",
                                      "43 port 0 to 2,1 tag 1: data 100 #1 place 1",
                                      "63 port 0 to 2,1 tag 1: data 8 #2 place 2"}));
}

TEST(Trigger, ThatFindsItsBytesTakenDropsTheSend) {
  LoneNic bench(small_config(), 5);
  std::vector<Taken> taken;
  take_completions(*bench.script, taken);
  send_at(bench, 0, held(kEast, 7, 3, 1));
  receive_at(bench, 5, {kWest, 0x807, 8, 1, 1});  // a held send has no bytes yet
  bench.script->at(20, [](Registers& r) { r.write(reg::kCounter + 4 * 3, 1); });
  bench.script->at(30, [](Registers& r) {
    EXPECT_EQ(r.read(reg::kErrorNode), 0x000102U);
    EXPECT_EQ(r.read(reg::kErrorInfo), 0x00070007U);
    r.write(reg::kError, 0);
    r.write(reg::kCounter + 4 * 3, 0);
  });
  send_at(bench, 31, {kEast, 0x900, 8, 7, 9});
  bench.run_until(100);
  ASSERT_EQ(bench.failures.size(), 1U);
  EXPECT_EQ(bench.failures[0].cycle, 20U);
  EXPECT_EQ(bench.failures[0].cause, reg::ErrorCause::kOverlap);
  EXPECT_EQ(taken, (std::vector<Taken>{{21, false, 7, 8, true}, {35, false, 9, 8}}));
  EXPECT_EQ(packets_of(bench),
            (Texts{"6 port 1 to 0,1 tag 1: offer 0", "32 port 0 to 2,1 tag 7: eager 8 #0"}))
      << "the dropped one took no number";
}

TEST(Counters, CountSendsAndReceivesAndQuietOnesHaveNoEntry) {
  LoneNic bench(small_config(), 5);
  std::vector<Taken> taken;
  take_completions(*bench.script, taken);
  SendOrder send{kEast, 0x800, 8, 1, 1};
  send.notify = 31 | kQuiet;
  send_at(bench, 0, send);  // complete in 3
  receive_at(bench, 0, counted(kWest, 2, 31));
  data(bench, 20, kWest, 1, 8, 0, 1);  // complete in 23
  ReceiveOrder silent = counted(kNorth, 3, reg::kNoCounter | kQuiet);
  receive_at(bench, 0, silent);
  data(bench, 40, kNorth, 1, 8, 1, 2);  // complete in 43
  std::vector<std::uint32_t> counts, spaces;
  for (const Cycle at : {3, 4, 23, 24, 43, 44}) {
    bench.script->at(at, [&](Registers& r) {
      counts.push_back(r.read(reg::kCounter + 4 * 31));
      spaces.push_back(r.read(reg::kSendSpace) + r.read(reg::kRecvSpace));
    });
  }
  bench.run_until(100);
  EXPECT_EQ(counts, (std::vector<std::uint32_t>{0, 1, 1, 2, 2, 2}));
  EXPECT_EQ(spaces, (std::vector<std::uint32_t>{125, 126, 126, 126, 127, 128}));
  EXPECT_EQ(taken, (std::vector<Taken>{{24, true, 2, 8}}));
  EXPECT_TRUE(bench.nic.idle());
}

TEST(Counters, AddToTheValueThatIsWrittenInTheSameCycle) {
  LoneNic bench(small_config(), 5);
  receive_at(bench, 0, counted(kWest, 2, 0));
  data(bench, 20, kWest, 1, 8, 0, 1);  // complete in 23
  std::uint32_t value = 0;
  bench.script->at(23, [](Registers& r) { r.write(reg::kCounter, 100); });
  bench.script->at(24, [&](Registers& r) { value = r.read(reg::kCounter); });
  bench.run_until(50);
  EXPECT_EQ(value, 101U);
}

/// A binary tree over a line of 7 nodes: node n's children are 2n+1 and 2n+2. Each node holds sends
/// to them that wait for its receive; then all sleep. The message goes from the root to the leaves.
TEST(Tree, OfTriggeredSendsRunsWhileTheCoresSleep) {
  nic::NicConfig config = small_config(7, 1);
  Mesh mesh(config);
  constexpr std::uint32_t kBytes = 200, kOffset = 0x1000;
  for (std::uint8_t n = 0; n < 7; ++n) {
    mesh.scripts[n]->at(0, [n](Registers& r) {
      if (n > 0) {
        ReceiveOrder order{{static_cast<std::uint8_t>((n - 1) / 2), 0, 0}, kOffset, kBytes, 1, 1};
        order.notify = 5 | kQuiet;
        post_receive(r, order);
      }
      for (std::uint8_t child = 2 * n + 1; child <= 2 * n + 2 && child < 7; ++child) {
        SendOrder order{{child, 0, 0}, kOffset, kBytes, 1, child};
        order.trigger = 5;
        order.threshold = n == 0 ? 0 : 1;
        order.notify = reg::kNoCounter | kQuiet;
        post_send(r, order);
      }
    });
  }
  const auto message = words(kBytes);
  for (std::uint32_t i = 0; i < message.size(); ++i) {
    mesh.nics[0]->memory().store(kOffset + 8 * i, message[i], 8);
  }
  EXPECT_EQ(mesh.fabric.run_until(100'000), systemc::RunStatus::kQuiet);
  for (const auto& nic : mesh.nics) expect_words(*nic, kOffset, kBytes);
  EXPECT_TRUE(mesh.idle());
  EXPECT_EQ(mesh.log.failures, Texts{});
  const auto records = mesh.log.records();
  ASSERT_EQ(records.size(), 6U);
  for (const nic::MessageRecord& record : records) {
    if (record.info.source == 0) continue;
    const auto parent = std::ranges::find_if(records, [&](const nic::MessageRecord& r) {
      return r.info.destination == record.info.source;
    });
    const Cycle first_child = record.info.destination == 2 * record.info.source + 1 ? 0 : 1;
    EXPECT_EQ(record.posted, parent->received + 1 + first_child) << "fired without the core";
  }
}

}  // namespace
}  // namespace annelid::test
