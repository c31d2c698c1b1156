// What a NIC puts on its injection channels, flit by flit and cycle by cycle
// (docs/internals/nic/registers.md and messages.md). The test is the network around one NIC: node 5
// = (1,1) of a 4x4 mesh.
#include <gtest/gtest.h>

#include "testbench/nic/node5.hpp"
#include "testbench/parameter_name.hpp"

namespace annelid::test {
namespace {

void fill(nic::Nic& nic, std::uint32_t offset, std::uint32_t bytes) {
  for (std::uint32_t i = 0; i < bytes; ++i) nic.memory().store(offset + i, (i * 7 + 1) & 0xff, 1);
}

/// The flits of a message of those bytes, from (1,1) to (2,1), tag 0xbeef.
void expect_message(const LoneNic& bench, Cycle start, std::uint32_t bytes, std::uint64_t header) {
  const std::uint32_t flits = 2 + (bytes + 7) / 8;
  ASSERT_EQ(bench.injected.size(), flits);
  for (std::uint32_t i = 0; i < flits; ++i) {
    const auto& [cycle, local, flit] = bench.injected[i];
    EXPECT_EQ(cycle, start + i) << "a flit per cycle";
    EXPECT_EQ(local, 0) << "+x";
    EXPECT_EQ(flit.head, i == 0);
    EXPECT_EQ(flit.tail, i + 1 == flits);
    std::uint64_t data = 0;
    if (i == 0) data = 0xbeef'00'01'01'00'01'02;  // tag, source z y x, destination z y x
    if (i == 1) data = header;
    for (std::uint32_t b = 0; i >= 2 && b < 8 && 8 * (i - 2) + b < bytes; ++b) {
      data |= std::uint64_t{((8 * (i - 2) + b) * 7 + 1) & 0xff} << 8 * b;
    }
    EXPECT_EQ(flit.data, data) << "flit " << i;
  }
}

class MessageLength : public ::testing::TestWithParam<std::uint32_t> {};
INSTANTIATE_TEST_SUITE_P(Of, MessageLength, ::testing::Values(0, 1, 7, 8, 9, 64, 1000),
                         test::ParameterName());

TEST_P(MessageLength, GivesThePacketOfTheDocumentFlitByFlit) {
  const std::uint32_t bytes = GetParam();
  LoneNic bench(small_config(), 5);
  fill(bench.nic, 0x101, bytes);
  std::vector<Taken> taken;
  take_completions(*bench.script, taken);
  send_at(bench, 20, {kEast, 0x101, bytes, 0xbeef, 77, reg::kPortByRoute, 3});
  offer(bench, 5, kEast, 0xbeef, 41);
  bench.run_until(500);
  expect_message(bench, 21, bytes, make_header(1, bytes, 0, 41));
  const Taken expected{21 + 2 + (bytes + 7) / 8, false, 77, bytes};  // the cycle after the tail
  EXPECT_EQ(taken, std::vector<Taken>{expected});
  EXPECT_TRUE(bench.failures.empty());
}

TEST_P(MessageLength, WithoutAnOfferGoesEagerlyOrNotAtAll) {
  const std::uint32_t bytes = GetParam();
  LoneNic bench(small_config(), 5);
  fill(bench.nic, 0x101, bytes);
  std::vector<Taken> taken;
  take_completions(*bench.script, taken);
  send_at(bench, 20, {kEast, 0x101, bytes, 0xbeef, 77});
  bench.run_until(500);
  if (bytes > 64) {
    EXPECT_TRUE(bench.injected.empty());
    return;
  }
  expect_message(bench, 21, bytes, make_header(3, bytes, 0, 0));
  const Taken expected{21 + 2 + (bytes + 7) / 8, false, 77, bytes};
  EXPECT_EQ(taken, std::vector<Taken>{expected});
}

TEST(Send, WaitsForItsOfferAndGoesInTheCycleAfterItWasConsumed) {
  LoneNic bench(small_config(), 5);
  send_at(bench, 0, {kEast, 0, 100, 1, 1});
  offer(bench, 100, kEast, 1, 0);  // tail on the channel in 101, consumed in 102
  bench.run_until(99);
  EXPECT_TRUE(bench.injected.empty());
  EXPECT_EQ(bench.nic.describe_wait(),
            "send 1 to 2,1 tag 1 (100 bytes) on port 0: no offer with its tag\nscript\n");
  bench.run_until(200);
  ASSERT_EQ(bench.injected.size(), 15U);
  EXPECT_EQ(bench.injected[0].cycle, 103U);
  EXPECT_LE(bench.steps, 24U) << "it sleeps while it waits";
  EXPECT_EQ(bench.log, (Texts{"0 posted 1", "103 started 1 on 0", "117 sent 1"}));
}

TEST(Send, ThatWaitsHoldsNoOtherUpAtItsPort) {
  LoneNic bench(small_config(), 5);
  send_at(bench, 10, {kEast, 0, 100, 1, 1});
  send_at(bench, 11, {kFarEast, 0, 100, 2, 2});
  offer(bench, 2, kFarEast, 2, 8);
  offer(bench, 20, kEast, 1, 9);
  bench.run_until(100);
  EXPECT_EQ(packets_of(bench), (Texts{"12 port 0 to 3,1 tag 2: data 100 #0 place 8",
                                      "27 port 0 to 2,1 tag 1: data 100 #0 place 9"}))
      << "ready since 23, when the port was busy";
}

TEST(Send, LeavesAPortInTheOrderInWhichItBecameReady) {
  LoneNic bench(small_config(), 5);
  offer(bench, 1, kNorth, 7, 1, 2);
  send_at(bench, 10, {kNorth, 0, 100, 7, 7, 0});  // at port 0, in 11..25
  for (const std::uint16_t tag : {1, 2, 3}) send_at(bench, 11, {kEast, 0, 100, tag, tag});
  offer(bench, 12, kEast, 3, 3);
  offer(bench, 14, kEast, 1, 1);
  offer(bench, 16, kEast, 2, 2);
  bench.run_until(100);
  EXPECT_EQ(packets_of(bench), (Texts{"11 port 0 to 1,2 tag 7: data 100 #0 place 1",
                                      "26 port 0 to 2,1 tag 3: data 100 #2 place 3",
                                      "41 port 0 to 2,1 tag 1: data 100 #0 place 1",
                                      "56 port 0 to 2,1 tag 2: data 100 #1 place 2"}));
}

TEST(Send, TakesThePortOfItsRouteOrItsOwn) {
  LoneNic bench(small_config(), 5);
  const Address to[] = {kEast, kWest, kNorth, kSouth, {2, 2, 0}};  // x before y
  const int by_route[] = {0, 1, 2, 3, 0};
  for (std::uint16_t i = 0; i < 5; ++i) {
    send_at(bench, 20 * i, {to[i], 0, 0, 1, i});
    send_at(bench, 200 + 20 * i, {to[i], 0, 0, 1, i, i % 4U});
    control(bench, 100 + 2 * i, to[i], kFree, 0);
  }
  bench.run_until(400);
  ASSERT_EQ(bench.injected.size(), 20U);
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_EQ(bench.injected[2 * i].local, by_route[i]);
    EXPECT_EQ(bench.injected[10 + 2 * i].local, static_cast<int>(i % 4));
  }
}

TEST(Send, EnginesOfAllPortsRunAtTheSameTime) {
  LoneNic bench(small_config(), 5);
  std::vector<Taken> taken;
  take_completions(*bench.script, taken);
  const Address to[] = {kEast, kWest, kNorth, kSouth};
  for (std::uint16_t i = 0; i < 4; ++i) {
    send_at(bench, 0, {to[3 - i], 0, 100, 1, i});
    offer(bench, 10, to[i], 1, 0, i);
  }
  bench.run_until(50);
  ASSERT_EQ(bench.injected.size(), 60U);
  for (std::size_t i = 0; i < 60; ++i) {
    EXPECT_EQ(bench.injected[i].cycle, 13 + i / 4);
    EXPECT_EQ(bench.injected[i].local, static_cast<int>(i % 4));
  }
  ASSERT_EQ(taken.size(), 4U);
  for (std::uint16_t i = 0; i < 4; ++i) EXPECT_EQ(taken[i].id, 3 - i) << "in the order of ports";
}

TEST(Send, SpendsItsCreditsAndGoesOnInTheCycleAfterOneComes) {
  nic::NicConfig config = small_config();
  config.network.router.depth = 3;
  LoneNic bench(config, 5);
  bench.auto_credit = false;
  send_at(bench, 10, {kEast, 0, 64, 1, 1});
  offer(bench, 1, kEast, 1, 0);
  for (const Cycle at : {40, 41, 50}) bench.give_credit(at, 0, 0);
  bench.run_until(100);
  std::vector<Cycle> cycles;
  for (const auto& i : bench.injected) cycles.push_back(i.cycle);
  EXPECT_EQ(cycles, (std::vector<Cycle>{11, 12, 13, 41, 42, 51}));
  EXPECT_LE(bench.steps, 16U) << "it sleeps without a credit";
  EXPECT_NE(bench.nic.describe_wait().find("message to 2,1 tag 1 (64 bytes), 6 of 10 flits sent\n"),
            std::string::npos);
}

/// The local virtual channels of which messages use all but the last one.
class LocalVcs : public ::testing::TestWithParam<bool> {
 protected:
  /// So many for messages, one more for control packets: a data VC, or the control VC.
  static nic::NicConfig config_of(int messages) {
    nic::NicConfig config = small_config();
    config.network.router.control_vc = GetParam();
    config.network.router.local_vcs = GetParam() ? messages : messages + 1;
    return config;
  }
};
INSTANTIATE_TEST_SUITE_P(WithControlVc, LocalVcs, ::testing::Bool(), test::ParameterName());

TEST_P(LocalVcs, AMessageTakesTheLowestWithACreditAndStaysOnIt) {
  nic::NicConfig config = config_of(2);
  config.network.router.depth = 2;
  LoneNic bench(config, 5);
  bench.auto_credit = false;
  send_at(bench, 10, {kEast, 0, 0, 1, 1});
  send_at(bench, 10, {kFarEast, 0, 8, 1, 2});
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

// With several virtual channels the last one is for control packets, which do not wait for the end
// of a message.
TEST_P(LocalVcs, ControlPacketsHaveOneOfTheirOwn) {
  LoneNic bench(config_of(1), 5);
  send_at(bench, 10, {kEast, 0, 32, 1, 1});           // eager, 6 flits: 11..18
  receive_at(bench, 12, {kFarEast, 0x100, 8, 1, 1});  // its offer: 13, 14
  send_at(bench, 20, {kFarEast, 0, 64, 1, 2});        // 21..30
  receive_at(bench, 20, {kEast, 0x108, 8, 1, 3});     // 21, 22, before it
  bench.run_until(100);
  std::vector<std::pair<Cycle, int>> found;
  for (const auto& i : bench.injected) found.emplace_back(i.cycle, i.flit.vc);
  std::vector<std::pair<Cycle, int>> expected;
  for (Cycle at = 11; at <= 18; ++at) expected.emplace_back(at, at == 13 || at == 14 ? 1 : 0);
  for (Cycle at = 21; at <= 32; ++at) expected.emplace_back(at, at <= 22 ? 1 : 0);
  EXPECT_EQ(found, expected);
}

// Each kind waits for credits of its own.
TEST_P(LocalVcs, AMessageWithoutCreditsLetsControlPacketsPass) {
  nic::NicConfig config = config_of(1);
  config.network.router.depth = 2;
  LoneNic bench(config, 5);
  bench.auto_credit = false;
  send_at(bench, 10, {kEast, 0, 32, 1, 1});  // 11, 12, then it waits
  receive_at(bench, 20, {kFarEast, 0x100, 8, 1, 1});
  receive_at(bench, 40, {kEast, 0x108, 8, 1, 3});
  bench.give_credit(50, 0, 0);
  bench.give_credit(60, 0, 1);
  bench.run_until(100);
  std::vector<std::pair<Cycle, int>> found;
  for (const auto& i : bench.injected) {
    if (i.local == 0) found.emplace_back(i.cycle, i.flit.vc);
  }
  const std::vector<std::pair<Cycle, int>> expected{{11, 0}, {12, 0}, {21, 1},
                                                    {22, 1}, {51, 0}, {61, 1}};
  EXPECT_EQ(found, expected);
  EXPECT_NE(bench.nic.describe_wait().find("control packet to 2,1, 1 of 2 flits sent; message to "
                                           "2,1 tag 1 (32 bytes), 3 of 6 flits sent\n"),
            std::string::npos)
      << bench.nic.describe_wait();
}

TEST(Send, KeepsAPacketThatHasNoCredit) {
  nic::NicConfig config = small_config();
  config.network.router.depth = 1;
  LoneNic bench(config, 5);
  bench.auto_credit = false;
  send_at(bench, 10, {kEast, 0, 0, 1, 1});  // head in 11, then waits
  receive_at(bench, 20, {kEast, 0, 8, 1, 1});
  receive_at(bench, 30, {kFarEast, 8, 8, 1, 2});
  for (const Cycle at : {40, 50, 60, 70, 80, 90}) bench.give_credit(at, 0, 0);
  bench.run_until(100);
  EXPECT_EQ(packets_of(bench),
            (Texts{"11 port 0 to 2,1 tag 1: eager 0 #0", "51 port 0 to 2,1 tag 1: offer 0",
                   "71 port 0 to 3,1 tag 1: offer 1"}));
}

TEST(Send, GathersBlocksThatLieApart) {
  LoneNic bench(small_config(), 5);
  for (std::uint32_t i = 0; i < 4; ++i) fill(bench.nic, 0x100 + 24 * i, 24);
  const auto byte = [](std::uint32_t i) { return std::uint64_t{(i % 24 * 7 + 1) & 0xff}; };
  SendOrder order{kEast, 0x100, 45, 1, 1};
  order.block = 16;
  order.stride = 24;
  send_at(bench, 10, order);
  offer(bench, 1, kEast, 1, 0);
  bench.run_until(50);
  ASSERT_EQ(bench.injected.size(), 2U + 6);
  for (std::uint32_t i = 0; i < 48; ++i) {
    const std::uint64_t found = bench.injected[2 + i / 8].flit.data >> i % 8 * 8 & 0xff;
    EXPECT_EQ(found, i < 45 ? byte(i / 16 * 24 + i % 16) : 0) << "byte " << i;
  }
}

TEST(Send, OfOneStrideAndBlockIsContiguous) {
  LoneNic bench(small_config(), 5);
  fill(bench.nic, 0x101, 64);
  SendOrder order{kEast, 0x101, 64, 0xbeef, 1};
  order.block = order.stride = 8;
  send_at(bench, 10, order);
  bench.run_until(50);
  expect_message(bench, 11, 64, make_header(3, 64, 0, 0));
}

TEST(Send, WorksWithOnePort) {
  nic::NicConfig config = small_config();
  config.network.router.local_ports = 1;
  LoneNic bench(config, 5);
  send_at(bench, 10, {kNorth, 0, 0, 1, 1});
  send_at(bench, 10, {kWest, 0, 0, 1, 2});
  bench.run_until(100);
  EXPECT_EQ(bench.injected.size(), 4U);
}

// ---- Start-up -----------------------------------------------------------------------------------

TEST(StartUp, IsPaidBySendsOneAfterTheOtherAndNotByControlPackets) {
  nic::NicConfig config = small_config();
  config.alpha = 20;
  LoneNic bench(config, 5);
  send_at(bench, 10, {kEast, 0, 0, 1, 1});   // u = 30
  send_at(bench, 10, {kWest, 0, 0, 1, 2});   // 50, at another port
  send_at(bench, 15, {kNorth, 0, 0, 1, 3});  // 70
  send_at(bench, 90, {kSouth, 0, 0, 1, 4});  // 110
  receive_at(bench, 12, {kSouth, 0, 8, 1, 1});
  bench.run_until(200);
  EXPECT_EQ(packets_of(bench),
            (Texts{"13 port 3 to 1,0 tag 1: offer 0",  //
                   "31 port 0 to 2,1 tag 1: eager 0 #0", "51 port 1 to 0,1 tag 1: eager 0 #0",
                   "71 port 2 to 1,2 tag 1: eager 0 #0", "111 port 3 to 1,0 tag 1: eager 0 #0"}));
  EXPECT_LE(bench.steps, 20U);
  EXPECT_EQ(bench.log[0], "10 posted 1");
}

TEST(StartUp, OfNothingAdmitsOneSendPerCycle) {
  LoneNic bench(small_config(), 5);
  for (const Address to : {kEast, kWest, kNorth}) send_at(bench, 10, {to, 0, 0, 1, 1});
  bench.run_until(50);
  EXPECT_EQ(packets_of(bench),
            (Texts{"11 port 0 to 2,1 tag 1: eager 0 #0", "12 port 1 to 0,1 tag 1: eager 0 #0",
                   "13 port 2 to 1,2 tag 1: eager 0 #0"}));
}

// ---- The own node -------------------------------------------------------------------------------

TEST(OwnNode, IsDeliveredWithinTheNicInAsManyCyclesAsItWouldHaveFlits) {
  LoneNic bench(small_config(), 5);
  fill(bench.nic, 0x100, 61);
  std::vector<Taken> taken;
  take_completions(*bench.script, taken);
  send_at(bench, 5, {kSelf, 0x100, 61, 4, 1});
  receive_at(bench, 9, {kSelf, 0x201, 64, 4, 2});
  bench.run_until(100);
  // 2 + 8 cycles, from 10 to 19, seen in 20; the receive comes first.
  EXPECT_EQ(taken, (std::vector<Taken>{{20, true, 2, 61}, {20, false, 1, 61}}));
  for (std::uint32_t i = 0; i < 64; ++i) {
    EXPECT_EQ(bench.nic.memory().load(0x201 + i, 1), i < 61 ? (i * 7 + 1) & 0xff : 0U);
  }
  EXPECT_TRUE(bench.injected.empty());
  EXPECT_EQ(bench.log, (Texts{"5 posted 4", "10 started 4 on 0", "19 sent 4", "19 received 4"}));
}

TEST(OwnNode, MatchesByTagInOrderAndLetsTagsOvertake) {
  LoneNic bench(small_config(), 5);
  std::vector<Taken> taken;
  take_completions(*bench.script, taken);
  send_at(bench, 0, {kSelf, 0, 8, 4, 1});
  send_at(bench, 0, {kSelf, 8, 0, 4, 2});
  send_at(bench, 0, {kSelf, 16, 16, 5, 3});
  receive_at(bench, 20, {kSelf, 0x100, 16, 5, 4});  // 21..24
  receive_at(bench, 20, {kSelf, 0x200, 8, 4, 5});   // 25..27
  receive_at(bench, 20, {kSelf, 0x300, 8, 4, 6});   // 28, 29
  receive_at(bench, 20, {kSelf, 0x400, 8, 9, 7});
  bench.run_until(100);
  EXPECT_EQ(taken, (std::vector<Taken>{{25, true, 4, 16},
                                       {25, false, 3, 16},
                                       {28, true, 5, 8},
                                       {28, false, 1, 8},
                                       {30, true, 6, 0},
                                       {30, false, 2, 0}}));
  EXPECT_EQ(bench.nic.describe_wait(),
            "receive 7 from 1,1 tag 9 (8 bytes): no send to the own node has its tag\nscript\n");
}

TEST(OwnNode, PaysNoStartUp) {
  nic::NicConfig config = small_config();
  config.alpha = 30;
  LoneNic bench(config, 5);
  std::vector<Taken> taken;
  take_completions(*bench.script, taken);
  send_at(bench, 5, {kSelf, 0, 0, 4, 1});
  receive_at(bench, 5, {kSelf, 0x100, 16, 4, 2});
  bench.run_until(100);
  EXPECT_EQ(taken, (std::vector<Taken>{{8, true, 2, 0}, {8, false, 1, 0}}));
}

TEST(OwnNode, DropsALongerMessageThanTheRoom) {
  LoneNic bench(small_config(), 5);
  fill(bench.nic, 0x100, 9);
  std::vector<Taken> taken;
  take_completions(*bench.script, taken);
  bench.script->at(20, [](Registers& r) { r.write(reg::kError, 0); });
  send_at(bench, 0, {kSelf, 0x100, 9, 4, 1});
  receive_at(bench, 0, {kSelf, 0x200, 8, 4, 2});
  bench.run_until(100);
  ASSERT_EQ(bench.failures.size(), 1U);
  EXPECT_EQ(bench.failures[0].cause, reg::ErrorCause::kTooLong);
  EXPECT_EQ(taken, (std::vector<Taken>{{5, true, 2, 9, true}, {5, false, 1, 9}}));
  EXPECT_EQ(bench.nic.memory().load(0x200, 8), 0U);
  EXPECT_EQ(bench.log, (Texts{"0 posted 4", "1 started 4 on 0", "4 sent 4"}));
}

}  // namespace
}  // namespace annelid::test
