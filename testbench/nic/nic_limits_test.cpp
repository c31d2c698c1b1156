// What the parameters of a NIC cost: gamma, limited memory, half duplex
// (docs/internals/nic/registers.md and engines.md). A message whose head arrives in a has its data
// consumed from a+3 on; a send whose go is in s injects its data from s+3 on.
#include <gtest/gtest.h>

#include <map>

#include "testbench/nic/node5.hpp"

namespace annelid::test {
namespace {

/// The cycles in which a port's flits were injected.
std::vector<Cycle> injections(const LoneNic& bench, int local) {
  std::vector<Cycle> cycles;
  for (const auto& i : bench.injected) {
    if (i.local == local) cycles.push_back(i.cycle);
  }
  return cycles;
}
/// The cycles in which a port's flits were consumed.
std::vector<Cycle> consumptions(const LoneNic& bench, int local) {
  std::vector<Cycle> cycles;
  for (const auto& c : bench.credits) {
    if (c.local == local) cycles.push_back(c.cycle);
  }
  return cycles;
}
std::vector<Cycle> cycles(Cycle first, Cycle last) {
  std::vector<Cycle> all;
  for (Cycle c = first; c <= last; ++c) all.push_back(c);
  return all;
}

// ---- Gamma --------------------------------------------------------------------------------------

TEST(Gamma, DelaysTheCompletionOfReceivesAndNothingElse) {
  nic::NicConfig config = small_config();
  config.gamma = 25;
  LoneNic bench(config, 5);
  std::vector<Taken> taken;
  take_completions(*bench.script, taken);
  for (std::uint16_t i = 0; i < 2; ++i) receive_at(bench, 0, {kEast, 0x100U * i, 64, 1, i});
  data(bench, 20, kEast, 1, 64, 0);  // consumed in 21..30
  send_at(bench, 20, {kWest, 0x800, 0, 1, 9});
  send_at(bench, 100, {kSelf, 0x800, 0, 1, 7});
  receive_at(bench, 100, {kSelf, 0x900, 8, 1, 8});  // delivered in 101, 102
  bench.run_until(200);
  EXPECT_EQ(packets_of(bench),
            (Texts{"1 port 0 to 2,1 tag 1: offer 0", "21 port 1 to 0,1 tag 1: eager 0 #0",
                   "23 port 0 to 2,1 tag 1: offer 1"}));
  EXPECT_EQ(taken, (std::vector<Taken>{{23, false, 9, 0},
                                       {30 + 25 + 1, true, 0, 64},
                                       {103, false, 7, 0},
                                       {102 + 25 + 1, true, 8, 0}}));
  expect_words(bench.nic, 0, 64);
  EXPECT_LE(bench.steps, 40U);
  EXPECT_EQ(bench.log[3], "55 received 1");
}

TEST(Gamma, LetsReceivesOfOneCycleCompleteByAge) {
  nic::NicConfig config = small_config();
  config.gamma = 9;
  LoneNic bench(config, 5);
  std::vector<Taken> taken;
  take_completions(*bench.script, taken);
  const Address from[] = {kEast, kWest, kNorth, kSouth};
  for (std::uint16_t i = 0; i < 4; ++i) {
    receive_at(bench, 0, {from[i], 0x100U * i, 64, 1, i});
    data(bench, 20, from[i], 1, 8, i, 3 - i);  // consumed in 21..23
  }
  bench.run_until(100);
  EXPECT_EQ(taken, (std::vector<Taken>{
                       {33, true, 0, 8}, {33, true, 1, 8}, {33, true, 2, 8}, {33, true, 3, 8}}));
}

// ---- Limited memory -----------------------------------------------------------------------------

/// A send of 13 data flits from 13 on, and a message of 8 data flits from 13 on.
struct Traffic {
  explicit Traffic(std::uint32_t memory_flits) : bench(config(memory_flits), 5) {
    send_at(bench, 10, {kEast, 0x800, 100, 1, 1});
    offer(bench, 1, kEast, 1, 0);
    receive_at(bench, 0, {kWest, 0x100, 64, 2, 2});
    data(bench, 10, kWest, 2, 64, 0, 1);
  }
  static nic::NicConfig config(std::uint32_t memory_flits) {
    nic::NicConfig config = small_config();
    config.memory_flits = memory_flits;
    config.network.router.depth = 16;
    return config;
  }
  LoneNic bench;
};

TEST(LimitedMemory, LetsReceiveEnginesGoFirst) {
  Traffic one(1), two(2), unlimited(0);
  for (LoneNic* bench : {&one.bench, &two.bench, &unlimited.bench}) {
    bench->run_until(100);
    expect_words(bench->nic, 0x100, 64);
  }
  EXPECT_EQ(consumptions(one.bench, 1), cycles(11, 20));
  std::vector<Cycle> sent = cycles(21, 33);
  sent.insert(sent.begin(), {11, 12});  // the head and the header need no memory
  EXPECT_EQ(injections(one.bench, 0), sent);
  for (LoneNic* bench : {&two.bench, &unlimited.bench}) {
    EXPECT_EQ(consumptions(*bench, 1), cycles(11, 20));
    EXPECT_EQ(injections(*bench, 0), cycles(11, 25));
  }
}

TEST(LimitedMemory, IsSharedInTurnByTheReceiveEnginesAndByTheSendEngines) {
  nic::NicConfig config = small_config();
  config.memory_flits = 1;
  config.network.router.depth = 16;
  config.network.router.local_ports = 2;  // +x, +y: 0; -x, -y: 1
  LoneNic receiver(config, 5), sender(config, 5);
  receive_at(receiver, 0, {kEast, 0x100, 32, 1, 1});
  receive_at(receiver, 0, {kWest, 0x200, 32, 1, 2});
  data(receiver, 20, kEast, 1, 32, 0, 0);  // 4 data flits, at the buffers' fronts from 23 on
  data(receiver, 20, kWest, 1, 32, 1, 1);
  receiver.run_until(100);
  EXPECT_EQ(consumptions(receiver, 0), (std::vector<Cycle>{21, 22, 24, 26, 28, 30}));
  EXPECT_EQ(consumptions(receiver, 1), (std::vector<Cycle>{21, 22, 23, 25, 27, 29}));

  send_at(sender, 20, {kEast, 0x100, 32, 1, 1});
  send_at(sender, 20, {kWest, 0x200, 32, 1, 2});  // admitted in 21
  sender.run_until(100);
  EXPECT_EQ(injections(sender, 0), (std::vector<Cycle>{21, 22, 23, 24, 26, 28}));
  EXPECT_EQ(injections(sender, 1), (std::vector<Cycle>{22, 23, 25, 27, 29, 30}));
}

TEST(LimitedMemory, LetsDeliveriesGoBeforeSends) {
  nic::NicConfig config = small_config();
  config.memory_flits = 1;
  LoneNic bench(config, 5);
  std::vector<Taken> taken;
  take_completions(*bench.script, taken);
  send_at(bench, 10, {kEast, 0x800, 64, 1, 1});  // data in 13..20, were it alone
  send_at(bench, 11, {kSelf, 0x900, 32, 1, 2});  // 12..17, data in 14..17
  receive_at(bench, 11, {kSelf, 0x100, 32, 1, 3});
  bench.run_until(100);
  EXPECT_EQ(injections(bench, 0), (std::vector<Cycle>{11, 12, 13, 18, 19, 20, 21, 22, 23, 24}));
  EXPECT_EQ(taken[0], (Taken{18, true, 3, 32}));
}

TEST(LimitedMemory, MakesADeliveryWaitForReceiveEnginesAndCountsNoFlitOfTheEagerPlace) {
  nic::NicConfig config = small_config();
  config.memory_flits = 1;
  LoneNic to_memory(config, 5), to_place(config, 5);
  for (LoneNic* bench : {&to_memory, &to_place}) {
    const bool is_place = bench == &to_place;
    std::vector<Taken> taken;
    take_completions(*bench->script, taken);
    if (!is_place) receive_at(*bench, 0, {kWest, 0x100, 64, 2, 2});
    if (!is_place) data(*bench, 10, kWest, 2, 64, 0, 1);  // data consumed in 13..20
    if (is_place) eager(*bench, 10, kWest, 2, 64, 1);
    send_at(*bench, 10, {kSelf, 0x900, 24, 1, 1});  // 11..15, data in 13..15
    receive_at(*bench, 10, {kSelf, 0x200, 24, 1, 3});
    bench->run_until(100);
    EXPECT_EQ(consumptions(*bench, 1), cycles(11, 20));
    const Cycle delivered = is_place ? 15 : 23;
    const auto found = std::ranges::find(taken, Taken{delivered + 1, true, 3, 24});
    EXPECT_TRUE(found != taken.end());
  }
}

TEST(LimitedMemory, HoldsAVirtualChannelAndLeavesTheRoundRobinPointer) {
  nic::NicConfig config = small_config();
  config.memory_flits = 1;
  config.network.router.depth = 16;
  config.network.router.local_ports = 2;
  config.network.router.local_vcs = 2;
  LoneNic bench(config, 5);
  receive_at(bench, 0, {kEast, 0x100, 32, 1, 1});
  receive_at(bench, 0, {kNorth, 0x200, 32, 1, 2});
  receive_at(bench, 0, {kWest, 0x300, 128, 1, 3});
  const auto first = make_packet(kSelf, kEast, 1, make_header(1, 32, 0, 0), words(32), 0);
  const auto second = make_packet(kSelf, kNorth, 1, make_header(1, 32, 0, 1), words(32), 1);
  for (std::size_t i = 0; i < 6; ++i) {
    const Cycle at = i < 2 ? 20 + i : 28 + i;  // heads and headers first
    bench.arrive(at, 0, first[i]);             // data in 30..33
    bench.arrive(i < 2 ? at + 4 : at + 4, 0, second[i]);
  }
  data(bench, 27, kWest, 1, 128, 2, 1);  // data in 29..44
  bench.run_until(100);
  EXPECT_TRUE(bench.failures.empty());
  // Engine 1 has the odd cycles, engine 0 the even ones: VC 0, VC 0 (VC 1 is empty yet), then in
  // turn.
  std::vector<std::pair<Cycle, int>> found, expected;
  for (const auto& c : bench.credits) {
    if (c.local == 0 && c.cycle > 30) found.emplace_back(c.cycle, c.vc);
  }
  expected = {{32, 0}, {34, 0}, {36, 1}, {38, 0}, {40, 1}, {42, 0}, {44, 1}, {46, 1}};
  EXPECT_EQ(found, expected);
}

// ---- Half duplex --------------------------------------------------------------------------------

TEST(HalfDuplex, APortDoesNotInjectWhileItConsumes) {
  nic::NicConfig config = small_config();
  config.half_duplex = true;
  LoneNic bench(config, 5);
  receive_at(bench, 0, {kFarEast, 0x100, 64, 1, 1});
  receive_at(bench, 0, {kSouth, 0x200, 64, 1, 2});
  send_at(bench, 10, {kEast, 0x800, 64, 1, 1});
  send_at(bench, 9, {kWest, 0x800, 64, 1, 1});  // at another port, not held up
  data(bench, 12, kFarEast, 1, 32, 0);          // consumed in 13..18, at port 0
  data(bench, 12, kSouth, 1, 32, 1, 3);
  bench.run_until(100);
  EXPECT_EQ(injections(bench, 0),
            (std::vector<Cycle>{1, 2, 11, 12, 19, 20, 21, 22, 23, 24, 25, 26}));
  EXPECT_EQ(injections(bench, 1), cycles(10, 19));
  EXPECT_EQ(consumptions(bench, 0), cycles(13, 18));
}

TEST(HalfDuplex, HoldsControlPacketsUpToo) {
  nic::NicConfig config = small_config();
  config.half_duplex = true;
  LoneNic bench(config, 5);
  receive_at(bench, 0, {kFarEast, 0x100, 64, 1, 1});
  data(bench, 12, kFarEast, 1, 32, 0);  // consumed in 13..18
  receive_at(bench, 13, {kEast, 0x200, 8, 1, 2});
  receive_at(bench, 16, {kFarEast, 0x300, 8, 1, 3});
  bench.run_until(100);
  EXPECT_EQ(packets_of(bench),
            (Texts{"1 port 0 to 3,1 tag 1: offer 0", "19 port 0 to 2,1 tag 1: offer 1",
                   "21 port 0 to 3,1 tag 1: offer 2"}));
}

void expect_full_duplex(std::uint32_t memory_flits) {
  nic::NicConfig config = small_config();
  config.memory_flits = memory_flits;
  LoneNic bench(config, 5);
  receive_at(bench, 0, {kFarEast, 0x100, 64, 1, 1});
  send_at(bench, 10, {kEast, 0x800, 64, 1, 1});
  data(bench, 12, kFarEast, 1, 32, 0);
  bench.run_until(100);
  EXPECT_EQ(injections(bench, 0),
            (std::vector<Cycle>{1, 2, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20}));
}

TEST(FullDuplex, APortInjectsWhileItConsumes) { expect_full_duplex(0); }

TEST(FullDuplex, APortInjectsWhileItConsumesIfMemoryLetsBothPass) { expect_full_duplex(2); }

}  // namespace
}  // namespace annelid::test
