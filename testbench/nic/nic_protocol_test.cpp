// Every transition of the protocol (docs/internals/nic/messages.md), from the wire: what node 5
// injects for what it is told to do and what arrives, in any order. Cycles are counted by hand:
// what a go in cycle t, or a header that is consumed in t, makes due is on the injection channel in
// t+1, and a packet whose head arrives in a has its header consumed in a+2.
#include <gtest/gtest.h>

#include "testbench/nic/node5.hpp"

namespace annelid::test {
namespace {

constexpr std::uint32_t kLong = 100;  // bytes: not eager; 15 flits

SendOrder long_send(std::uint16_t tag) { return {kEast, 0, kLong, tag, tag}; }
SendOrder short_send(std::uint16_t tag) { return {kEast, 0, 8, tag, tag}; }
/// Receives that do not overlap.
ReceiveOrder receive(std::uint16_t tag, std::uint16_t id, Address from = kEast) {
  return {from, 0x1000 + 0x100U * id, kLong, tag, id};
}

struct Protocol : ::testing::Test {
  LoneNic bench{small_config(), 5};
  Texts after(Cycle cycles) {
    bench.run_until(cycles);
    EXPECT_TRUE(bench.failures.empty()) << bench.failures[0].text;
    return packets_of(bench);
  }
};

// ---- Sender -------------------------------------------------------------------------------------

using Sender = Protocol;

TEST_F(Sender, KeepsAnOfferForItsSend) {
  offer(bench, 5, kEast, 1, 4);
  send_at(bench, 20, long_send(1));
  EXPECT_EQ(after(100), Texts{"21 port 0 to 2,1 tag 1: data 100 #0 place 4"});
}

TEST_F(Sender, GivesAnOfferThatItKeepsToAShortMessageToo) {
  offer(bench, 5, kEast, 1, 4);
  send_at(bench, 20, short_send(1));
  EXPECT_EQ(after(100), Texts{"21 port 0 to 2,1 tag 1: data 8 #0 place 4"});
}

TEST_F(Sender, ParksAKeptOfferForASendWithAnotherTagAndAsksForItWhenItsSendComes) {
  offer(bench, 5, kEast, 1, 4);
  send_at(bench, 20, long_send(2));
  send_at(bench, 30, long_send(1));
  send_at(bench, 40, long_send(3));
  offer(bench, 50, kEast, 2, 5);
  offer(bench, 100, kEast, 1, 4);
  EXPECT_EQ(after(200),
            (Texts{"21 port 0 to 2,1 tag 0: park 4",  //
                   "31 port 0 to 2,1 tag 0: ask", "53 port 0 to 2,1 tag 2: data 100 #0 place 5",
                   "103 port 0 to 2,1 tag 1: data 100 #1 place 4"}));
}

TEST_F(Sender, KeepsAnOfferWhileAShortMessageWithAnotherTagGoesEagerly) {
  offer(bench, 5, kEast, 1, 4);
  send_at(bench, 20, short_send(2));
  send_at(bench, 40, long_send(1));
  EXPECT_EQ(after(100), (Texts{"21 port 0 to 2,1 tag 2: eager 8 #0",
                               "41 port 0 to 2,1 tag 1: data 100 #1 place 4"}));
}

TEST_F(Sender, SendsAnOfferBackWhileOnlyOtherTagsWait) {
  send_at(bench, 0, long_send(2));
  offer(bench, 10, kEast, 1, 4);
  offer(bench, 20, kEast, 2, 5);
  send_at(bench, 40, long_send(1));
  send_at(bench, 50, long_send(3));
  EXPECT_EQ(after(100),
            (Texts{"13 port 0 to 2,1 tag 0: park 4", "23 port 0 to 2,1 tag 2: data 100 #0 place 5",
                   "41 port 0 to 2,1 tag 0: ask"}));
}

TEST_F(Sender, ParksOneOfferAndAsksForAnotherInOnePacket) {
  send_at(bench, 0, long_send(2));
  offer(bench, 10, kEast, 1, 4);  // sent back
  offer(bench, 20, kEast, 2, 5);
  offer(bench, 40, kEast, 3, 6);  // kept
  send_at(bench, 60, long_send(1));
  offer(bench, 70, kEast, 1, 4);
  send_at(bench, 100, long_send(3));  // 6 is wanted since 60
  EXPECT_EQ(after(150),
            (Texts{"13 port 0 to 2,1 tag 0: park 4", "23 port 0 to 2,1 tag 2: data 100 #0 place 5",
                   "61 port 0 to 2,1 tag 0: park 6 ask",
                   "73 port 0 to 2,1 tag 1: data 100 #1 place 4", "101 port 0 to 2,1 tag 0: ask"}));
}

TEST_F(Sender, GivesOffersOfATagToItsSendsInTheirOrderAndLetsTagsOvertake) {
  for (const std::uint16_t tag : {1, 1, 2}) send_at(bench, 0, long_send(tag));
  offer(bench, 10, kEast, 2, 7);
  offer(bench, 40, kEast, 1, 8);
  offer(bench, 70, kEast, 1, 9);
  EXPECT_EQ(after(150), (Texts{"13 port 0 to 2,1 tag 2: data 100 #2 place 7",
                               "43 port 0 to 2,1 tag 1: data 100 #0 place 8",
                               "73 port 0 to 2,1 tag 1: data 100 #1 place 9"}));
}

TEST_F(Sender, KeepsAnOfferOfEachPeer) {
  offer(bench, 5, kEast, 1, 4);
  offer(bench, 7, kFarEast, 1, 5);
  send_at(bench, 20, {kFarEast, 0, kLong, 1, 1});
  send_at(bench, 50, long_send(1));
  EXPECT_EQ(after(100), (Texts{"21 port 0 to 3,1 tag 1: data 100 #0 place 5",
                               "51 port 0 to 2,1 tag 1: data 100 #0 place 4"}));
}

TEST_F(Sender, HasOneEagerMessageUnderWayToAPeerAndNoneBehindAWaitingOneOfItsTag) {
  send_at(bench, 0, short_send(1));
  send_at(bench, 10, short_send(2));  // wait: the place is taken
  send_at(bench, 20, short_send(1));
  control(bench, 30, kEast, kFree, 0);  // gives nothing to those that wait already
  offer(bench, 40, kEast, 2, 3);
  send_at(bench, 60, short_send(1));  // behind the one of cycle 20
  send_at(bench, 70, short_send(3));
  offer(bench, 80, kEast, 1, 4);
  EXPECT_EQ(
      after(120),
      (Texts{"1 port 0 to 2,1 tag 1: eager 8 #0", "43 port 0 to 2,1 tag 2: data 8 #1 place 3",
             "71 port 0 to 2,1 tag 3: eager 8 #4", "83 port 0 to 2,1 tag 1: data 8 #2 place 4"}));
}

TEST_F(Sender, SendsBackAnOfferThatAnEagerMessageMayTakeAndAsksWhenThatIsDelivered) {
  send_at(bench, 0, short_send(1));
  offer(bench, 10, kEast, 1, 2);
  send_at(bench, 20, long_send(1));
  offer(bench, 30, kEast, 1, 2);
  control(bench, 40, kEast, kFree, 0);
  offer(bench, 50, kEast, 1, 2);
  EXPECT_EQ(after(100),
            (Texts{"1 port 0 to 2,1 tag 1: eager 8 #0", "13 port 0 to 2,1 tag 0: park 2",
                   "21 port 0 to 2,1 tag 0: ask", "33 port 0 to 2,1 tag 0: park 2",
                   "43 port 0 to 2,1 tag 0: ask", "53 port 0 to 2,1 tag 1: data 100 #1 place 2"}));
}

TEST_F(Sender, DoesNotAskWhenThePlaceIsFreedAndNoSendWaits) {
  send_at(bench, 0, short_send(1));
  offer(bench, 10, kEast, 1, 2);
  control(bench, 20, kEast, kFree, 0);
  send_at(bench, 30, short_send(1));
  control(bench, 40, kEast, kFree, 0);
  send_at(bench, 50, long_send(1));  // the offer of cycle 10 is still wanted
  EXPECT_EQ(after(100),
            (Texts{"1 port 0 to 2,1 tag 1: eager 8 #0", "13 port 0 to 2,1 tag 0: park 2",
                   "31 port 0 to 2,1 tag 1: eager 8 #1", "51 port 0 to 2,1 tag 0: ask"}));
}

TEST_F(Sender, TakesAnOfferOfAnotherTagThanTheEagerMessagesUnderWay) {
  send_at(bench, 0, short_send(1));
  send_at(bench, 10, long_send(2));
  offer(bench, 20, kEast, 2, 6);
  EXPECT_EQ(after(100), (Texts{"1 port 0 to 2,1 tag 1: eager 8 #0",
                               "23 port 0 to 2,1 tag 2: data 100 #1 place 6"}));
}

TEST_F(Sender, TakesTheFreeOfAPacketBeforeItsOffer) {
  send_at(bench, 0, short_send(1));
  send_at(bench, 10, long_send(1));
  control(bench, 30, kEast, kFree | kOffer, 1, 7);
  EXPECT_EQ(after(100), (Texts{"1 port 0 to 2,1 tag 1: eager 8 #0",
                               "33 port 0 to 2,1 tag 1: data 100 #1 place 7"}));
}

TEST(EagerLimit, IsTheLongestMessageThatDoesNotWait) {
  nic::NicConfig none = small_config(), some = small_config();
  none.eager_bytes = 0;
  some.eager_bytes = 24;
  LoneNic without(none, 5), with(some, 5);
  for (LoneNic* bench : {&without, &with}) {
    send_at(*bench, 0, {kEast, 0, 25, 1, 1});
    send_at(*bench, 10, {kEast, 0, 0, 2, 2});
    send_at(*bench, 10, {kWest, 0, 24, 3, 3});
    bench->run_until(100);
  }
  EXPECT_EQ(packets_of(without), Texts{});
  EXPECT_EQ(packets_of(with),
            (Texts{"11 port 0 to 2,1 tag 2: eager 0 #1", "12 port 1 to 0,1 tag 3: eager 24 #0"}));
}

// ---- Receiver -----------------------------------------------------------------------------------

using Receiver = Protocol;

TEST_F(Receiver, OffersOneReceiveOfASourceAtATimeTheNextWhenAMessageComes) {
  for (const std::uint16_t i : {1, 2, 3}) receive_at(bench, 0, receive(i, i));
  data(bench, 20, kEast, 1, 64, 0);
  data(bench, 50, kEast, 2, 64, 1);
  EXPECT_EQ(after(100),
            (Texts{"1 port 0 to 2,1 tag 1: offer 0",  //
                   "23 port 0 to 2,1 tag 2: offer 1", "53 port 0 to 2,1 tag 3: offer 2"}));
}

TEST_F(Receiver, OffersAParkedReceiveAgainOnlyWhenItIsAskedTo) {
  for (const std::uint16_t i : {1, 2}) receive_at(bench, 0, receive(i, i));
  control(bench, 10, kEast, kPark, 0, 0, 0);
  data(bench, 20, kEast, 2, 64, 1);
  control(bench, 60, kEast, kAsk, 0);
  EXPECT_EQ(after(100), (Texts{"1 port 0 to 2,1 tag 1: offer 0", "13 port 0 to 2,1 tag 2: offer 1",
                               "63 port 0 to 2,1 tag 1: offer 0"}));
}

TEST_F(Receiver, OffersAtOnceWhatIsParkedAfterTheAskThatOvertookThePark) {
  for (const std::uint16_t i : {1, 2}) receive_at(bench, 0, receive(i, i));
  control(bench, 10, kEast, kAsk, 0);
  control(bench, 20, kEast, kPark, 0, 0, 0);
  control(bench, 30, kEast, kPark, 0, 0, 0);  // the ask is used up
  EXPECT_EQ(after(100), (Texts{"1 port 0 to 2,1 tag 1: offer 0", "23 port 0 to 2,1 tag 1: offer 0",
                               "33 port 0 to 2,1 tag 2: offer 1"}));
}

TEST_F(Receiver, OffersOnceForAParkAndAnAskInOnePacket) {
  for (const std::uint16_t i : {1, 2}) receive_at(bench, 0, receive(i, i));
  control(bench, 10, kEast, kPark | kAsk, 0, 0, 0);
  control(bench, 20, kEast, kPark, 0, 0, 0);
  EXPECT_EQ(after(100), (Texts{"1 port 0 to 2,1 tag 1: offer 0", "13 port 0 to 2,1 tag 1: offer 0",
                               "23 port 0 to 2,1 tag 2: offer 1"}));
}

TEST_F(Receiver, ForgetsTheAskWhenTheOfferIsAnsweredByData) {
  for (const std::uint16_t i : {1, 2}) receive_at(bench, 0, receive(i, i));
  control(bench, 10, kEast, kAsk, 0);
  data(bench, 20, kEast, 1, 64, 0);
  control(bench, 40, kEast, kPark, 0, 0, 1);
  EXPECT_EQ(after(100),
            (Texts{"1 port 0 to 2,1 tag 1: offer 0", "23 port 0 to 2,1 tag 2: offer 1"}))
      << "it stays parked";
}

TEST_F(Receiver, DoesNotOfferAReceiveBehindAParkedOneOfItsTag) {
  receive_at(bench, 0, receive(1, 1));
  receive_at(bench, 0, receive(1, 2));
  receive_at(bench, 0, receive(2, 3));
  control(bench, 10, kEast, kPark, 0, 0, 0);
  data(bench, 20, kEast, 2, 64, 2);
  control(bench, 40, kEast, kAsk, 0);
  data(bench, 50, kEast, 1, 64, 0);
  EXPECT_EQ(after(100),
            (Texts{"1 port 0 to 2,1 tag 1: offer 0", "13 port 0 to 2,1 tag 2: offer 2",
                   "43 port 0 to 2,1 tag 1: offer 0", "53 port 0 to 2,1 tag 1: offer 1"}));
}

TEST_F(Receiver, OffersToEverySourceAtOnce) {
  receive_at(bench, 0, receive(1, 1));
  receive_at(bench, 0, receive(1, 2, kFarEast));
  receive_at(bench, 0, receive(1, 3, kNorth));
  EXPECT_EQ(after(100),
            (Texts{"1 port 0 to 2,1 tag 1: offer 0",  //
                   "1 port 2 to 1,2 tag 1: offer 2", "3 port 0 to 3,1 tag 1: offer 1"}));
}

// ---- Eager messages -----------------------------------------------------------------------------

struct EagerMessage : Protocol {
  EagerMessage() { take_completions(*bench.script, taken); }
  std::vector<Taken> taken;
};

TEST_F(EagerMessage, GoesDirectlyToAWaitingReceiveOfItsTag) {
  receive_at(bench, 0, receive(2, 1));                            // offered
  receive_at(bench, 0, receive(1, 2));                            // waits
  eager(bench, 10, kEast, 1, 16);                                 // 4 flits, consumed in 11..14
  EXPECT_EQ(after(100), (Texts{"1 port 0 to 2,1 tag 2: offer 0",  //
                               "13 port 0 to 2,1 tag 0: free"}));
  EXPECT_EQ(taken, (std::vector<Taken>{{15, true, 2, 16}}));
  expect_words(bench.nic, 0x1200, 16);
}

TEST_F(EagerMessage, GoesDirectlyToAParkedReceiveAndTheNextOfItsTagIsOffered) {
  receive_at(bench, 0, receive(1, 1));
  receive_at(bench, 0, receive(1, 2));
  control(bench, 10, kEast, kPark, 0, 0, 0);
  eager(bench, 20, kEast, 1, 16);
  EXPECT_EQ(after(100),
            (Texts{"1 port 0 to 2,1 tag 1: offer 0", "23 port 0 to 2,1 tag 1: free offer 1"}));
  EXPECT_EQ(taken, (std::vector<Taken>{{25, true, 1, 16}}));
}

TEST_F(EagerMessage, WaitsInItsPlaceUntilItsReceiveIsPosted) {
  eager(bench, 10, kEast, 1, 16);
  receive_at(bench, 20, receive(2, 1));
  receive_at(bench, 30, receive(1, 2));                            // delivered in 31..34
  EXPECT_EQ(after(100), (Texts{"21 port 0 to 2,1 tag 2: offer 0",  //
                               "35 port 0 to 2,1 tag 0: free"}));
  EXPECT_EQ(taken, (std::vector<Taken>{{35, true, 2, 16}}));
  expect_words(bench.nic, 0x1200, 16);
}

TEST_F(EagerMessage, IsDeliveredWhenItsTailHasComeIfItsReceiveIsPostedBefore) {
  eager(bench, 10, kEast, 1, 64);        // 10 flits, consumed in 11..20
  receive_at(bench, 15, receive(1, 1));  // delivered in 21..30
  EXPECT_EQ(after(100), Texts{"31 port 0 to 2,1 tag 0: free"});
  EXPECT_EQ(taken, (std::vector<Taken>{{31, true, 1, 64}}));
  expect_words(bench.nic, 0x1100, 64);
}

TEST_F(EagerMessage, WaitsForTheAnswerToAnOfferOfItsTagAndIsDeliveredIfThatIsSentBack) {
  receive_at(bench, 0, receive(1, 1));
  eager(bench, 10, kEast, 1, 8);
  control(bench, 20, kEast, kPark, 0, 0, 0);                      // delivered in 23..25
  EXPECT_EQ(after(100), (Texts{"1 port 0 to 2,1 tag 1: offer 0",  //
                               "26 port 0 to 2,1 tag 0: free"}));
  EXPECT_EQ(taken, (std::vector<Taken>{{26, true, 1, 8}}));
}

TEST_F(EagerMessage, GoesToTheNextReceiveIfTheOfferIsAnsweredByAnOlderMessage) {
  receive_at(bench, 0, receive(1, 1));
  receive_at(bench, 0, receive(1, 2));
  eager(bench, 10, kEast, 1, 8);
  data(bench, 20, kEast, 1, 64, 0);  // 10 flits, consumed in 21..30; delivery in 23..25
  EXPECT_EQ(after(100), (Texts{"1 port 0 to 2,1 tag 1: offer 0",  //
                               "26 port 0 to 2,1 tag 0: free"}));
  EXPECT_EQ(taken, (std::vector<Taken>{{26, true, 2, 8}, {31, true, 1, 64}}));
}

TEST_F(EagerMessage, IsMatchedWithOneReceiveOnly) {
  eager(bench, 10, kEast, 1, 64);
  receive_at(bench, 30, receive(1, 1));  // delivered in 31..40
  receive_at(bench, 32, receive(1, 2));
  EXPECT_EQ(after(100), (Texts{"33 port 0 to 2,1 tag 1: offer 1",  //
                               "41 port 0 to 2,1 tag 0: free"}));
  EXPECT_EQ(taken, (std::vector<Taken>{{41, true, 1, 64}}));
}

TEST_F(EagerMessage, DoesNotHoldOtherTagsUp) {
  eager(bench, 10, kEast, 1, 16);
  receive_at(bench, 20, receive(2, 1));
  data(bench, 30, kEast, 2, 64, 0);
  EXPECT_EQ(after(100), Texts{"21 port 0 to 2,1 tag 2: offer 0"});
  EXPECT_EQ(taken, (std::vector<Taken>{{41, true, 1, 64}}));
  EXPECT_FALSE(bench.nic.idle());
  EXPECT_EQ(bench.nic.describe_wait(),
            "eager message from 2,1 tag 1 (16 bytes): no receive for it\nscript\n");
}

TEST_F(EagerMessage, OfEachPeerHasAPlaceAndTheyAreDeliveredOneAfterTheOther) {
  eager(bench, 10, kEast, 1, 16);
  eager(bench, 10, kWest, 1, 16, 1);
  receive_at(bench, 30, receive(1, 1, kWest));
  receive_at(bench, 30, receive(1, 2, kEast));
  EXPECT_EQ(after(100), (Texts{"35 port 1 to 0,1 tag 0: free",  //
                               "39 port 0 to 2,1 tag 0: free"}));
  EXPECT_EQ(taken, (std::vector<Taken>{{35, true, 1, 16}, {39, true, 2, 16}}));
}

// ---- The control queue --------------------------------------------------------------------------

TEST_F(Protocol, APacketSaysAllThatIsDueForAPeerWhenItLeaves) {
  offer(bench, 1, kFarEast, 9, 3);
  send_at(bench, 5, {kFarEast, 0, kLong, 9, 9});  // 15 flits, in 6..20
  receive_at(bench, 8, receive(2, 1));
  receive_at(bench, 8, receive(1, 2));
  eager(bench, 9, kEast, 1, 16);
  send_at(bench, 12, long_send(4));  // waits
  EXPECT_EQ(after(100), (Texts{"6 port 0 to 3,1 tag 9: data 100 #0 place 3",
                               "21 port 0 to 2,1 tag 2: free offer 0"}));
}

TEST_F(Protocol, ControlPacketsGoBeforeMessagesThatAreReady) {
  offer(bench, 1, kFarEast, 9, 3);
  offer(bench, 3, kEast, 8, 3);
  send_at(bench, 10, {kFarEast, 0, kLong, 9, 9});  // in 11..25
  send_at(bench, 11, long_send(8));                // ready from 12 on
  receive_at(bench, 15, receive(1, 1, kFarEast));
  EXPECT_EQ(after(100),
            (Texts{"11 port 0 to 3,1 tag 9: data 100 #0 place 3", "26 port 0 to 3,1 tag 1: offer 0",
                   "28 port 0 to 2,1 tag 8: data 100 #0 place 3"}));
}

TEST_F(Protocol, WhatBecomesDueInACycleLeavesInTheNext) {
  receive_at(bench, 10, receive(1, 1));            // queued in 10, leaves in 11
  receive_at(bench, 11, receive(1, 2, kFarEast));  // queued in 11, the port is busy in 12
  receive_at(bench, 12, receive(1, 3, kWest));
  EXPECT_EQ(after(100), (Texts{"11 port 0 to 2,1 tag 1: offer 0", "13 port 0 to 3,1 tag 1: offer 1",
                               "13 port 1 to 0,1 tag 1: offer 2"}));
}

}  // namespace
}  // namespace annelid::test
