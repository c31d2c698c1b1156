// Places, completion queue, counters: the order within a cycle, gamma, and who is freed when.
// The random case compares with a model of lists that are sorted by the rules of
// docs/internals/nic/registers.md.
#include "nic/completions.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <map>
#include <random>
#include <tuple>
#include <vector>

namespace annelid::nic {
namespace {

constexpr std::uint32_t kNone = 0xFF, kQuiet = 0x100;
constexpr std::uint32_t kValidBit = 1u << 31, kReceive = 1u << 30, kFailed = 1u << 29;
constexpr unsigned kDelivery = Completions::kDelivery, kUnit = Completions::kUnit;

std::vector<std::uint32_t> take_all(Completions& completions) {
  std::vector<std::uint32_t> taken;
  while (const std::uint32_t entry = completions.take()) taken.push_back(entry);
  return taken;
}

TEST(Completions, AnEntryShowsAfterItsCycleWithIdBytesAndKind) {
  Completions completions(0);
  const Place send = completions.start_send(0xABCD, kNone, 77);
  const Place receive = completions.start_receive(0x1234, kNone);
  completions.received(receive, 2, 99, false, 10);
  completions.sent(send, 0);
  EXPECT_FALSE(completions.waiting());
  EXPECT_EQ(completions.take(), 0u);
  const auto completed = completions.commit(10);
  EXPECT_EQ(completed.sends, PlaceSet{1} << send);
  EXPECT_EQ(completed.receives, PlaceSet{1} << receive);
  EXPECT_TRUE(completions.waiting());
  EXPECT_EQ(completions.taken_bytes(), 0u);
  EXPECT_EQ(completions.take(), kValidBit | kReceive | 0x1234);
  EXPECT_EQ(completions.taken_bytes(), 99u);
  EXPECT_EQ(completions.take(), kValidBit | 0xABCD);
  EXPECT_EQ(completions.taken_bytes(), 77u);
  EXPECT_FALSE(completions.waiting());
  EXPECT_EQ(completions.take(), 0u);
  EXPECT_EQ(completions.taken_bytes(), 77u) << "of the one that was taken last";
  EXPECT_FALSE(completions.commit(11).any());
}

TEST(Completions, FailedOnesSaySo) {
  Completions completions(0);
  completions.received(completions.start_receive(1, kNone), 0, 500, true, 0);
  completions.sent(completions.start_send(2, kNone, 6), kUnit, true);
  completions.commit(0);
  EXPECT_EQ(completions.take(), kValidBit | kReceive | kFailed | 1);
  EXPECT_EQ(completions.taken_bytes(), 500u);
  EXPECT_EQ(completions.take(), kValidBit | kFailed | 2);
  // The places' next users do not inherit it.
  completions.received(completions.start_receive(3, kNone), 0, 5, false, 1);
  completions.sent(completions.start_send(4, kNone, 6), 0);
  completions.commit(1);
  EXPECT_EQ(completions.take(), kValidBit | kReceive | 3);
  EXPECT_EQ(completions.take(), kValidBit | 4);
}

TEST(Completions, OfOneCycleEnterInTheDocumentedOrder) {
  Completions completions(0);
  std::map<std::uint16_t, Place> sends, receives;
  for (std::uint16_t id = 0; id < 10; ++id) {
    sends[id] = completions.start_send(id, kNone, 0);
    receives[id] = completions.start_receive(id, kNone);
  }
  completions.sent(sends[0], kDelivery);
  completions.sent(sends[1], 3);
  completions.sent(sends[2], 0);
  completions.sent(sends[3], kUnit, true);
  completions.received(receives[0], kDelivery, 0, false, 0);
  completions.received(receives[1], 3, 0, false, 0);
  completions.received(receives[2], 0, 0, false, 0);
  for (const std::uint16_t id : {9, 4, 7}) {
    completions.received(receives[id], kUnit, 0, false, 0);
  }
  completions.commit(0);
  std::vector<std::uint32_t> expected;
  for (const unsigned id : {4, 7, 9, 2, 1, 0}) expected.push_back(kValidBit | kReceive | id);
  expected.push_back(kValidBit | kFailed | 3);
  for (const unsigned id : {2, 1, 0}) expected.push_back(kValidBit | id);
  EXPECT_EQ(take_all(completions), expected);
}

TEST(Completions, AgeIsTheOrderOfGoNotOfPlaces) {
  Completions completions(0);
  const Place first = completions.start_receive(1, kNone | kQuiet);
  const Place second = completions.start_receive(2, kNone);
  completions.received(first, 0, 0, false, 0);
  completions.commit(0);
  const Place third = completions.start_receive(3, kNone);
  EXPECT_EQ(third, first) << "the lowest free place";
  completions.received(third, kUnit, 0, false, 1);
  completions.received(second, kUnit, 0, false, 1);
  completions.commit(1);
  EXPECT_EQ(take_all(completions),
            (std::vector<std::uint32_t>{kValidBit | kReceive | 2, kValidBit | kReceive | 3}));
}

TEST(Completions, GammaHoldsReceivesBackAndNotSends) {
  Completions completions(5);
  const Place plain = completions.start_receive(1, 0);
  const Place combined = completions.start_receive(2, 1);
  completions.received(plain, 0, 8, false, 10);
  completions.sent(completions.start_send(3, kNone, 0), 0);
  EXPECT_EQ(completions.commit(10).receives, 0u);
  EXPECT_EQ(completions.take(), kValidBit | 3);
  EXPECT_EQ(completions.next(), 15u);
  completions.received(combined, kUnit, 8, false, 11);
  completions.commit(11);
  EXPECT_EQ(completions.next(), 15u);
  completions.commit(14);
  EXPECT_EQ(completions.counters()[0], 0u);
  EXPECT_EQ(completions.commit(15).receives, PlaceSet{1} << plain);
  EXPECT_EQ(completions.counters()[0], 1u);
  EXPECT_EQ(completions.next(), 16u);
  EXPECT_EQ(completions.commit(16).receives, PlaceSet{1} << combined);
  EXPECT_EQ(completions.counters()[1], 1u);
  EXPECT_EQ(completions.next(), kNever);
}

TEST(Completions, ReceivesThatGammaHeldBackEnterByAge) {
  Completions completions(3);
  const Place older = completions.start_receive(1, kNone);
  const Place younger = completions.start_receive(2, kNone);
  completions.received(younger, 0, 0, false, 4);
  completions.received(older, 1, 0, false, 4);
  for (Cycle t = 4; t <= 7; ++t) completions.commit(t);
  EXPECT_EQ(take_all(completions),
            (std::vector<std::uint32_t>{kValidBit | kReceive | 1, kValidBit | kReceive | 2}));
}

TEST(Completions, IncrementsAreAddedToWhatTheCoreWritesInTheirCycle) {
  Completions completions(0);
  const Place a = completions.start_send(1, 31, 0), b = completions.start_receive(2, 31);
  completions.write_counter(31, 0xFFFFFFFF);
  EXPECT_EQ(completions.counters()[31], 0xFFFFFFFF) << "triggers see it in the same cycle";
  completions.sent(a, 0);
  completions.received(b, 0, 0, false, 0);
  EXPECT_EQ(completions.counters()[31], 0xFFFFFFFF);
  completions.commit(0);
  EXPECT_EQ(completions.counters()[31], 1u);
  EXPECT_EQ(completions.counters()[0], 0u);
}

TEST(Completions, PlacesAreFreeWhenTakenAndQuietOnesWhenComplete) {
  Completions completions(0);
  EXPECT_EQ(completions.send_space(), 64u);
  const Place loud = completions.start_send(1, kNone, 0);
  const Place quiet = completions.start_send(2, kQuiet | 4, 0);
  const Place receive = completions.start_receive(3, kQuiet | kNone);
  EXPECT_EQ(completions.send_space(), 62u);
  EXPECT_EQ(completions.receive_space(), 63u);
  completions.sent(loud, 0);
  completions.sent(quiet, 1);
  completions.received(receive, 0, 0, false, 0);
  EXPECT_EQ(completions.send_space(), 62u);
  EXPECT_EQ(completions.receive_space(), 63u);
  completions.commit(0);
  EXPECT_EQ(completions.send_space(), 63u);
  EXPECT_EQ(completions.receive_space(), 64u);
  EXPECT_EQ(completions.counters()[4], 1u) << "quiet ones count";
  EXPECT_EQ(completions.sends(), PlaceSet{1} << loud);
  EXPECT_EQ(completions.take(), kValidBit | 1);
  EXPECT_EQ(completions.send_space(), 64u);
  EXPECT_EQ(completions.take(), 0u) << "quiet ones have no entry";
}

TEST(Completions, TheQueueHasRoomForAllPlaces) {
  Completions completions(0);
  for (std::uint16_t id = 0; id < 64; ++id) {
    EXPECT_EQ(completions.start_send(id, kNone, 0), id);
    EXPECT_EQ(completions.start_receive(id, kNone), id);
  }
  EXPECT_EQ(completions.send_space(), 0u);
  EXPECT_EQ(completions.receive_space(), 0u);
  for (Place place = 0; place < 64; ++place) {
    completions.sent(place, 0);
    completions.received(place, kUnit, 0, false, place);
    completions.commit(place);
  }
  EXPECT_EQ(take_all(completions).size(), 128u);
  EXPECT_EQ(completions.send_space(), 64u);
}

TEST(Completions, ListsEnterBehindTransfersInTheOrderInWhichTheyEnd) {
  constexpr std::uint32_t kList = 1u << 28;
  Completions completions(0);
  const Place send = completions.start_send(7, kNone, 0);
  EXPECT_FALSE(completions.due(10));
  completions.list_ended(0xBEEF, true);
  completions.list_ended(3, false);
  completions.sent(send, 0);
  EXPECT_TRUE(completions.due(10));
  EXPECT_EQ(completions.oldest(), 0u) << "shown in the cycle itself";
  completions.commit(10);
  EXPECT_EQ(completions.lists_waiting(), 2u);
  EXPECT_EQ(take_all(completions),
            (std::vector<std::uint32_t>{kValidBit | 7, kValidBit | kFailed | kList | 0xBEEF,
                                        kValidBit | kList | 3}));
  EXPECT_EQ(completions.lists_waiting(), 0u);
  EXPECT_EQ(completions.taken_bytes(), 0u);
}

TEST(Completions, AReservedPlaceIsNotFreeAndAsOldAsItsIssue) {
  Completions completions(5);
  const Place reserved = completions.reserve_receive();
  EXPECT_EQ(completions.receive_space(), 63u);
  EXPECT_EQ(completions.receives(), 0u) << "nothing is there yet";
  const Place older = completions.start_receive(1, kNone);
  completions.issue_receive(reserved);
  EXPECT_EQ(completions.receives(), PlaceSet{3});
  completions.received(reserved, 0, 8, false, 10);
  completions.received(older, 1, 8, false, 10);
  EXPECT_EQ(completions.commit(15).receives, PlaceSet{3});
  EXPECT_EQ(take_all(completions), std::vector<std::uint32_t>{kValidBit | kReceive | 1});
  EXPECT_EQ(completions.receive_space(), 64u) << "a list's transfer has no entry";
  EXPECT_EQ(completions.reserve_send(), 0u);
  completions.release_send(0);
  EXPECT_EQ(completions.send_space(), 64u);
}

TEST(Completions, RandomOnesEnterInTheDocumentedOrder) {
  // What the rules sort by: held back or not, send or receive, age or engine.
  using Key = std::tuple<int, std::uint64_t>;
  struct Said {
    Cycle due;
    Key key;
    std::uint32_t entry, notify, bytes;
  };
  struct Started {
    Place place;
    std::uint32_t id, notify, bytes;
    std::uint64_t age;
  };
  std::mt19937_64 random(1);
  unsigned taken = 0, together = 0, freed = 0;
  for (const Cycle gamma : {0, 1, 7}) {
    Completions completions(gamma);
    std::vector<Started> sends, receives;
    std::vector<Said> said;
    std::deque<Said> queue;
    std::array<std::uint32_t, 32> counters{};
    std::uint32_t send_space = 64, receive_space = 64, ids = 0;
    std::uint64_t age = 0;
    for (Cycle now = 0; now < 5000; ++now) {
      ASSERT_EQ(completions.send_space(), send_space);
      ASSERT_EQ(completions.receive_space(), receive_space);
      ASSERT_TRUE(std::equal(counters.begin(), counters.end(), completions.counters().begin()));
      ASSERT_EQ(completions.waiting(), !queue.empty());
      switch (random() % 6) {  // the core
        case 0: {
          const std::size_t counter = random() % 32;
          completions.write_counter(counter,
                                    counters[counter] = static_cast<std::uint32_t>(random()));
          break;
        }
        case 1:
        case 2: {
          const std::uint32_t entry = completions.take();
          ASSERT_EQ(entry, queue.empty() ? 0 : queue.front().entry);
          if (queue.empty()) break;
          ASSERT_EQ(completions.taken_bytes(), queue.front().bytes);
          ++((entry & kReceive) != 0 ? receive_space : send_space);
          queue.pop_front();
          ++taken;
          break;
        }
        default: {
          const bool receive = random() % 2 == 0;
          if ((receive ? receive_space : send_space) == 0) break;
          const std::uint32_t id = ids++ & 0xFFFF;
          std::uint32_t notify = random() % 3 == 0 ? kNone : random() % 32;
          if (random() % 2 == 0) notify |= kQuiet;
          const auto bytes = static_cast<std::uint32_t>(random() % 1000);
          const auto id16 = static_cast<std::uint16_t>(id);
          const Place place = receive ? completions.start_receive(id16, notify)
                                      : completions.start_send(id16, notify, bytes);
          (receive ? receives : sends).push_back({place, id, notify, bytes, age++});
          --(receive ? receive_space : send_space);
        }
      }
      const auto pick = [&](std::vector<Started>& from) {
        const std::size_t i = random() % from.size();
        const Started one = from[i];
        from.erase(from.begin() + static_cast<std::ptrdiff_t>(i));
        return one;
      };
      std::vector<unsigned> units{0, 1, 2, 3, 4, 5, kDelivery, kUnit, kUnit};
      std::shuffle(units.begin(), units.end(), random);
      for (const unsigned by : units) {
        if (!receives.empty() && random() % 16 == 0) {
          const Started one = pick(receives);
          const bool failed = random() % 8 == 0;
          completions.received(one.place, by, one.bytes, failed, now);
          const bool held = gamma > 0 || by == kUnit;
          said.push_back({now + gamma, held ? Key{0, one.age} : Key{1, by},
                          kValidBit | kReceive | (failed ? kFailed : 0) | one.id, one.notify,
                          one.bytes});
        }
      }
      units.pop_back();  // the trigger unit says one at most
      std::sort(units.begin(), units.end());
      units.erase(std::unique(units.begin(), units.end()), units.end());
      for (const unsigned by : units) {
        if (!sends.empty() && random() % 16 == 0) {
          const Started one = pick(sends);
          completions.sent(one.place, by);
          said.push_back({now, by == kUnit ? Key{2, 0} : Key{3, by}, kValidBit | one.id, one.notify,
                          one.bytes});
        }
      }
      completions.commit(now);
      std::sort(said.begin(), said.end(), [](const Said& a, const Said& b) {
        return std::tie(a.due, a.key) < std::tie(b.due, b.key);
      });
      unsigned entered = 0;
      for (; !said.empty() && said.front().due == now; said.erase(said.begin())) {
        const Said& one = said.front();
        if ((one.notify & 0xFF) != kNone) ++counters[one.notify & 0xFF];
        if ((one.notify & kQuiet) != 0) {
          ++((one.entry & kReceive) != 0 ? receive_space : send_space);
          ++freed;
        } else {
          queue.push_back(one);
          ++entered;
        }
      }
      together += entered > 1;
      ASSERT_EQ(completions.next(), said.empty() ? kNever : said.front().due);
    }
  }
  EXPECT_GT(taken, 2000u);
  EXPECT_GT(together, 200u);
  EXPECT_GT(freed, 1000u);
}

}  // namespace
}  // namespace annelid::nic
