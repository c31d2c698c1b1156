// Open messages: the sender requests, the receiver grants (docs/internals/nic/open-messages.md).
// The test is the network around node 5 = (1,1) of a 4x4 mesh.
#include <gtest/gtest.h>

#include "testbench/nic/node5.hpp"

namespace annelid::test {
namespace {

SendOrder open_send(Address to, std::uint16_t tag, std::uint16_t id) {
  SendOrder order{to, 64U * id, 64, tag, id};
  order.open = true;
  return order;
}
ReceiveOrder open_receive(Address from, std::uint16_t tag, std::uint16_t id) {
  ReceiveOrder order{from, 0x1000 + 64U * id, 64, tag, id};
  order.open = true;
  return order;
}
ReceiveOrder any(std::uint16_t id) {
  ReceiveOrder order = open_receive({}, 0, id);
  order.any_source = order.any_tag = true;
  return order;
}
ReceiveOrder any_source(std::uint16_t tag, std::uint16_t id) {
  ReceiveOrder order = open_receive({}, tag, id);
  order.any_source = true;
  return order;
}
ReceiveOrder any_tag(Address from, std::uint16_t id) {
  ReceiveOrder order = open_receive(from, 0, id);
  order.any_tag = true;
  return order;
}

// ---- The sender ---------------------------------------------------------------------------------

TEST(OpenSend, RequestsAndIsReadyInTheCycleOfTheGrant) {
  LoneNic bench(small_config(), 5);
  std::vector<Taken> taken;
  take_completions(*bench.script, taken);
  send_at(bench, 10, open_send(kEast, 7, 1));
  grant(bench, 20, kEast, 9);  // its tail is consumed in 22
  bench.run_until(100);
  EXPECT_TRUE(bench.failures.empty());
  EXPECT_EQ(packets_of(bench), (Texts{"11 port 0 to 2,1 tag 0: request 7",
                                      "23 port 0 to 2,1 tag 7: data 64 #0 place 9"}));
  EXPECT_EQ(taken, (std::vector<Taken>{{33, false, 1, 64}}));
}

TEST(OpenSend, OneRequestOfAPairIsUnderWayWhateverTheTags) {
  LoneNic bench(small_config(), 5);
  send_at(bench, 10, open_send(kEast, 7, 1));
  send_at(bench, 15, open_send(kEast, 8, 2));
  send_at(bench, 12, open_send(kNorth, 9, 3));
  bench.run_until(40);
  EXPECT_EQ(bench.nic.describe_wait(),
            "open send 1 to 2,1 tag 7 (64 bytes) on port 0: requested, and no receive there takes "
            "it\n"
            "open send 3 to 1,2 tag 9 (64 bytes) on port 2: requested, and no receive there takes "
            "it\n"
            "open send 2 to 2,1 tag 8 (64 bytes) on port 0: behind another open one to that node\n"
            "script\n");
  grant(bench, 50, kEast, 3);
  bench.run_until(100);
  EXPECT_TRUE(bench.failures.empty());
  EXPECT_EQ(
      packets_of(bench),
      (Texts{"11 port 0 to 2,1 tag 0: request 7", "13 port 2 to 1,2 tag 0: request 9",
             "53 port 0 to 2,1 tag 0: request 8", "55 port 0 to 2,1 tag 7: data 64 #0 place 3"}));
}

TEST(OpenSend, TakesNoOfferAndNoEagerPlace) {
  nic::NicConfig config = small_config();
  config.eager_bytes = 64;
  LoneNic bench(config, 5);
  offer(bench, 0, kEast, 7, 4);
  send_at(bench, 10, open_send(kEast, 7, 1));
  send_at(bench, 20, {kEast, 0x200, 64, 7, 2});
  send_at(bench, 40, {kEast, 0x200, 64, 7, 3});
  bench.run_until(60);
  EXPECT_TRUE(bench.failures.empty());
  EXPECT_EQ(packets_of(bench), (Texts{"11 port 0 to 2,1 tag 0: request 7",
                                      "21 port 0 to 2,1 tag 7: data 64 #1 place 4",
                                      "41 port 0 to 2,1 tag 7: eager 64 #2"}));
}

// ---- The receiver -------------------------------------------------------------------------------

TEST(OpenReceive, IsGrantedToARequestThatComesLater) {
  LoneNic bench(small_config(), 5);
  std::vector<Taken> taken;
  take_completions(*bench.script, taken);
  receive_at(bench, 0, any(1));
  bench.run_until(10);
  EXPECT_EQ(bench.nic.describe_wait(),
            "open receive 1 from any node, any tag (64 bytes): no node has requested it\nscript\n");
  EXPECT_TRUE(bench.nic.waits_for_any());
  EXPECT_TRUE(bench.nic.peer_waits().empty());
  request(bench, 10, kEast, 7);  // its tail is consumed in 12
  data(bench, 30, kEast, 7, 64, 0);
  bench.run_until(25);
  EXPECT_FALSE(bench.nic.waits_for_any());
  EXPECT_EQ(bench.nic.describe_wait(),
            "receive 1 from 2,1 tag 7 (64 bytes): granted, nothing has arrived\nscript\n");
  bench.run_until(100);
  EXPECT_TRUE(bench.failures.empty());
  EXPECT_EQ(packets_of(bench), Texts{"13 port 0 to 2,1 tag 0: grant 0"});
  EXPECT_EQ(taken, (std::vector<Taken>{{41, true, 1, 64}}));
  EXPECT_EQ(bench.nic.read(reg::kCompletionNode), pack(kEast));
  EXPECT_EQ(bench.nic.read(reg::kCompletionTag), 7U);
  expect_words(bench.nic, 0x1040, 64);
  EXPECT_TRUE(bench.nic.idle());
}

TEST(OpenReceive, TakesTheRequestThatCameFirst) {
  LoneNic bench(small_config(), 5);
  request(bench, 10, kNorth, 5);
  request(bench, 20, kEast, 7);
  request(bench, 30, kSouth, 5);
  receive_at(bench, 40, any(0));
  receive_at(bench, 50, any(1));
  receive_at(bench, 60, any(2));
  bench.run_until(40);
  EXPECT_FALSE(bench.nic.idle());
  EXPECT_EQ(bench.nic.describe_wait(),
            "request of 1,2 tag 5: no open receive for it\n"
            "request of 2,1 tag 7: no open receive for it\n"
            "request of 1,0 tag 5: no open receive for it\nscript\n");
  bench.run_until(80);
  EXPECT_TRUE(bench.failures.empty());
  EXPECT_EQ(packets_of(bench),
            (Texts{"41 port 2 to 1,2 tag 0: grant 0", "51 port 0 to 2,1 tag 0: grant 1",
                   "61 port 3 to 1,0 tag 0: grant 2"}));
}

TEST(OpenReceive, TakesWhatFitsAndTheOldestThatFitsIsGranted) {
  LoneNic bench(small_config(), 5);
  request(bench, 10, kNorth, 5);
  request(bench, 20, kEast, 7);
  receive_at(bench, 40, any_source(7, 0));  // the second request
  receive_at(bench, 50, any_tag(kSouth, 1));
  receive_at(bench, 51, any_source(6, 2));
  receive_at(bench, 52, any(3));  // the first
  receive_at(bench, 53, open_receive(kWest, 6, 4));
  receive_at(bench, 54, any(5));
  request(bench, 60, kWest, 6);   // receives 2, 4 and 5 fit
  request(bench, 70, kSouth, 6);  // 1 and 5
  request(bench, 80, kNorth, 8);  // 5
  bench.run_until(100);
  EXPECT_TRUE(bench.failures.empty());
  EXPECT_EQ(packets_of(bench),
            (Texts{"41 port 0 to 2,1 tag 0: grant 0", "53 port 2 to 1,2 tag 0: grant 3",
                   "63 port 1 to 0,1 tag 0: grant 2", "73 port 3 to 1,0 tag 0: grant 1",
                   "83 port 2 to 1,2 tag 0: grant 5"}));
  EXPECT_EQ(bench.nic.peer_waits().size(), 6U) << "five are granted, one names its source";
}

TEST(OpenReceive, NeverGetsAnOrdinaryMessageAndTheOtherWayRound) {
  nic::NicConfig config = small_config();
  config.eager_bytes = 64;
  LoneNic bench(config, 5);
  receive_at(bench, 0, any(0));
  receive_at(bench, 1, open_receive(kEast, 7, 1));
  eager(bench, 10, kEast, 7, 64);
  receive_at(bench, 40, {kNorth, 0x2000, 64, 5, 2});
  request(bench, 50, kNorth, 5);
  bench.run_until(100);
  EXPECT_TRUE(bench.failures.empty());
  EXPECT_EQ(packets_of(bench),
            (Texts{"41 port 2 to 1,2 tag 5: offer 2", "53 port 2 to 1,2 tag 0: grant 0"}));
}

TEST(OpenReceive, DropsAMessageThatIsTooLong) {
  LoneNic bench(small_config(), 5);
  std::vector<Taken> taken;
  take_completions(*bench.script, taken);
  receive_at(bench, 0, any(1));
  request(bench, 10, kEast, 7);
  data(bench, 30, kEast, 7, 65, 0);
  bench.run_until(100);
  ASSERT_EQ(bench.failures.size(), 1U);
  EXPECT_EQ(bench.failures[0].cause, reg::ErrorCause::kTooLong);
  EXPECT_EQ(bench.nic.read(reg::kErrorNode), pack(kEast));
  EXPECT_EQ(taken, (std::vector<Taken>{{42, true, 1, 65, true}}));
}

TEST(OpenReceive, IsDroppedWithWhatNoNicSends) {
  LoneNic bench(small_config(), 5);
  bench.credit_delay = 60;  // so a grant stays due
  receive_at(bench, 0, any(0));
  receive_at(bench, 0, any(1));
  request(bench, 10, kEast, 7);
  data(bench, 20, kNorth, 7, 64, 0);  // granted to another node
  data(bench, 40, kEast, 8, 64, 0);   // with another tag
  data(bench, 60, kEast, 7, 64, 1);   // for a receive that waits
  request(bench, 80, kEast, 7);
  request(bench, 90, kWest, 1);
  request(bench, 100, kWest, 1);  // one is valid
  grant(bench, 110, kWest, 0);    // nothing was requested
  bench.run_until(130);
  std::vector<std::string> texts;
  for (const auto& failure : bench.failures) {
    EXPECT_EQ(failure.cause, reg::ErrorCause::kBadPacket);
    texts.push_back(failure.text);
  }
  EXPECT_EQ(texts, (Texts{"packet from 1,2 tag 7: data for a place that does not await it",
                          "packet from 2,1 tag 8: data with another tag than its place has",
                          "packet from 2,1 tag 7: data for a place that does not await it",
                          "packet from 0,1 tag 0: a request while one is valid",
                          "packet from 0,1 tag 0: a grant without a request"}));
}

// ---- The own node -------------------------------------------------------------------------------

TEST(OpenOwn, AMessageToTheOwnNodeIsDeliveredWhenItIsGranted) {
  LoneNic bench(small_config(), 5);
  std::vector<Taken> taken;
  take_completions(*bench.script, taken);
  send_at(bench, 0, open_send(kSelf, 7, 1));
  send_at(bench, 1, open_send(kSelf, 8, 2));
  receive_at(bench, 10, any(3));
  receive_at(bench, 40, any_tag(kSelf, 4));
  bench.run_until(10);
  EXPECT_EQ(bench.nic.describe_wait(),
            "open send 1 to 1,1 tag 7 (64 bytes): requested, and no receive there takes it\n"
            "open send 2 to 1,1 tag 8 (64 bytes): behind another open one to that node\n"
            "request of 1,1 tag 7: no open receive for it\nscript\n");
  bench.run_until(100);
  EXPECT_TRUE(bench.failures.empty());
  EXPECT_EQ(packets_of(bench), Texts{});
  EXPECT_EQ(taken,
            (std::vector<Taken>{
                {21, true, 3, 64}, {21, false, 1, 64}, {51, true, 4, 64}, {51, false, 2, 64}}));
  EXPECT_TRUE(bench.nic.idle());
}

// Two units may see a request in one cycle: the start-up unit comes before the receive engines.
TEST(OpenOwn, ItsRequestComesBeforeOneThatArrivesInTheSameCycle) {
  LoneNic bench(small_config(), 5);
  receive_at(bench, 0, any(0));
  request(bench, 10, kEast, 7);                // consumed in 12
  send_at(bench, 12, open_send(kSelf, 8, 1));  // admitted in 12
  bench.run_until(100);
  EXPECT_EQ(packets_of(bench), Texts{});
}

}  // namespace
}  // namespace annelid::test
