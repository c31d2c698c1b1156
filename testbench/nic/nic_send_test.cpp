// What a NIC puts on its injection channels, flit by flit and cycle by cycle (docs/nic.md,
// section 4). The test is the network around one NIC: node 5 = (1,1) of a 4x4 mesh.
#include <gtest/gtest.h>

#include <numeric>

#include "testbench/nic/lone_nic.hpp"

namespace annelid::test {
namespace {

constexpr Address kSelf{1, 1, 0}, kEast{2, 1, 0}, kFarEast{3, 1, 0}, kWest{0, 1, 0},
    kNorth{1, 2, 0};

void fill(Nic& nic, std::uint32_t offset, std::uint32_t bytes) {
  for (std::uint32_t i = 0; i < bytes; ++i) nic.memory().store(offset + i, (i * 7 + 1) & 0xff, 1);
}

/// The grant of `from`: tag, room, the pair's how-manieth, slot. It arrives at ejection port 0 with
/// its head in cycle `at`; its tail is consumed in at + 2.
void grant(LoneNic& bench, Cycle at, Address from, std::uint16_t tag, std::uint32_t room,
           std::uint32_t sequence = 0, std::uint32_t slot = 0, int local = 0) {
  bench.arrive(at, local, make_packet(kSelf, from, tag, make_header(2, room, sequence, slot)));
}

class MessageLength : public ::testing::TestWithParam<std::uint32_t> {};
INSTANTIATE_TEST_SUITE_P(Of, MessageLength, ::testing::Values(0, 1, 7, 8, 9, 64, 1000));

TEST_P(MessageLength, GivesThePacketOfTheDocumentFlitByFlit) {
  const std::uint32_t bytes = GetParam();
  LoneNic bench(small_config(), 5);
  fill(bench.nic, 0x101, bytes);
  std::vector<Taken> taken;
  take_completions(*bench.script, taken);
  bench.script->at(20, [&](Registers& r) {
    post_send(r, {kEast, 0x101, bytes, 0xbeef, 77, reg::kPortByRoute, 3});
  });
  grant(bench, 5, kEast, 0xbeef, bytes, 0, 41);
  bench.run_until(500);

  const std::uint32_t flits = 2 + (bytes + 7) / 8;
  ASSERT_EQ(bench.injected.size(), flits);
  for (std::uint32_t i = 0; i < flits; ++i) {
    const auto& [cycle, local, flit] = bench.injected[i];
    EXPECT_EQ(cycle, 21 + i) << "the head one cycle after SEND_GO, then a flit per cycle";
    EXPECT_EQ(local, 0) << "+x";
    EXPECT_EQ(flit.head, i == 0);
    EXPECT_EQ(flit.tail, i + 1 == flits);
    std::uint64_t data = 0;
    if (i == 0) data = 0xbeef'00'01'01'00'01'02;  // tag, source z y x, destination z y x
    if (i == 1) data = make_header(1, bytes, 0, 41);
    for (std::uint32_t b = 0; i >= 2 && b < 8 && 8 * (i - 2) + b < bytes; ++b) {
      data |= std::uint64_t{((8 * (i - 2) + b) * 7 + 1) & 0xff} << 8 * b;
    }
    EXPECT_EQ(flit.data, data) << "flit " << i;
  }
  const Taken expected{21 + flits, false, 77, bytes};  // the cycle after the tail
  EXPECT_EQ(taken, std::vector<Taken>{expected});
  EXPECT_TRUE(bench.failures.empty());
}

TEST(Send, WaitsForItsGrantAndGoesInTheCycleAfterItWasConsumed) {
  LoneNic bench(small_config(), 5);
  bench.script->at(0, [](Registers& r) { post_send(r, {kEast, 0, 8, 1, 1}); });
  grant(bench, 100, kEast, 1, 8);  // tail on the channel in 101, consumed in 102
  bench.run_until(99);
  EXPECT_TRUE(bench.injected.empty());
  EXPECT_NE(bench.nic.describe_wait().find("send 1 to 2,1 tag 1 (8 bytes) on port 0: no grant"),
            std::string::npos)
      << bench.nic.describe_wait();
  bench.run_until(200);
  ASSERT_EQ(bench.injected.size(), 3U);
  EXPECT_EQ(bench.injected[0].cycle, 103U);
  EXPECT_LE(bench.steps, 12U) << "it sleeps while it waits";
}

TEST(Send, WithAnotherTagThanTheGrantWaitsWithAllBehindIt) {
  LoneNic bench(small_config(), 5);
  bench.script->at(0, [](Registers& r) {
    post_send(r, {kEast, 0, 8, 1, 1});
    post_send(r, {kFarEast, 0, 8, 2, 2});  // the same port
  });
  grant(bench, 2, kEast, 9, 8);
  grant(bench, 4, kFarEast, 2, 8);
  bench.run_until(100);
  EXPECT_TRUE(bench.injected.empty());
  const std::string wait = bench.nic.describe_wait();
  EXPECT_NE(wait.find("tag 1 (8 bytes) on port 0: the grant has tag 9"), std::string::npos) << wait;
  EXPECT_NE(wait.find("tag 2 (8 bytes) on port 0: behind another packet"), std::string::npos);
}

TEST(Send, LongerThanTheGrantedRoomIsTooLong) {
  LoneNic bench(small_config(), 5);
  bench.script->at(10, [](Registers& r) { post_send(r, {kEast, 0, 65, 1, 1}); });
  grant(bench, 2, kEast, 1, 64);
  bench.run_until(100);
  ASSERT_EQ(bench.failures.size(), 1U);
  EXPECT_EQ(bench.failures[0].cause, reg::ErrorCause::kTooLong);
  EXPECT_EQ(bench.failures[0].cycle, 11U);
  EXPECT_TRUE(bench.injected.empty());
  EXPECT_TRUE(bench.nic.stopped());
}

TEST(Send, KeepsTheOrderOfAPairOverDifferentPorts) {
  LoneNic bench(small_config(), 5);
  bench.script->at(0, [](Registers& r) {
    post_send(r, {kEast, 0, 64, 1, 1, 2});
    post_send(r, {kEast, 0, 64, 1, 2, 0});
    post_send(r, {kEast, 0, 64, 1, 3, 1});
  });
  grant(bench, 5, kEast, 1, 64, 0);
  grant(bench, 30, kEast, 1, 64, 1);
  grant(bench, 60, kEast, 1, 64, 2);
  bench.run_until(100);
  ASSERT_EQ(bench.injected.size(), 30U);
  const int ports[] = {2, 0, 1};
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(bench.injected[10 * i].local, ports[i]);
    EXPECT_EQ(bench.injected[10 * i + 1].flit.data, make_header(1, 64, i, 0)) << "its sequence";
  }
}

TEST(Send, EnginesOfAllPortsRunAtTheSameTime) {
  LoneNic bench(small_config(), 5);
  std::vector<Taken> taken;
  take_completions(*bench.script, taken);
  const Address to[] = {kEast, kWest, kNorth, {1, 0, 0}};
  for (int i = 0; i < 4; ++i) grant(bench, 1, to[i], 1, 64, 0, 0, i);
  bench.script->at(10, [&](Registers& r) {
    for (std::uint16_t i = 0; i < 4; ++i) post_send(r, {to[3 - i], 0, 64, 1, i});
  });
  bench.run_until(50);
  ASSERT_EQ(bench.injected.size(), 40U);
  for (std::size_t i = 0; i < 40; ++i) {
    EXPECT_EQ(bench.injected[i].cycle, 11 + i / 4);
    EXPECT_EQ(bench.injected[i].local, static_cast<int>(i % 4));
  }
  ASSERT_EQ(taken.size(), 4U);
  for (std::uint16_t i = 0; i < 4; ++i) EXPECT_EQ(taken[i].id, 3 - i) << "in the order of ports";
}

TEST(Send, SpendsItsCreditsAndGoesOnInTheCycleAfterOneComes) {
  NicConfig config = small_config();
  config.network.router.depth = 3;
  LoneNic bench(config, 5);
  bench.auto_credit = false;
  bench.script->at(10, [](Registers& r) { post_send(r, {kEast, 0, 64, 1, 1}); });
  grant(bench, 1, kEast, 1, 64);
  for (const Cycle at : {40, 41, 50}) bench.give_credit(at, 0, 0);
  bench.run_until(100);
  std::vector<Cycle> cycles;
  for (const auto& i : bench.injected) cycles.push_back(i.cycle);
  EXPECT_EQ(cycles, (std::vector<Cycle>{11, 12, 13, 41, 42, 51}));
  EXPECT_LE(bench.steps, 16U) << "it sleeps without a credit";
  EXPECT_NE(bench.nic.describe_wait().find("6 of 10 flits sent"), std::string::npos);
}

TEST(Send, TakesTheLowestVirtualChannelWithACreditAndStaysOnIt) {
  NicConfig config = small_config();
  config.network.router.depth = 2;
  config.network.router.local_vcs = 3;
  LoneNic bench(config, 5);
  bench.auto_credit = false;
  bench.script->at(10, [](Registers& r) {
    post_send(r, {kEast, 0, 0, 1, 1});
    post_send(r, {kFarEast, 0, 8, 1, 2});
  });
  grant(bench, 1, kEast, 1, 64);
  grant(bench, 3, kFarEast, 1, 64);
  bench.give_credit(20, 0, 0);  // of no use to the packet that is on VC 1
  bench.give_credit(30, 0, 1);
  bench.run_until(100);
  ASSERT_EQ(bench.injected.size(), 5U);
  const Cycle cycles[] = {11, 12, 13, 14, 31};
  const Vc vcs[] = {0, 0, 1, 1, 1};
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_EQ(bench.injected[i].cycle, cycles[i]);
    EXPECT_EQ(bench.injected[i].flit.vc, vcs[i]);
  }
}

TEST(Send, WorksWithEveryNumberOfPorts) {
  NicConfig config = small_config();
  config.network.router.local_ports = 1;
  LoneNic bench(config, 5);
  bench.script->at(10, [](Registers& r) {
    post_send(r, {kNorth, 0, 0, 1, 1});
    post_send(r, {kWest, 0, 0, 1, 2});
  });
  grant(bench, 1, kNorth, 1, 0);
  grant(bench, 3, kWest, 1, 0);
  bench.run_until(100);
  EXPECT_EQ(bench.injected.size(), 4U);
}

TEST(OwnNode, IsDeliveredWithinTheNicInAsManyCyclesAsItWouldHaveFlits) {
  LoneNic bench(small_config(), 5);
  fill(bench.nic, 0x100, 61);
  std::vector<Taken> taken;
  take_completions(*bench.script, taken);
  bench.script->at(5, [](Registers& r) { post_send(r, {kSelf, 0x100, 61, 4, 1}); });
  bench.script->at(9, [](Registers& r) { post_receive(r, {kSelf, 0x201, 64, 4, 2}); });
  bench.run_until(100);
  // 2 + 8 cycles, from 10 to 19, seen in 20; the receive comes first.
  EXPECT_EQ(taken, (std::vector<Taken>{{20, true, 2, 61}, {20, false, 1, 61}}));
  for (std::uint32_t i = 0; i < 64; ++i) {
    EXPECT_EQ(bench.nic.memory().load(0x201 + i, 1), i < 61 ? (i * 7 + 1) & 0xff : 0U);
  }
  EXPECT_TRUE(bench.injected.empty());
}

TEST(OwnNode, MatchesInOrderAndByTag) {
  LoneNic bench(small_config(), 5);
  bench.script->at(0, [](Registers& r) {
    post_send(r, {kSelf, 0, 8, 4, 1});
    post_receive(r, {kSelf, 0, 8, 5, 2});
    post_receive(r, {kSelf, 0, 8, 4, 3});
  });
  bench.run_until(100);
  EXPECT_FALSE(bench.nic.idle());
  EXPECT_NE(bench.nic.describe_wait().find("no receive with this tag"), std::string::npos);
  EXPECT_EQ(bench.nic.error(), reg::ErrorCause::kNone);
}

TEST(OwnNode, RefusesALongerMessageThanTheRoom) {
  LoneNic bench(small_config(), 5);
  bench.script->at(0, [](Registers& r) {
    post_send(r, {kSelf, 0, 9, 4, 1});
    post_receive(r, {kSelf, 0, 8, 4, 2});
  });
  bench.run_until(100);
  EXPECT_EQ(bench.nic.error(), reg::ErrorCause::kTooLong);
}

}  // namespace
}  // namespace annelid::test
