// The range table against a map of who owns each byte of a small memory.
#include "nic/range_table.hpp"

#include <gtest/gtest.h>

#include <array>
#include <map>
#include <random>
#include <set>

namespace annelid::nic {
namespace {

using reg::Type;
using Collision = RangeTable::Collision;

ReceiveRanges plain(std::uint64_t begin, std::uint64_t end) { return {{begin, end}, {}, {}, {}}; }
ReceiveRanges combining(std::uint64_t begin, std::uint64_t staging, std::uint64_t bytes,
                        Type type) {
  return {{begin, begin + bytes}, {staging, staging + bytes}, {}, type};
}
ReceiveRanges apart(std::uint64_t target, std::uint64_t staging, std::uint64_t operand,
                    std::uint64_t bytes, Type type = Type::kInt32) {
  return {{target, target + bytes}, {staging, staging + bytes}, {operand, operand + bytes}, type};
}

void expect_collision(std::optional<Collision> found, bool receive, Place place) {
  ASSERT_TRUE(found);
  EXPECT_EQ(found->receive, receive);
  EXPECT_EQ(found->place, place);
}

TEST(RangeTable, NeighboursDoNotOverlapAndOneByteDoes) {
  RangeTable table;
  table.add_receive(3, plain(100, 200));
  EXPECT_FALSE(table.check(plain(0, 100)));
  EXPECT_FALSE(table.check(plain(200, 300)));
  expect_collision(table.check(plain(0, 101)), true, 3);
  expect_collision(table.check(plain(199, 300)), true, 3);
  expect_collision(table.check(plain(0, 1000)), true, 3);
  expect_collision(table.check(plain(150, 151)), true, 3);
  table.remove_receive(3);
  EXPECT_TRUE(table.empty());
  EXPECT_FALSE(table.check(plain(150, 151)));
}

TEST(RangeTable, SendsCollideWithReceivesAndNotWithSends) {
  RangeTable table;
  table.add_send(60, {100, 200});
  EXPECT_FALSE(table.check(MemoryRange{100, 200}));
  expect_collision(table.check(plain(150, 160)), false, 60);
  table.remove_send(60);
  table.add_receive(1, combining(100, 500, 50, Type::kInt32));
  expect_collision(table.check(MemoryRange{149, 160}), true, 1);
  expect_collision(table.check(MemoryRange{540, 541}), true, 1);
  EXPECT_FALSE(table.check(MemoryRange{150, 500}));
}

TEST(RangeTable, EmptyRangesOverlapNothing) {
  RangeTable table;
  table.add_receive(0, plain(100, 200));
  EXPECT_FALSE(table.check(plain(150, 150)));
  EXPECT_FALSE(table.check(MemoryRange{150, 150}));
  table.remove_receive(0);
  table.add_receive(0, plain(150, 150));
  table.add_send(0, {150, 150});
  EXPECT_FALSE(table.check(plain(100, 200)));
  EXPECT_FALSE(table.check(MemoryRange{100, 200}));
}

TEST(RangeTable, EqualAccumulatorsOfOneTypeMayBeShared) {
  RangeTable table;
  table.add_receive(0, combining(0, 1000, 64, Type::kInt32));
  EXPECT_FALSE(table.check(combining(0, 2000, 64, Type::kInt32)));
  EXPECT_TRUE(table.check(combining(0, 2000, 64, Type::kFloat32))) << "another type";
  EXPECT_TRUE(table.check(combining(0, 2000, 56, Type::kInt32))) << "not equal";
  EXPECT_TRUE(table.check(combining(8, 2000, 64, Type::kInt32))) << "not equal";
  EXPECT_TRUE(table.check(plain(0, 64))) << "not combining";
  EXPECT_TRUE(table.check(combining(0, 1060, 64, Type::kInt32))) << "common staging area";
  EXPECT_TRUE(table.check(combining(1000, 2000, 64, Type::kInt32))) << "accumulator in staging";
  EXPECT_TRUE(table.check(combining(2000, 0, 64, Type::kInt32))) << "staging in accumulator";
  table.remove_receive(0);
  table.add_receive(0, plain(0, 64));
  EXPECT_TRUE(table.check(plain(0, 64))) << "equal targets of plain receives";
}

TEST(RangeTable, OperandsAreOnlyRead) {
  RangeTable table;
  table.add_receive(0, apart(0, 1000, 2000, 64));
  EXPECT_FALSE(table.check(MemoryRange{2000, 2064})) << "a send reads it too";
  EXPECT_FALSE(table.check(apart(3000, 4000, 2000, 64))) << "another receive reads it too";
  EXPECT_FALSE(table.check(apart(3000, 4000, 2008, 64))) << "or a part";
  EXPECT_FALSE(table.check(combining(2000, 4000, 64, Type::kInt32))) << "an accumulator";
  EXPECT_FALSE(table.check(apart(3000, 3000, 0, 64))) << "the target of the older as operand";
  EXPECT_TRUE(table.check(apart(3000, 3000, 0, 64, Type::kFloat32))) << "of another type";
  EXPECT_TRUE(table.check(apart(3000, 3000, 8, 64))) << "a part of it";
  EXPECT_TRUE(table.check(apart(2008, 4000, 3000, 64))) << "a part of the operand is written";
  EXPECT_TRUE(table.check(plain(2000, 2001))) << "the operand is overwritten";
  EXPECT_TRUE(table.check(combining(3000, 2063, 64, Type::kInt32))) << "staging on the operand";
  EXPECT_TRUE(table.check(apart(3000, 4000, 1063, 64))) << "operand in staging";
  table.remove_receive(0);
  table.add_send(7, {2000, 2064});
  EXPECT_FALSE(table.check(apart(0, 1000, 2000, 64)));
  EXPECT_TRUE(table.check(apart(2000, 1000, 0, 64)));
}

TEST(RangeTable, ATargetThatIsItsOwnStagingAreaIsSharedByYoungerReceives) {
  RangeTable table;
  table.add_receive(0, apart(0, 0, 2000, 64));
  EXPECT_FALSE(table.check(combining(0, 1000, 64, Type::kInt32)));
  EXPECT_FALSE(table.check(apart(3000, 3000, 0, 64)));
  EXPECT_TRUE(table.check(apart(0, 0, 3000, 64))) << "its message would come too early";
  table.remove_receive(0);
  table.add_receive(0, combining(0, 1000, 64, Type::kInt32));
  EXPECT_TRUE(table.check(apart(0, 0, 3000, 64))) << "its message would come too early here, too";
}

TEST(RangeTable, AStridedSendCoversAllFromItsFirstByteToItsLast) {
  EXPECT_EQ(send_range(16, 100, 0, 0), (MemoryRange{16, 116}));
  EXPECT_EQ(send_range(16, 0, 8, 100), (MemoryRange{16, 16}));
  EXPECT_EQ(send_range(16, 8, 8, 100), (MemoryRange{16, 24}));
  EXPECT_EQ(send_range(16, 9, 8, 100), (MemoryRange{16, 117}));
  EXPECT_EQ(send_range(16, 24, 8, 100), (MemoryRange{16, 224}));
  EXPECT_EQ(send_range(0, 1 << 24, 8, 0xFFFFFFFF),
            (MemoryRange{0, ((1ull << 21) - 1) * 0xFFFFFFFF + 8}));
}

TEST(RangeTable, RandomRangesCollideWhereTheyShareABytesOwner) {
  // By byte: which receives and sends own it.
  struct Owners {
    std::set<Place> receives, sends;
  };
  std::mt19937_64 random(1);
  RangeTable table;
  std::map<Place, ReceiveRanges> receives;
  std::map<Place, MemoryRange> sends;
  const auto range = [&](std::uint64_t most) {
    const std::uint64_t begin = random() % 400;
    return MemoryRange{begin, begin + random() % most};
  };
  unsigned collided = 0, shared = 0, added = 0;
  for (int step = 0; step < 30'000; ++step) {
    std::array<Owners, 512> owners;
    for (const auto& [place, receive] : receives) {
      for (auto b = receive.target.begin; b < receive.target.end; ++b) {
        owners[b].receives.insert(place);
      }
      for (auto b = receive.staging.begin; b < receive.staging.end; ++b) {
        owners[b].receives.insert(place);
      }
    }
    for (const auto& [place, send] : sends) {
      for (auto b = send.begin; b < send.end; ++b) owners[b].sends.insert(place);
    }
    const auto place = static_cast<Place>(random() % 64);
    if (random() % 2 == 0) {
      const MemoryRange send = range(20);
      std::set<Place> expected;
      for (auto b = send.begin; b < send.end; ++b) expected.merge(owners[b].receives);
      const auto found = table.check(send);
      ASSERT_EQ(found.has_value(), !expected.empty());
      if (found) {
        ASSERT_TRUE(found->receive);
        ASSERT_EQ(found->place, *expected.begin());
      } else if (!sends.contains(place)) {
        table.add_send(place, send);
        sends[place] = send;
        ++added;
      }
      if (sends.contains(place) && random() % 2 == 0) {
        table.remove_send(place);
        sends.erase(place);
      }
    } else {
      ReceiveRanges receive;
      receive.target = range(20);
      if (random() % 2 == 0) {
        receive.type = static_cast<Type>(1 + random() % 2);
        const std::uint64_t staging = random() % 400;
        if (!receives.empty() && random() % 2 == 0)
          receive.target = receives.begin()->second.target;
        receive.staging = {staging, staging + receive.target.end - receive.target.begin};
        if (receive.staging == receive.target) continue;  // tested above
      }
      std::set<Place> expected, expected_sends;
      for (const MemoryRange& part : {receive.target, receive.staging}) {
        for (auto b = part.begin; b < part.end; ++b) {
          for (const Place owner : owners[b].receives) {
            const ReceiveRanges& other = receives[owner];
            const bool may_share = &part != &receive.staging && other.type == receive.type &&
                                   receive.type != Type::kBytes && other.target == receive.target &&
                                   part == receive.target &&
                                   !(other.staging.begin <= b && b < other.staging.end) &&
                                   !(receive.staging.begin <= b && b < receive.staging.end);
            shared += may_share;
            if (!may_share) expected.insert(owner);
          }
          expected_sends.merge(owners[b].sends);
        }
      }
      const auto found = table.check(receive);
      ASSERT_EQ(found.has_value(), !expected.empty() || !expected_sends.empty());
      if (found) {
        ASSERT_EQ(found->receive, !expected.empty());
        ASSERT_EQ(found->place, found->receive ? *expected.begin() : *expected_sends.begin());
        ++collided;
      } else if (!receives.contains(place)) {
        table.add_receive(place, receive);
        receives[place] = receive;
        ++added;
      }
      if (receives.contains(place) && random() % 2 == 0) {
        table.remove_receive(place);
        receives.erase(place);
      }
    }
  }
  EXPECT_GT(collided, 1000u);
  EXPECT_GT(shared, 1000u);
  EXPECT_GT(added, 1000u);
}

}  // namespace
}  // namespace annelid::nic
