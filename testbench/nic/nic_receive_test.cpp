// What a NIC does with what comes out of the network: offers, data, wrong packets
// (docs/internals/nic/messages.md and errors.md). The test is the network around one NIC: node 5 =
// (1,1) of a 4x4 mesh.
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <tuple>

#include "base/random.hpp"
#include "testbench/nic/node5.hpp"
#include "testbench/parameter_name.hpp"

namespace annelid::test {
namespace {

TEST(Receive, PostingSendsAnOfferInTheNextCycle) {
  LoneNic bench(small_config(), 5);
  receive_at(bench, 10, {kNorth, 0x40, 1000, 0xabcd, 1});
  bench.run_until(50);
  ASSERT_EQ(bench.injected.size(), 2U);
  EXPECT_EQ(bench.injected[0].flit.data, 0xabcd'00'01'01'00'02'01U);
  EXPECT_EQ(bench.injected[1].flit.data, 0x12U) << "an offer of place 0";
  EXPECT_EQ(packets_of(bench), Texts{"11 port 2 to 1,2 tag 43981: offer 0"});
  EXPECT_EQ(bench.nic.describe_wait(),
            "receive 1 from 1,2 tag 43981 (1000 bytes): offered, nothing has arrived\nscript\n");
}

class MessageLength : public ::testing::TestWithParam<std::uint32_t> {};
INSTANTIATE_TEST_SUITE_P(Of, MessageLength, ::testing::Values(0, 1, 7, 8, 9, 64, 1000),
                         test::ParameterName());

TEST_P(MessageLength, ArrivesInMemoryAndCompletesTwoCyclesAfterItsTailWasOnTheChannel) {
  const std::uint32_t bytes = GetParam();
  LoneNic bench(small_config(), 5);
  std::vector<Taken> taken;
  take_completions(*bench.script, taken);
  receive_at(bench, 0, {kWest, 0x333, 2000, 6, 9});
  data(bench, 20, kWest, 6, bytes, 0, 3);
  bench.run_until(300);

  const std::uint32_t flits = 2 + (bytes + 7) / 8;
  const Taken expected{20 + flits - 1 + 2, true, 9, bytes};
  EXPECT_EQ(taken, std::vector<Taken>{expected});
  ASSERT_EQ(bench.credits.size(), flits);
  for (std::uint32_t i = 0; i < flits; ++i) {
    EXPECT_EQ(bench.credits[i].cycle, 21 + i) << "one cycle after the flit";
    EXPECT_EQ(bench.credits[i].local, 3);
  }
  expect_words(bench.nic, 0x333, bytes);
  EXPECT_EQ(bench.nic.memory().load(0x332, 1), 0U);
  EXPECT_EQ(bench.log, Texts{std::to_string(20 + flits) + " received 6"});
}

TEST(Receive, TakesTheLowestFreePlace) {
  LoneNic bench(small_config(), 5);
  std::vector<Taken> taken;
  take_completions(*bench.script, taken);
  const Address from[] = {kEast, kNorth, kWest, kFarEast, {0, 0, 0}};
  for (std::uint16_t i = 0; i < 3; ++i) receive_at(bench, 0, {from[i], 64U * i, 64, 1, i});
  data(bench, 20, kNorth, 1, 8, 1);
  for (std::uint16_t i = 3; i < 5; ++i) receive_at(bench, 40, {from[i], 64U * i, 64, 1, i});
  bench.run_until(100);
  EXPECT_EQ(packets_of(bench),
            (Texts{"1 port 0 to 2,1 tag 1: offer 0",  //
                   "1 port 1 to 0,1 tag 1: offer 2", "1 port 2 to 1,2 tag 1: offer 1",
                   "41 port 0 to 3,1 tag 1: offer 1", "41 port 1 to 0,0 tag 1: offer 3"}));
}

TEST(Receive, TakesPacketsOfAllPortsAtOnceAndCompletesThemByPort) {
  LoneNic bench(small_config(), 5);
  std::vector<Taken> taken;
  take_completions(*bench.script, taken);
  const Address from[] = {kEast, kWest, kNorth, kSouth};
  for (std::uint16_t i = 0; i < 4; ++i) {
    receive_at(bench, 0, {from[i], 64U * i, 64, 1, i});
    data(bench, 20, from[i], 1, 64, i, 3 - i);
  }
  bench.run_until(100);
  ASSERT_EQ(taken.size(), 4U);
  for (std::uint16_t i = 0; i < 4; ++i) {
    EXPECT_EQ(taken[i], (Taken{31, true, static_cast<std::uint16_t>(3 - i), 64}));
  }
  const auto expected = words(64);
  for (std::uint64_t i = 0; i < 32; ++i) {
    EXPECT_EQ(bench.nic.memory().load(8 * i, 8), expected[i % 8]);
  }
}

TEST(Receive, KeepsAPacketPerVirtualChannelApart) {
  nic::NicConfig config = small_config();
  config.network.router.local_vcs = 2;
  LoneNic bench(config, 5);
  receive_at(bench, 0, {kEast, 0, 64, 1, 1});
  receive_at(bench, 0, {kFarEast, 64, 64, 2, 2});
  const auto one = make_packet(kSelf, kEast, 1, make_header(1, 64, 0, 0), words(64), 0);
  const auto two = make_packet(kSelf, kFarEast, 2, make_header(1, 64, 0, 1), words(64), 1);
  for (std::size_t i = 0; i < one.size(); ++i) {
    bench.arrive(20 + 2 * i, 1, one[i]);
    bench.arrive(21 + 2 * i, 1, two[i]);
  }
  bench.run_until(100);
  EXPECT_TRUE(bench.failures.empty());
  for (std::uint64_t i = 0; i < 16; ++i) {
    EXPECT_EQ(bench.nic.memory().load(8 * i, 8), words(64)[i % 8]);
  }
  ASSERT_EQ(bench.credits.size(), 20U);
  for (std::size_t i = 0; i < 20; ++i) {
    EXPECT_EQ(bench.credits[i].vc, i % 2);
    EXPECT_EQ(bench.credits[i].cycle, 21 + i);
  }
}

TEST(Receive, TakesAControlPacketBetweenTheFlitsOfAMessage) {
  nic::NicConfig config = small_config();
  config.network.router.control_vc = true;
  LoneNic bench(config, 5);
  receive_at(bench, 0, {kEast, 0, 64, 1, 1});
  send_at(bench, 0, {kFarEast, 0x100, 100, 2, 2});
  const auto message = make_packet(kSelf, kEast, 1, make_header(1, 64, 0, 0), words(64), 0);
  const auto its_offer = make_packet(kSelf, kFarEast, 2, make_control(kOffer, 7), {}, 1);
  for (std::size_t i = 0; i < message.size(); ++i) {
    bench.arrive(20 + 2 * i, 1, message[i]);
    if (i < its_offer.size()) bench.arrive(21 + 2 * i, 1, its_offer[i]);
  }
  bench.run_until(100);
  EXPECT_TRUE(bench.failures.empty());
  for (std::uint64_t i = 0; i < 8; ++i) EXPECT_EQ(bench.nic.memory().load(8 * i, 8), words(64)[i]);
  EXPECT_EQ(packets_of(bench).back(), "25 port 0 to 3,1 tag 2: data 100 #0 place 7");
}

// ---- Packets that no NIC sends ------------------------------------------------------------------

struct WrongPacket {
  const char* name;
  Address to, from;
  std::uint16_t tag;
  std::uint64_t header;
  std::uint32_t data_bytes;
  const char* text;  ///< a part of the report; "" for none
  friend std::ostream& operator<<(std::ostream& out, const WrongPacket& p) { return out << p.name; }
};
class Wrong : public ::testing::TestWithParam<WrongPacket> {};

// The node has receives from kEast with tag 1 (place 0, offered) and tag 2 (place 1, behind it),
// from (1,3) (place 2: its offer is at the engine, which has no credit) and from kNorth (place 3:
// its offer is due behind that). It keeps an offer of kWest, and has an eager message of kSouth.
INSTANTIATE_TEST_SUITE_P(
    Packet, Wrong,
    ::testing::Values(
        WrongPacket{"IsNotThis", kSelf, kEast, 1, make_header(1, 64, 0, 0), 64, ""},
        WrongPacket{"Kind0", kSelf, kEast, 1, make_header(0, 0, 0, 0), 0, "unknown kind"},
        WrongPacket{"Kind4", kSelf, kEast, 1, make_header(4, 64, 0, 0), 64, "unknown kind"},
        WrongPacket{"ForAnother", kEast, kEast, 1, make_header(1, 64, 0, 0), 64, "another node"},
        WrongPacket{"Outside", kSelf, {4, 0, 0}, 1, make_header(1, 64, 0, 0), 64, "cannot be"},
        WrongPacket{"FromItself", kSelf, kSelf, 1, make_header(1, 64, 0, 0), 64, "cannot be"},
        WrongPacket{"PlaceFree", kSelf, kEast, 1, make_header(1, 64, 0, 9), 64, "not await it"},
        WrongPacket{"PlaceWaits", kSelf, kEast, 2, make_header(1, 64, 0, 1), 64, "not await it"},
        WrongPacket{"OfferNotSent", kSelf, kNorth, 1, make_header(1, 64, 0, 3), 64, "not await it"},
        WrongPacket{"OfAnother", kSelf, kFarEast, 1, make_header(1, 64, 0, 0), 64, "not await it"},
        WrongPacket{"OtherTag", kSelf, kEast, 2, make_header(1, 64, 0, 0), 64, "another tag"},
        WrongPacket{"EmptyWithData", kSelf, kEast, 1, make_header(1, 0, 0, 0), 8, "another length"},
        WrongPacket{"NoData", kSelf, kEast, 1, make_header(1, 8, 0, 0), 0, "another length"},
        WrongPacket{"DataBits51", kSelf, kEast, 1, make_header(1, 64, 0, 0) | 1ULL << 51, 64,
                    "no header"},
        WrongPacket{"Bit63", kSelf, kEast, 1, make_header(1, 64, 0, 0) | 1ULL << 63, 64,
                    "no header"},
        WrongPacket{"EagerTaken", kSelf, kSouth, 7, make_header(3, 8, 0, 0), 8, "place is taken"},
        WrongPacket{"EagerTooLong", kSelf, kEast, 7, make_header(3, 65, 0, 0), 65, "longer than"},
        WrongPacket{"EagerPlace", kSelf, kEast, 7, make_header(3, 8, 0, 1), 8, "no header"},
        WrongPacket{"EagerNoData", kSelf, kEast, 7, make_header(3, 8, 0, 0), 0, "another length"},
        WrongPacket{"Nothing", kSelf, kEast, 0, make_control(0), 0, "says nothing"},
        WrongPacket{"ControlData", kSelf, kEast, 0, make_control(kAsk), 8, "with data"},
        WrongPacket{"ControlBit10", kSelf, kEast, 0, make_control(64), 0, "no header"},
        WrongPacket{"ControlTag", kSelf, kEast, 0, make_control(kAsk) | 1ULL << 29, 0, "no header"},
        WrongPacket{"ControlGranted", kSelf, kEast, 0, make_control(kAsk) | 1ULL << 57, 0,
                    "no header"},
        WrongPacket{"GrantUnasked", kSelf, kEast, 0, make_control(kGrant), 0, "without a request"},
        WrongPacket{"ControlPlace", kSelf, kEast, 0, make_control(kAsk, 1, 0), 0, "no header"},
        WrongPacket{"ControlParked", kSelf, kEast, 0, make_control(kAsk, 0, 1), 0, "no header"},
        WrongPacket{"FreeOfFree", kSelf, kEast, 0, make_control(kFree), 0, "not taken"},
        WrongPacket{"ParkWaiting", kSelf, kEast, 0, make_control(kPark, 0, 1), 0, "not offered"},
        WrongPacket{"ParkUnsent", kSelf, kNorth, 0, make_control(kPark, 0, 3), 0, "not offered"},
        WrongPacket{"ParkOfAnother", kSelf, kWest, 0, make_control(kPark, 0, 0), 0, "not offered"},
        WrongPacket{"SecondOffer", kSelf, kWest, 3, make_control(kOffer, 9), 0, "one is kept"}),
    [](const auto& tested) { return tested.param.name; });

/// All that the node does besides.
void play(LoneNic& bench, std::vector<Taken>& taken) {
  bench.credit_delay = 80;
  take_completions(*bench.script, taken);
  receive_at(bench, 0, {kEast, 0x100, 64, 1, 1});
  receive_at(bench, 0, {kEast, 0x200, 64, 2, 2});
  send_at(bench, 0, {{1, 3, 0}, 0, 0, 1, 7});
  receive_at(bench, 1, {{1, 3, 0}, 0x300, 64, 1, 3});
  receive_at(bench, 1, {kNorth, 0x400, 64, 1, 4});
  offer(bench, 5, kWest, 1, 7, 1);
  eager(bench, 5, kSouth, 1, 16, 3);
  data(bench, 40, kEast, 1, 64, 0, 1);
  receive_at(bench, 70, {kSouth, 0x500, 64, 1, 5});
  send_at(bench, 70, {kWest, 0x900, 9, 1, 6});
  data(bench, 100, kEast, 2, 64, 1);
  data(bench, 100, {1, 3, 0}, 1, 24, 2, 1);
  data(bench, 200, kNorth, 1, 64, 3, 2);
}

TEST_P(Wrong, IsDroppedWithoutEffectAndTheNodeGoesOn) {
  const WrongPacket& p = GetParam();
  nic::NicConfig config = small_config();
  config.network.router.depth = 2;  // flits of a control packet
  LoneNic with(config, 5), without(config, 5);
  std::vector<Taken> taken_with, taken_without;
  play(with, taken_with);
  play(without, taken_without);
  const bool is_right = p.text[0] == '\0';
  if (!is_right) {
    with.arrive(20, 2, make_packet(p.to, p.from, p.tag, p.header, words(p.data_bytes)));
  }
  with.run_until(300);
  without.run_until(300);
  EXPECT_TRUE(without.failures.empty());
  EXPECT_EQ(taken_without.size(), 7U);
  EXPECT_EQ(packets_of(without).size(), 7U);

  EXPECT_EQ(packets_of(with), packets_of(without));
  EXPECT_EQ(taken_with, taken_without);
  EXPECT_EQ(with.log, without.log);
  if (is_right) return;
  EXPECT_EQ(with.credits.size(), without.credits.size() + 2 + (p.data_bytes + 7) / 8);
  ASSERT_EQ(with.failures.size(), 1U);
  EXPECT_EQ(with.failures[0].cause, reg::ErrorCause::kBadPacket);
  EXPECT_NE(with.failures[0].text.find(p.text), std::string::npos) << with.failures[0].text;
  EXPECT_EQ(with.nic.error(), reg::ErrorCause::kBadPacket);
}

struct WrongVc {
  const char* name;
  std::uint64_t header;
  Vc vc;
  const char* text;  ///< a part of the report; "" for none
  friend std::ostream& operator<<(std::ostream& out, const WrongVc& p) { return out << p.name; }
};
class OnAVc : public ::testing::TestWithParam<WrongVc> {};
INSTANTIATE_TEST_SUITE_P(
    Packet, OnAVc,
    ::testing::Values(
        WrongVc{"DataOnData", make_header(1, 8, 0, 0), 1, ""},
        WrongVc{"DataOnControl", make_header(1, 8, 0, 0), 2, "a message on the control VC"},
        WrongVc{"EagerOnData", make_header(3, 8, 0, 0), 0, ""},
        WrongVc{"EagerOnControl", make_header(3, 8, 0, 0), 2, "a message on the control VC"},
        WrongVc{"ControlOnControl", make_control(kAsk), 2, ""},
        WrongVc{"ControlOnData", make_control(kAsk), 1, "a control packet on a data VC"},
        WrongVc{"UnknownOnControl", make_header(4, 8, 0, 0), 2, "unknown kind"}),
    [](const auto& tested) { return tested.param.name; });

TEST_P(OnAVc, OfTheOtherKindIsDropped) {
  const WrongVc& p = GetParam();
  nic::NicConfig config = small_config();
  config.network.router.local_vcs = 2;
  config.network.router.control_vc = true;
  LoneNic bench(config, 5);
  receive_at(bench, 0, {kEast, 0, 64, 1, 1});
  const bool control = (p.header & 0xf) == kControl;
  bench.arrive(20, 1, make_packet(kSelf, kEast, 1, p.header, words(control ? 0 : 8), p.vc));
  bench.run_until(100);
  EXPECT_EQ(bench.credits.size(), control ? 2U : 3U);
  const std::string found = bench.failures.empty() ? "" : bench.failures[0].text;
  EXPECT_EQ(bench.failures.size(), p.text[0] == '\0' ? 0U : 1U) << found;
  EXPECT_NE(found.find(p.text), std::string::npos) << found;
  const auto received = std::ranges::count_if(bench.log, [](const std::string& line) {
    return line.find(" received 1") != std::string::npos;
  });
  // An eager message with its tag waits for the answer to the offer.
  const bool is_data = (p.header & 0xf) == kData;
  EXPECT_EQ(received, is_data && p.text[0] == '\0' ? 1 : 0);
}

TEST(WrongPackets, MustNotStartWithABodyNorEndWithTheirHeadNorHaveTwoHeads) {
  LoneNic body(small_config(), 5), one_flit(small_config(), 5), twice(small_config(), 5);
  auto packet = make_packet(kSelf, kEast, 1, make_control(kOffer, 3));
  body.arrive(5, 0, packet[1]);
  packet[0].tail = true;
  one_flit.arrive(5, 0, packet[0]);
  packet[0].tail = false;
  twice.arrive(5, 0, packet[0]);
  twice.arrive(6, 0, packet[0]);
  twice.arrive(7, 0, packet[1]);
  for (LoneNic* bench : {&body, &one_flit, &twice}) {
    offer(*bench, 10, kEast, 1, 4);  // the next packet is taken for itself
    send_at(*bench, 20, {kEast, 0, 8, 1, 1});
    bench->run_until(50);
    ASSERT_EQ(bench->failures.size(), 1U);
    EXPECT_EQ(bench->failures[0].cause, reg::ErrorCause::kBadPacket);
    EXPECT_EQ(packets_of(*bench), Texts{"21 port 0 to 2,1 tag 1: data 8 #0 place 4"});
  }
}

/// Messages whose tail comes too early or too late.
class WrongLength : public ::testing::TestWithParam<std::tuple<std::size_t, bool>> {};
INSTANTIATE_TEST_SUITE_P(Flits, WrongLength,
                         ::testing::Combine(::testing::Values(3, 7, 9, 20), ::testing::Bool()),
                         [](const auto& test) {
                           return std::to_string(std::get<0>(test.param)) +
                                  (std::get<1>(test.param) ? "_eager" : "_data");
                         });

TEST_P(WrongLength, ThatShowsBehindTheHeaderFailsTheReceive) {
  const auto [data_flits, is_eager] = GetParam();
  LoneNic bench(small_config(), 5);
  std::vector<Taken> taken;
  take_completions(*bench.script, taken);
  const std::uint64_t header = make_header(is_eager ? kEager : kData, 64, 0, 0);
  bench.arrive(20, 0,
               make_packet(kSelf, kEast, 1, header, std::vector<std::uint64_t>(data_flits, ~0ULL)));
  receive_at(bench, is_eager ? 50 : 0, {kEast, 0x100, 64, 1, 1});
  receive_at(bench, 60, {kEast, 0x200, 64, 1, 2});
  data(bench, 70, kEast, 1, 64, is_eager ? 1 : 0);  // place 0 is taken until 61, or free again
  bench.run_until(100);
  ASSERT_EQ(bench.failures.size(), 1U);
  EXPECT_EQ(bench.failures[0].cause, reg::ErrorCause::kBadPacket);
  // Consumed with its tail; or delivered, without a byte, in 51..60.
  const Cycle seen = is_eager ? 61 : 20 + 2 + data_flits + 1;
  EXPECT_EQ(taken, (std::vector<Taken>{{seen, true, 1, 64, true}, {81, true, 2, 64}}));
  expect_words(bench.nic, 0x200, 64);
  EXPECT_EQ(bench.nic.memory().load(0x140, 8), 0U) << "nothing behind the room";
  EXPECT_EQ(bench.log, Texts{"80 received 1"});
}

class TooLong : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Message, TooLong, ::testing::Values("data", "eager", "in_the_place"),
                         test::ParameterName());

TEST_P(TooLong, IsDroppedAndFailsItsReceive) {
  const std::string way = GetParam();
  LoneNic bench(small_config(), 5);
  std::vector<Taken> taken;
  take_completions(*bench.script, taken);
  if (way == "eager") receive_at(bench, 0, {kEast, 0x800, 8, 9, 9});  // offered first
  receive_at(bench, way == "in_the_place" ? 50 : 0, {kEast, 0x100, 63, 1, 1});
  if (way == "data") data(bench, 20, kEast, 1, 64, 0);
  if (way != "data") eager(bench, 20, kEast, 1, 64);
  bench.run_until(100);
  ASSERT_EQ(bench.failures.size(), 1U);
  EXPECT_EQ(bench.failures[0].cause, reg::ErrorCause::kTooLong);
  EXPECT_EQ(bench.failures[0].cycle, way == "in_the_place" ? 50U : 22U);
  const Taken expected{way == "in_the_place" ? 61U : 31U, true, 1, 64, true};
  EXPECT_EQ(taken, std::vector<Taken>{expected});
  for (std::uint64_t at = 0x100; at < 0x140; at += 8) EXPECT_EQ(bench.nic.memory().load(at, 8), 0U);
  EXPECT_TRUE(bench.log.empty());
}

// ---- Sleeping and the order of calls cannot be seen ---------------------------------------------

/// What a NIC did.
struct Trace {
  std::vector<std::tuple<Cycle, int, std::uint64_t, int>> flits;
  std::vector<Taken> taken;
  friend bool operator==(const Trace&, const Trace&) = default;
};

/// Rounds of random sends and receives with six peers, with offers and messages at random times,
/// and credits that are scarce.
Trace random_trace(LoneNic& bench, std::uint64_t seed) {
  Trace trace;
  take_completions(*bench.script, trace.taken);
  Random random(seed);
  const Address peers[] = {kEast, kFarEast, kWest, kNorth, {0, 0, 0}, {3, 3, 0}};
  for (std::uint32_t round = 0; round < 40; ++round) {
    const Cycle at = Cycle{400} * round;
    const auto tag = static_cast<std::uint16_t>(round);
    for (std::uint16_t id = 0; id < 6; ++id) {
      const std::uint32_t bytes = 65 + random.below(100);
      send_at(bench, at + random.below(90), {peers[id], 0, bytes, tag, id});
      const Cycle offer_at = at + Cycle{10} * id + random.below(8);
      offer(bench, offer_at, peers[id], tag, id, id % 4);
    }
    for (std::uint16_t id = 0; id < 6; ++id) {  // places 0..5, as all are free again
      receive_at(bench, at + 180, {peers[id], 0x1000U + 0x100U * id, 100, tag, id});
      const Cycle head_at = at + 230 + Cycle{20} * id + random.below(4);
      data(bench, head_at, peers[id], tag, random.below(100), id, id % 4);
    }
  }
  bench.run_until(Cycle{400} * 41);
  for (const auto& i : bench.injected) {
    trace.flits.emplace_back(i.cycle, i.local, i.flit.data, i.flit.vc);
  }
  return trace;
}

TEST(Nic, DoesTheSameWhetherItSleepsAndWhoeverComesFirstInACycle) {
  nic::NicConfig config = small_config();
  config.network.router.depth = 2;
  config.alpha = 5;
  config.gamma = 7;
  std::vector<std::unique_ptr<LoneNic>> benches;
  benches.reserve(4);
  for (int i = 0; i < 4; ++i) benches.push_back(std::make_unique<LoneNic>(config, 5));
  std::vector<Trace> traces;
  traces.reserve(benches.size());
  for (std::size_t i = 0; i < 4; ++i) {
    benches[i]->polled = (i & 1) != 0;
    benches[i]->network_first = (i & 2) != 0;
    benches[i]->credit_delay = 3;  // so that engines wait for credits
    traces.push_back(random_trace(*benches[i], 7));
    ASSERT_TRUE(benches[i]->failures.empty()) << benches[i]->failures[0].text;
  }
  EXPECT_EQ(traces[0].taken.size(), 40U * 12) << "the stimulus really happened";
  EXPECT_GT(traces[0].flits.size(), 40U * 24);
  for (std::size_t i = 1; i < 4; ++i) EXPECT_TRUE(traces[i] == traces[0]) << i;
  EXPECT_LT(benches[0]->steps, benches[1]->steps * 2 / 3);
}

// ---- The host's side ----------------------------------------------------------------------------

TEST(Nic, TakesCallsInTheNextCycleAndCostsNothingWhileItSleeps) {
  LoneNic bench(small_config(), 5);
  std::vector<Cycle> events;
  bench.script->on_event([&](Registers& r) {
    events.push_back(r.read(reg::kCycle));
    const std::uint32_t ticket = reg::kCallTicketTicketField.of(r.read(reg::kCallTicket));
    r.write(reg::kCallDone, ticket << 16 | 3);
  });
  EXPECT_EQ(bench.nic.call({}), 0);  // before the first cycle
  EXPECT_EQ(bench.nic.call({}), 1);
  bench.run_until(1000);
  EXPECT_EQ(bench.nic.call({}), 2);
  EXPECT_TRUE(bench.nic.calling());
  EXPECT_EQ(bench.nic.call_state(2).stage, nic::CallQueue::Stage::kWaiting);
  bench.run_until(2000);
  EXPECT_EQ(events, (std::vector<Cycle>{0, 1, 1001}));
  EXPECT_EQ(bench.calls_finished,
            (std::vector<LoneNic::Finished>{{0, 0, 3}, {1, 1, 3}, {1001, 2, 3}}));
  EXPECT_EQ(bench.nic.call_state(2), (nic::CallQueue::State{nic::CallQueue::Stage::kFinished, 3}));
  EXPECT_LE(bench.steps, 5U);
  EXPECT_TRUE(bench.nic.idle());
  EXPECT_EQ(bench.nic.describe_wait(), "");
}

/// A host may call while nothing else moves than the flits of a long packet.
TEST(Nic, TakesACallInTheMiddleOfAPacket) {
  LoneNic bench(small_config(), 5);
  std::vector<Cycle> calls;
  bench.script->on_event([&](Registers& r) {
    if ((r.read(reg::kEvent) & reg::kEventCall) == 0) {
      r.read(reg::kCompletion);
      return;
    }
    calls.push_back(r.read(reg::kCycle));
    const std::uint32_t ticket = reg::kCallTicketTicketField.of(r.read(reg::kCallTicket));
    r.write(reg::kCallDone, ticket << 16 | 3);
  });
  send_at(bench, 20, {kEast, 0, 1000, 7, 1});
  offer(bench, 5, kEast, 7, 0);
  bench.run_until(60);  // the packet has 127 flits from 21 on
  bench.nic.call({});   // made before cycle 60, so visible in the one after
  bench.run_until(500);
  EXPECT_EQ(calls, std::vector<Cycle>{61});
  ASSERT_EQ(bench.injected.size(), 127U);
  EXPECT_EQ(bench.injected.back().cycle, 147U);
}

TEST(Nic, RecordsAnAccessThatWouldTrapTheCore) {
  struct Case {
    Action action;
    std::uint32_t cause, value;
  };
  std::byte byte{};
  const std::span one(&byte, 1);
  const Case cases[] = {{[](Registers& r) { EXPECT_EQ(r.read(reg::kSendGo), 0U); }, 5, 0x400000ac},
                        {[](Registers& r) { r.write(0xffc, 1); }, 7, 0x40000ffc},
                        {[&](Registers& r) { r.read_memory(1 << 20, one); }, 5, 0x80100000},
                        {[&](Registers& r) { r.write_memory(1 << 20, one); }, 7, 0x80100000}};
  std::vector<std::unique_ptr<LoneNic>> benches;
  for (std::size_t i = 0; i < std::size(cases); ++i) {
    benches.push_back(std::make_unique<LoneNic>(small_config(), 5));
  }
  for (std::size_t i = 0; i < std::size(cases); ++i) {
    LoneNic& bench = *benches[i];
    bool again = false;
    bench.script->at(3, cases[i].action);
    bench.script->at(5, [&](Registers&) { again = true; });
    bench.run_until(10);
    ASSERT_EQ(bench.traps.size(), 1U);
    EXPECT_EQ(bench.traps[0].cause, cases[i].cause);
    EXPECT_EQ(bench.traps[0].value, cases[i].value);
    EXPECT_TRUE(bench.nic.trap().has_value());
    EXPECT_FALSE(again) << "the processor stands still";
  }
}

TEST(Nic, WithAHaltedCoreStillSendsAndReceives) {
  LoneNic bench(small_config(), 5);
  receive_at(bench, 0, {kEast, 0x100, 64, 1, 1});
  send_at(bench, 0, {kEast, 0, 100, 2, 2});
  bench.script->at(3, [](Registers& r) { r.write(0xffc, 1); });
  data(bench, 20, kEast, 1, 64, 0);
  offer(bench, 40, kEast, 2, 5);
  bench.run_until(100);
  EXPECT_EQ(packets_of(bench), (Texts{"1 port 0 to 2,1 tag 1: offer 0",
                                      "43 port 0 to 2,1 tag 2: data 100 #0 place 5"}));
  EXPECT_EQ(bench.nic.describe_wait(),
            "halted by a trap, cause 7 (store access fault)\n2 completions not taken\nscript\n");
}

TEST(Nic, ReadsAndWritesMemoryForNativeFirmware) {
  LoneNic bench(small_config(), 5);
  std::array<std::byte, 3> bytes{std::byte{1}, std::byte{2}, std::byte{3}};
  bench.script->at(0, [&](Registers& r) {
    r.write_memory((1 << 20) - 3, bytes);
    r.read_memory((1 << 20) - 2, std::span(bytes).first(2));
  });
  bench.run_until(2);
  EXPECT_EQ(bench.nic.memory().load((1 << 20) - 3, 3), 0x030201U);
  EXPECT_EQ(bytes[0], std::byte{2});
  EXPECT_TRUE(bench.traps.empty());
}

}  // namespace
}  // namespace annelid::test
