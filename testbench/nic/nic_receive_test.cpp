// What a NIC does with what comes out of the network: grants, data, errors (docs/nic.md, sections 4
// and 6). The test is the network around one NIC: node 5 = (1,1) of a 4x4 mesh.
#include <gtest/gtest.h>

#include "systemc/random.hpp"
#include "testbench/nic/lone_nic.hpp"

namespace annelid::test {
namespace {

constexpr Address kSelf{1, 1, 0}, kEast{2, 1, 0}, kFarEast{3, 1, 0}, kWest{0, 1, 0},
    kNorth{1, 2, 0};

std::vector<std::uint64_t> words(std::uint32_t bytes) {
  std::vector<std::uint64_t> data((bytes + 7) / 8);
  for (std::uint32_t i = 0; i < bytes; ++i)
    data[i / 8] |= std::uint64_t{(i * 5 + 3) & 0xff} << i % 8 * 8;
  return data;
}

/// A message of `from`, its head on the ejection channel in cycle `at`.
void message(LoneNic& bench, Cycle at, int local, Address from, std::uint16_t tag,
             std::uint32_t bytes, std::uint32_t sequence, std::uint32_t slot, Vc vc = 0) {
  bench.arrive(
      at, local,
      make_packet(kSelf, from, tag, make_header(1, bytes, sequence, slot), words(bytes), vc));
}

/// The grants that were injected: who was granted, which tag, room, sequence, slot, when, where.
struct SeenGrant {
  Cycle cycle = 0;
  int local = 0;
  Address to;
  std::uint16_t tag = 0;
  std::uint64_t room = 0, sequence = 0, slot = 0;
  friend bool operator==(const SeenGrant&, const SeenGrant&) = default;
};
std::vector<SeenGrant> grants_of(const LoneNic& bench) {
  std::vector<SeenGrant> grants;
  for (const auto& head : bench.injected) {
    if (!head.flit.head) continue;
    for (const auto& tail : bench.injected) {
      if (tail.cycle != head.cycle + 1 || tail.local != head.local) continue;
      if ((tail.flit.data & 0xf) != 2) continue;
      EXPECT_TRUE(tail.flit.tail);
      grants.push_back({head.cycle, head.local, unpack_address(head.flit.data & 0xffffff),
                        static_cast<std::uint16_t>(head.flit.data >> 48),
                        tail.flit.data >> 4 & 0x1ffffff, tail.flit.data >> 29 & 0xffff,
                        tail.flit.data >> 45});
    }
  }
  return grants;
}

TEST(Receive, PostingSendsAGrantInTheNextCycle) {
  LoneNic bench(small_config(), 5);
  bench.script->at(10, [](Registers& r) { post_receive(r, {kNorth, 0x40, 1000, 0xabcd, 1}); });
  bench.run_until(50);
  ASSERT_EQ(bench.injected.size(), 2U);
  EXPECT_EQ(bench.injected[0].flit.data, 0xabcd'00'01'01'00'02'01U);
  EXPECT_EQ(bench.injected[1].flit.data, make_header(2, 1000, 0, 0));
  const SeenGrant expected{11, 2, kNorth, 0xabcd, 1000, 0, 0};  // +y
  EXPECT_EQ(grants_of(bench), std::vector<SeenGrant>{expected});
  EXPECT_NE(bench.nic.describe_wait().find(
                "receive 1 from 1,2 tag 43981 (1000 bytes): granted, nothing has arrived"),
            std::string::npos);
}

class MessageLength : public ::testing::TestWithParam<std::uint32_t> {};
INSTANTIATE_TEST_SUITE_P(Of, MessageLength, ::testing::Values(0, 1, 7, 8, 9, 64, 1000));

TEST_P(MessageLength, ArrivesInMemoryAndCompletesTwoCyclesAfterItsTailWasOnTheChannel) {
  const std::uint32_t bytes = GetParam();
  LoneNic bench(small_config(), 5);
  std::vector<Taken> taken;
  take_completions(*bench.script, taken);
  bench.script->at(0, [&](Registers& r) { post_receive(r, {kWest, 0x333, 2000, 6, 9}); });
  message(bench, 20, 3, kWest, 6, bytes, 0, 0);
  bench.run_until(300);

  const std::uint32_t flits = 2 + (bytes + 7) / 8;
  const Taken expected{20 + flits - 1 + 2, true, 9, bytes};
  EXPECT_EQ(taken, std::vector<Taken>{expected});
  ASSERT_EQ(bench.credits.size(), flits);
  for (std::uint32_t i = 0; i < flits; ++i) {
    EXPECT_EQ(bench.credits[i].cycle, 21 + i) << "one cycle after the flit";
    EXPECT_EQ(bench.credits[i].local, 3);
  }
  for (std::uint32_t i = 0; i < bytes + 20; ++i) {
    const std::uint32_t expected_byte = i < bytes ? (i * 5 + 3) & 0xff : 0;
    ASSERT_EQ(bench.nic.memory().load(0x333 + i, 1), expected_byte) << i;
  }
  EXPECT_EQ(bench.nic.memory().load(0x332, 1), 0U);
}

TEST(Receive, GrantsOnePerSourceAtATimeInTheOrderOfPosting) {
  LoneNic bench(small_config(), 5);
  bench.script->at(0, [](Registers& r) {
    post_receive(r, {kEast, 0, 64, 1, 1});
    post_receive(r, {kEast, 64, 64, 2, 2});
    post_receive(r, {kEast, 128, 64, 3, 3});
  });
  message(bench, 20, 0, kEast, 1, 8, 0, 0);  // consumed in 21, 22, 23
  message(bench, 50, 1, kEast, 2, 64, 1, 1);
  bench.run_until(200);
  EXPECT_EQ(grants_of(bench), (std::vector<SeenGrant>{{1, 0, kEast, 1, 64, 0, 0},
                                                      {24, 0, kEast, 2, 64, 1, 1},
                                                      {61, 0, kEast, 3, 64, 2, 2}}));
  EXPECT_TRUE(bench.failures.empty());
}

TEST(Receive, TakesTheLowestFreeSlot) {
  LoneNic bench(small_config(), 5);
  bench.script->at(0, [](Registers& r) {
    post_receive(r, {kEast, 0, 64, 1, 1});
    post_receive(r, {kNorth, 0, 64, 1, 2});
    post_receive(r, {kWest, 0, 64, 1, 3});
  });
  message(bench, 20, 0, kNorth, 1, 8, 0, 1);
  bench.script->at(40, [](Registers& r) {
    post_receive(r, {kFarEast, 0, 64, 1, 4});
    post_receive(r, {{0, 0, 0}, 0, 64, 1, 5});
  });
  bench.run_until(100);
  std::vector<std::uint64_t> slots;
  for (const SeenGrant& grant : grants_of(bench)) slots.push_back(grant.slot);
  EXPECT_EQ(slots, (std::vector<std::uint64_t>{0, 2, 1, 1, 3})) << "by cycle, then port";
}

TEST(Receive, GrantsOfOnePortGoInOrderAndBeforeQueuedMessages) {
  LoneNic bench(small_config(), 5);
  bench.script->at(10, [](Registers& r) {
    post_send(r, {kEast, 0, 64, 1, 1});
    post_receive(r, {kFarEast, 0, 64, 1, 1});
    post_receive(r, {kEast, 0, 64, 1, 2});
  });
  bench.arrive(1, 0, make_packet(kSelf, kEast, 1, make_header(2, 64, 0, 0)));
  bench.script->at(20, [](Registers& r) { post_receive(r, {{3, 2, 0}, 0, 64, 1, 3}); });
  bench.run_until(100);
  std::vector<std::pair<Cycle, Address>> heads;
  for (const auto& i : bench.injected) {
    if (i.flit.head) heads.emplace_back(i.cycle, unpack_address(i.flit.data & 0xffffff));
  }
  EXPECT_EQ(heads, (std::vector<std::pair<Cycle, Address>>{
                       {11, kFarEast}, {13, kEast}, {15, kEast}, {25, {3, 2, 0}}}))
      << "two grants, the message of 10 flits, the grant that came meanwhile";
}

TEST(Receive, TakesPacketsOfAllPortsAtOnceAndCompletesThemByPort) {
  LoneNic bench(small_config(), 5);
  std::vector<Taken> taken;
  take_completions(*bench.script, taken);
  const Address from[] = {kEast, kWest, kNorth, {1, 0, 0}};
  bench.script->at(0, [&](Registers& r) {
    for (std::uint16_t i = 0; i < 4; ++i) post_receive(r, {from[i], 64U * i, 64, 1, i});
  });
  for (std::uint32_t i = 0; i < 4; ++i) {
    message(bench, 20, static_cast<int>(3 - i), from[i], 1, 64, 0, i);
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
  NicConfig config = small_config();
  config.network.router.local_vcs = 2;
  LoneNic bench(config, 5);
  bench.script->at(0, [](Registers& r) {
    post_receive(r, {kEast, 0, 64, 1, 1});
    post_receive(r, {kFarEast, 64, 64, 2, 2});
  });
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
  for (std::size_t i = 0; i < 20; ++i) EXPECT_EQ(bench.credits[i].vc, i % 2);
}

// ---- Packets that no NIC sends ------------------------------------------------------------------

struct BadPacket {
  const char* name;
  Address to, from;
  std::uint16_t tag;
  std::uint64_t kind, length, sequence, slot;
  std::uint32_t data_bytes;
  reg::ErrorCause cause;
  const char* text;
  friend std::ostream& operator<<(std::ostream& out, const BadPacket& p) { return out << p.name; }
};
constexpr reg::ErrorCause kBad = reg::ErrorCause::kBadPacket;
class WrongPacket : public ::testing::TestWithParam<BadPacket> {};

// The node has posted receives from kEast (slot 0, granted, room 64, tag 1) and once more from
// kEast (slot 1, not granted), and has a grant of kWest.
INSTANTIATE_TEST_SUITE_P(
    Is, WrongPacket,
    ::testing::Values(
        BadPacket{"Right", kSelf, kEast, 1, 1, 64, 0, 0, 64, reg::ErrorCause::kNone, ""},
        BadPacket{"TooLong", kSelf, kEast, 1, 1, 65, 0, 0, 65, reg::ErrorCause::kTooLong, "room"},
        BadPacket{"Kind0", kSelf, kEast, 1, 0, 0, 0, 0, 0, kBad, "unknown kind"},
        BadPacket{"Kind3", kSelf, kEast, 1, 3, 64, 0, 0, 64, kBad, "unknown kind"},
        BadPacket{"ForAnother", kEast, kEast, 1, 1, 64, 0, 0, 64, kBad, "another node"},
        BadPacket{"FromOutside", kSelf, {4, 0, 0}, 1, 1, 64, 0, 0, 64, kBad, "cannot be"},
        BadPacket{"FromItself", kSelf, kSelf, 1, 1, 64, 0, 0, 64, kBad, "cannot be"},
        BadPacket{"DataOutOfOrder", kSelf, kEast, 1, 1, 64, 1, 0, 64, kBad, "data out of"},
        BadPacket{"GrantOutOfOrder", kSelf, kEast, 1, 2, 64, 1, 0, 0, kBad, "grant out of"},
        BadPacket{"GrantPlaceTaken", kSelf, kWest, 1, 2, 64, 1, 0, 0, kBad, "place is taken"},
        BadPacket{"GrantWithData", kSelf, kEast, 1, 2, 64, 0, 0, 64, kBad, "grant with data"},
        BadPacket{"GrantForNoSlot", kSelf, kEast, 1, 2, 64, 0, 64, 0, kBad, "does not exist"},
        BadPacket{"SlotFree", kSelf, kEast, 1, 1, 64, 0, 2, 64, kBad, "without a grant"},
        BadPacket{"SlotNotGranted", kSelf, kEast, 1, 1, 64, 0, 1, 64, kBad, "without a grant"},
        BadPacket{"SlotTooHigh", kSelf, kEast, 1, 1, 64, 0, 64, 64, kBad, "does not exist"},
        BadPacket{"SlotOfAnother", kSelf, kNorth, 1, 1, 64, 0, 0, 64, kBad, "another source"},
        BadPacket{"OtherTag", kSelf, kEast, 2, 1, 64, 0, 0, 64, kBad, "another tag"},
        BadPacket{"Shorter", kSelf, kEast, 1, 1, 64, 0, 0, 56, kBad, "another length"},
        BadPacket{"Longer", kSelf, kEast, 1, 1, 56, 0, 0, 64, kBad, "another length"},
        BadPacket{"EmptyWithData", kSelf, kEast, 1, 1, 0, 0, 0, 8, kBad, "another length"},
        BadPacket{"DataMissing", kSelf, kEast, 1, 1, 8, 0, 0, 0, kBad, "another length"},
        BadPacket{"ReservedBits", kSelf, kEast, 1, 1, 64, 0, 0x10000, 64, kBad, "no header"}),
    [](const auto& tested) { return tested.param.name; });

TEST_P(WrongPacket, StopsTheNode) {
  const BadPacket& p = GetParam();
  LoneNic bench(small_config(), 5);
  bench.script->at(0, [](Registers& r) {
    post_receive(r, {kEast, 0, 64, 1, 1});
    post_receive(r, {kEast, 0, 64, 1, 2});
  });
  bench.arrive(5, 1, make_packet(kSelf, kWest, 1, make_header(2, 64, 0, 0)));
  bench.arrive(20, 1,
               make_packet(p.to, p.from, p.tag, make_header(p.kind, p.length, p.sequence, p.slot),
                           words(p.data_bytes)));
  bench.run_until(100);
  EXPECT_EQ(bench.nic.error(), p.cause);
  if (p.cause == reg::ErrorCause::kNone) return;
  ASSERT_EQ(bench.failures.size(), 1U);
  EXPECT_NE(bench.failures[0].text.find(p.text), std::string::npos) << bench.failures[0].text;
  EXPECT_TRUE(bench.nic.stopped());
  const std::size_t injected = bench.injected.size();
  bench.script->at(100, [](Registers& r) { post_receive(r, {kNorth, 0, 64, 1, 3}); });
  bench.run_until(200);
  EXPECT_EQ(bench.injected.size(), injected) << "a stopped node does nothing more";
}

TEST(WrongPacket, MustNotStartWithABodyNorEndWithItsHeadNorHaveTwoHeads) {
  LoneNic body(small_config(), 5), one_flit(small_config(), 5), twice(small_config(), 5);
  auto packet = make_packet(kSelf, kEast, 1, make_header(2, 64, 0, 0));
  body.arrive(5, 0, packet[1]);
  packet[0].tail = true;
  one_flit.arrive(5, 0, packet[0]);
  packet[0].tail = false;
  twice.arrive(5, 0, packet[0]);
  twice.arrive(6, 0, packet[0]);
  for (LoneNic* bench : {&body, &one_flit, &twice}) {
    bench->run_until(20);
    EXPECT_EQ(bench->nic.error(), reg::ErrorCause::kBadPacket);
  }
}

// ---- Sleeping and the order of calls cannot be seen ---------------------------------------------

/// What a NIC did.
struct Trace {
  std::vector<std::tuple<Cycle, int, std::uint64_t, int>> flits;
  std::vector<Taken> taken;
  friend bool operator==(const Trace&, const Trace&) = default;
};

/// Rounds of random sends and receives with six peers, with grants and messages at random times,
/// and credits that are scarce.
Trace random_trace(LoneNic& bench, std::uint64_t seed) {
  Trace trace;
  take_completions(*bench.script, trace.taken);
  Random random(seed);
  const Address peers[] = {kEast, kFarEast, kWest, kNorth, {0, 0, 0}, {3, 3, 0}};
  for (std::uint32_t round = 0; round < 40; ++round) {
    const Cycle at = Cycle{300} * round;
    const auto tag = static_cast<std::uint16_t>(round);
    for (std::uint16_t id = 0; id < 6; ++id) {
      const Address peer = peers[id];
      const std::uint32_t bytes = random.below(100);
      bench.script->at(at + random.below(90), [=](Registers& r) {
        post_send(r, {peer, 0, bytes, tag, id});
      });
      const Cycle grant_at = at + Cycle{10} * id + random.below(8);
      bench.arrive(grant_at, id % 4, make_packet(kSelf, peer, tag, make_header(2, 100, round, id)));
    }
    bench.script->at(at + 100, [=](Registers& r) {  // slots 0..5, as all are free again
      for (std::uint16_t id = 0; id < 6; ++id) post_receive(r, {peers[id], 0, 100, tag, id});
    });
    for (std::uint16_t id = 0; id < 6; ++id) {
      const Cycle head_at = at + 150 + Cycle{20} * id + random.below(4);
      message(bench, head_at, id % 4, peers[id], tag, random.below(100), round, id);
    }
  }
  bench.run_until(Cycle{300} * 41);
  for (const auto& i : bench.injected) {
    trace.flits.emplace_back(i.cycle, i.local, i.flit.data, i.flit.vc);
  }
  return trace;
}

TEST(Nic, DoesTheSameWhetherItSleepsAndWhoeverComesFirstInACycle) {
  NicConfig config = small_config();
  config.network.router.depth = 1;  // so that engines wait for credits
  std::vector<std::unique_ptr<LoneNic>> benches;
  benches.reserve(4);
  for (int i = 0; i < 4; ++i) benches.push_back(std::make_unique<LoneNic>(config, 5));
  std::vector<Trace> traces;
  traces.reserve(benches.size());
  for (std::size_t i = 0; i < 4; ++i) {
    benches[i]->polled = (i & 1) != 0;
    benches[i]->network_first = (i & 2) != 0;
    traces.push_back(random_trace(*benches[i], 7));
    ASSERT_TRUE(benches[i]->failures.empty()) << benches[i]->failures[0].text;
  }
  EXPECT_EQ(traces[0].taken.size(), 40U * 12) << "the stimulus really happened";
  EXPECT_GT(traces[0].flits.size(), 40U * 24);
  for (std::size_t i = 1; i < 4; ++i) EXPECT_TRUE(traces[i] == traces[0]) << i;
  EXPECT_LT(benches[0]->steps, benches[1]->steps / 2);
}

TEST(Nic, TakesACallInTheNextCycleAndCostsNothingWhileItSleeps) {
  LoneNic bench(small_config(), 5);
  std::vector<Cycle> events;
  bench.script->on_event([&](Registers& r) {
    events.push_back(r.read(reg::kCycle));
    (void)r.read(reg::kCall);
    r.write(reg::kCallDone, 3);
  });
  bench.nic.call({});  // before the first cycle
  EXPECT_THROW(bench.nic.call({}), std::logic_error);
  bench.run_until(1000);
  bench.nic.call({});
  EXPECT_TRUE(bench.nic.calling());
  bench.run_until(2000);
  EXPECT_EQ(events, (std::vector<Cycle>{0, 1001}));
  EXPECT_EQ(bench.calls_finished,
            (std::vector<std::pair<Cycle, std::uint32_t>>{{0, 3}, {1001, 3}}));
  EXPECT_LE(bench.steps, 4U);
  EXPECT_TRUE(bench.nic.idle());
  EXPECT_EQ(bench.nic.describe_wait(), "");
}

TEST(Nic, RecordsAnAccessThatWouldTrapTheCore) {
  LoneNic read(small_config(), 5), write(small_config(), 5);
  read.script->at(3, [](Registers& r) { EXPECT_EQ(r.read(reg::kSendGo), 0U); });
  write.script->at(3, [](Registers& r) { r.write(0xffc, 1); });
  for (LoneNic* bench : {&read, &write}) {
    bench->run_until(10);
    ASSERT_EQ(bench->traps.size(), 1U);
    EXPECT_TRUE(bench->nic.stopped());
  }
  EXPECT_EQ(read.traps[0].cause, 5U);
  EXPECT_EQ(read.traps[0].value, 0x40000058U);
  EXPECT_EQ(write.traps[0].cause, 7U);
}

}  // namespace
}  // namespace annelid::test
