// Receives in turn: offered one after the other, in the order of posting
// (docs/internals/nic/messages.md). The test is the network around node 5 = (1,1) of a 4x4 mesh.
#include <gtest/gtest.h>

#include "testbench/nic/node5.hpp"

namespace annelid::test {
namespace {

ReceiveOrder in_turn(Address from, std::uint16_t tag, std::uint16_t id) {
  ReceiveOrder order{from, 64U * id, 64, tag, id};
  order.in_turn = true;
  return order;
}
ReceiveOrder at_once(Address from, std::uint16_t tag, std::uint16_t id) {
  return {from, 64U * id, 64, tag, id};
}

TEST(InTurn, AnOfferGoesInTheCycleAfterTheMessageBeforeItsHeader) {
  LoneNic bench(small_config(), 5);
  std::vector<Taken> taken;
  take_completions(*bench.script, taken);
  receive_at(bench, 0, in_turn(kEast, 7, 0));
  receive_at(bench, 0, in_turn(kNorth, 7, 1));
  receive_at(bench, 0, in_turn(kWest, 7, 2));
  data(bench, 20, kEast, 7, 64, 0);
  data(bench, 50, kNorth, 7, 64, 1);
  bench.run_until(45);
  EXPECT_EQ(bench.nic.describe_wait(),
            "receive 1 from 1,2 tag 7 (64 bytes): offered, nothing has arrived\n"
            "receive 2 from 0,1 tag 7 (64 bytes): in turn behind receive 1\nscript\n");
  bench.run_until(100);
  EXPECT_EQ(packets_of(bench), (Texts{"1 port 0 to 2,1 tag 7: offer 0",   //
                                      "23 port 2 to 1,2 tag 7: offer 1",  //
                                      "53 port 1 to 0,1 tag 7: offer 2"}));
  EXPECT_EQ(taken, (std::vector<Taken>{{31, true, 0, 64}, {61, true, 1, 64}}));
}

TEST(InTurn, OtherTagsAndReceivesThatAreNotInTurnDoNotWait) {
  LoneNic bench(small_config(), 5);
  receive_at(bench, 0, in_turn(kEast, 7, 0));
  receive_at(bench, 0, in_turn(kNorth, 8, 1));
  receive_at(bench, 0, at_once(kWest, 7, 2));
  receive_at(bench, 0, in_turn(kSouth, 7, 3));
  bench.run_until(50);
  EXPECT_EQ(packets_of(bench),
            (Texts{"1 port 0 to 2,1 tag 7: offer 0",  //
                   "1 port 1 to 0,1 tag 7: offer 2", "1 port 2 to 1,2 tag 8: offer 1"}));
}

TEST(InTurn, AHeldReceiveIsOvertakenByOtherTagsOfItsSourceOnly) {
  LoneNic bench(small_config(), 5);
  receive_at(bench, 0, in_turn(kEast, 7, 0));
  receive_at(bench, 0, in_turn(kNorth, 7, 1));
  receive_at(bench, 0, at_once(kNorth, 7, 2));
  receive_at(bench, 0, at_once(kNorth, 8, 3));
  data(bench, 20, kNorth, 8, 64, 3);
  data(bench, 40, kEast, 7, 64, 0);
  data(bench, 60, kNorth, 7, 64, 1);
  bench.run_until(100);
  EXPECT_TRUE(bench.failures.empty());
  EXPECT_EQ(packets_of(bench),
            (Texts{"1 port 0 to 2,1 tag 7: offer 0", "1 port 2 to 1,2 tag 8: offer 3",
                   "43 port 2 to 1,2 tag 7: offer 1", "63 port 2 to 1,2 tag 7: offer 2"}));
}

TEST(InTurn, WhatWasSentBackKeepsItsTurn) {
  LoneNic bench(small_config(), 5);
  receive_at(bench, 0, in_turn(kEast, 7, 0));
  receive_at(bench, 0, in_turn(kNorth, 7, 1));
  control(bench, 20, kEast, kPark, 0, 0, 0);
  control(bench, 40, kEast, kAsk, 0);
  data(bench, 60, kEast, 7, 64, 0);
  bench.run_until(100);
  EXPECT_TRUE(bench.failures.empty());
  EXPECT_EQ(packets_of(bench),
            (Texts{"1 port 0 to 2,1 tag 7: offer 0", "43 port 0 to 2,1 tag 7: offer 0",
                   "63 port 2 to 1,2 tag 7: offer 1"}));
}

TEST(InTurn, AnEagerMessageComesOutOfTurn) {
  nic::NicConfig config = small_config();
  config.eager_bytes = 64;
  LoneNic bench(config, 5);
  std::vector<Taken> taken;
  take_completions(*bench.script, taken);
  receive_at(bench, 0, in_turn(kEast, 7, 0));
  receive_at(bench, 0, in_turn(kNorth, 7, 1));
  receive_at(bench, 0, in_turn(kWest, 7, 2));
  eager(bench, 20, kNorth, 7, 64);
  data(bench, 40, kEast, 7, 64, 0);
  bench.run_until(100);
  EXPECT_TRUE(bench.failures.empty());
  EXPECT_EQ(packets_of(bench),
            (Texts{"1 port 0 to 2,1 tag 7: offer 0", "23 port 2 to 1,2 tag 0: free",
                   "43 port 1 to 0,1 tag 7: offer 2"}));
  EXPECT_EQ(taken, (std::vector<Taken>{{31, true, 1, 64}, {51, true, 0, 64}}));
}

TEST(InTurn, TheOwnNodesMessagePassesTheTurnOnWhenItIsMatched) {
  LoneNic bench(small_config(), 5);
  receive_at(bench, 0, in_turn(kSelf, 7, 0));
  receive_at(bench, 0, in_turn(kNorth, 7, 1));
  send_at(bench, 20, {kSelf, 0x200, 64, 7, 5});
  bench.run_until(100);
  EXPECT_TRUE(bench.failures.empty());
  EXPECT_EQ(packets_of(bench), Texts{"21 port 2 to 1,2 tag 7: offer 1"});
}

// Receives of two sources fill all places; each waits for the one before, to the last.
TEST(InTurn, SixtyFourReceivesComeInTheOrderOfPosting) {
  LoneNic bench(small_config(), 5);
  std::vector<Taken> taken;
  take_completions(*bench.script, taken);
  Texts expected;
  for (std::uint16_t i = 0; i < 64; ++i) {
    const bool east = i % 3 != 0;
    receive_at(bench, i, in_turn(east ? kEast : kNorth, 7, i));
    const Cycle at = 100 + 20 * i;
    data(bench, at, east ? kEast : kNorth, 7, 64, i);
    const Cycle offered = i == 0 ? 1 : at - 20 + 3;
    expected.push_back(std::to_string(offered) + (east ? " port 0 to 2,1" : " port 2 to 1,2") +
                       " tag 7: offer " + std::to_string(i));
  }
  bench.run_until(2000);
  EXPECT_TRUE(bench.failures.empty());
  EXPECT_EQ(packets_of(bench), expected);
  EXPECT_EQ(taken.size(), 64U);
}

}  // namespace
}  // namespace annelid::test
