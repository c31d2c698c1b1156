// The combine unit, cycle by cycle: hand-made cases of each rule of
// docs/internals/nic/combining.md.
#include <gtest/gtest.h>

#include <bit>
#include <map>

#include "testbench/nic/units/combine_unit_bench.hpp"

namespace annelid::nic {
namespace {

using reg::Type;

TEST(CombineUnit, AFlitIsReadTheCycleAfterItCameAndWrittenThreeLater) {
  Bench bench(1);
  bench.memory.store(0, 100, 8);
  bench.unit.post(5, sum(0, 64, 8));
  EXPECT_EQ(bench.step(9), 0u);
  bench.unit.begin(5, 8);
  bench.stage(5, 64, 11, 10);
  EXPECT_EQ(bench.unit.step(10).accesses, 0u);
  EXPECT_EQ(bench.unit.next(10), 11u);
  bench.memory.store(0, 1000, 8);  // the core, before the unit's turn in 11
  EXPECT_EQ(bench.unit.step(11).accesses, 1u);
  bench.memory.store(64, 0, 8);  // too late
  EXPECT_EQ(bench.unit.next(11), 14u);
  for (Cycle t = 12; t < 14; ++t) {
    EXPECT_EQ(bench.step(t), 0u);
    EXPECT_EQ(bench.memory.load(0, 8), 1000u);
    EXPECT_EQ(bench.unit.next(t), 14u);
  }
  EXPECT_FALSE(bench.unit.empty());
  EXPECT_EQ(bench.step(14), PlaceSet{1} << 5);
  EXPECT_EQ(bench.memory.load(0, 8), 1011u);
  EXPECT_TRUE(bench.unit.empty());
  EXPECT_EQ(bench.unit.next(14), kNever);
}

TEST(CombineUnit, KChildrenThatArriveAtOnceTakeFPlus4TimesKMinus1Cycles) {
  constexpr unsigned kChildren = 5, kFlits = 9;
  Bench bench(kChildren);
  for (Place child = 0; child < kChildren; ++child) {
    bench.unit.post(child, sum(0, std::uint64_t{1024} * (child + 1), 8 * kFlits));
    bench.unit.begin(child, 8 * kFlits);
  }
  Cycle last_start = 0;
  for (Cycle t = 0; t < 100; ++t) {
    if (t < kFlits) {
      for (Place child = 0; child < kChildren; ++child) {
        bench.stage(child, std::uint64_t{1024} * (child + 1) + 8 * t, child + 10 * t, t);
      }
    }
    const auto done = bench.unit.step(t);
    if (done.accesses > 0) last_start = t;
    if (done.completed != 0) {
      const auto child = static_cast<unsigned>(std::countr_zero(done.completed));
      EXPECT_EQ(done.completed, PlaceSet{1} << child) << "one after the other";
      EXPECT_EQ(t, kFlits + 4 * child + 3);  // started from cycle 1 on
    }
  }
  EXPECT_EQ(last_start, kFlits + 4 * (kChildren - 1));
  EXPECT_TRUE(bench.unit.empty());
  for (unsigned i = 0; i < kFlits; ++i) {
    EXPECT_EQ(bench.memory.load(std::uint64_t{8} * i, 8), 10 * i * kChildren + 10);
  }
}

TEST(CombineUnit, TheOrderOfGoHoldsWhateverArrivesFirst) {
  // Single precision sums that depend on their order.
  Bench bench(4);
  const auto bits = [](float value) { return std::bit_cast<std::uint32_t>(value); };
  bench.memory.store(0, bits(1e8f), 4);
  bench.unit.post(9, sum(0, 100, 4, Type::kFloat32));
  bench.unit.post(2, sum(0, 200, 4, Type::kFloat32));
  for (Place place : {2, 9}) bench.unit.begin(place, 4);
  bench.memory.store(200, bits(-1e8f), 4);
  bench.unit.stage(2, 0);
  for (Cycle t = 0; t < 20; ++t) EXPECT_EQ(bench.unit.step(t).accesses, 0u);
  EXPECT_EQ(bench.unit.next(19), kNever);
  bench.memory.store(100, bits(3.0f), 4);
  bench.unit.stage(9, 20);
  PlaceSet completed = 0;
  for (Cycle t = 20; t < 40; ++t) completed |= bench.step(t);
  EXPECT_EQ(completed, PlaceSet{1} << 9 | PlaceSet{1} << 2);
  EXPECT_EQ(bench.memory.load(0, 4), bits((1e8f + 3.0f) + -1e8f));
  EXPECT_NE(bits((1e8f + 3.0f) + -1e8f), bits((1e8f + -1e8f) + 3.0f)) << "the case tests nothing";
}

TEST(CombineUnit, NoMoreFlitsThanLanesStartOldestReceivesFirst) {
  Bench bench(2);
  for (Place place : {7, 3, 5}) {
    bench.unit.post(place, sum(std::uint64_t{1000} * place, std::uint64_t{1000} * place + 500, 16));
    bench.unit.begin(place, 16);
    bench.stage(place, std::uint64_t{1000} * place + 500, 1, 0);
  }
  for (Place place : {7, 3, 5}) bench.stage(place, std::uint64_t{1000} * place + 508, 1, 1);
  std::map<Place, Cycle> completed;
  for (Cycle t = 1; t < 10; ++t) {
    const auto done = bench.unit.step(t);
    EXPECT_EQ(done.accesses, t <= 2 ? 2u : t <= 4 ? 1u : 0u) << t;
    for (Place place : {7, 3, 5}) {
      if ((done.completed >> place & 1) != 0) completed[place] = t;
    }
  }
  EXPECT_EQ(completed, (std::map<Place, Cycle>{{7, 5}, {3, 5}, {5, 7}}));
}

TEST(CombineUnit, AReceiveStartsOneFlitPerCycle) {
  Bench bench(8);
  bench.unit.post(0, sum(0, 512, 64));
  bench.unit.begin(0, 64);
  for (unsigned i = 0; i < 8; ++i) bench.stage(0, 512 + 8 * i, i, 0);
  for (Cycle t = 0; t <= 9; ++t) {
    EXPECT_EQ(bench.unit.step(t).accesses, t >= 1 && t <= 8 ? 1u : 0u) << t;
  }
}

TEST(CombineUnit, TheBudgetLimitsStarts) {
  Bench bench(4);
  for (Place place = 0; place < 4; ++place) {
    bench.unit.post(place, sum(std::uint64_t{100} * place, 1000 + std::uint64_t{100} * place, 8));
    bench.unit.begin(place, 8);
    bench.stage(place, 1000 + std::uint64_t{100} * place, 1, 0);
  }
  EXPECT_EQ(bench.unit.step(1, 0).accesses, 0u);
  EXPECT_EQ(bench.unit.next(1), 2u);
  EXPECT_EQ(bench.unit.step(2, 3).accesses, 3u);
  EXPECT_EQ(bench.unit.next(2), 3u);
  EXPECT_EQ(bench.unit.step(3, 3).accesses, 1u);
  EXPECT_EQ(bench.unit.flits(), 4u);
}

TEST(CombineUnit, AnEmptyMessageCompletesInTheCycleOfItsHeader) {
  Bench bench(1);
  bench.unit.post(1, sum(0, 512, 64));
  bench.unit.post(2, sum(0, 768, 0));
  bench.unit.begin(1, 0);
  EXPECT_EQ(bench.step(4), PlaceSet{1} << 1);
  EXPECT_EQ(bench.step(5), 0u);
  EXPECT_EQ(bench.unit.next(5), kNever);
  bench.unit.begin(2, 0);
  EXPECT_EQ(bench.unit.next(5), 6u);
  EXPECT_EQ(bench.step(6), PlaceSet{1} << 2);
  EXPECT_TRUE(bench.unit.empty());
}

TEST(CombineUnit, FlitsBehindTheEndOfAnOlderMessageNeedNotWait) {
  Bench bench(2);
  bench.unit.post(1, sum(0, 512, 64));  // 8 flits of room
  bench.unit.post(2, sum(0, 1024, 64));
  bench.unit.begin(2, 24);
  for (unsigned i = 0; i < 3; ++i) bench.stage(2, 1024 + 8 * i, 5, i);
  for (Cycle t = 3; t < 9; ++t) EXPECT_EQ(bench.unit.step(t).accesses, 0u) << "may be as long";
  bench.unit.begin(1, 8);
  bench.stage(1, 512, 7, 9);
  EXPECT_EQ(bench.unit.step(9).accesses, 0u);
  EXPECT_EQ(bench.step(10), 0u);  // flit 0 of place 1
  Cycle t = 11;
  for (; bench.unit.flits() < 2; ++t) EXPECT_EQ(bench.unit.step(t).accesses, t < 14 ? 0u : 1u);
  EXPECT_EQ(t, 15u);
  PlaceSet completed = 0;
  for (; t < 30; ++t) {
    completed |= bench.step(t);
    EXPECT_EQ(completed, t < 19 ? 0 : PlaceSet{1} << 2) << t;
  }
  EXPECT_EQ(bench.memory.load(0, 8), 12u);
  EXPECT_EQ(bench.memory.load(16, 8), 5u);
  EXPECT_EQ(bench.memory.load(24, 8), 0u);
}

TEST(CombineUnit, ADroppedReceiveHoldsNobodyUpAndWritesNothingMore) {
  Bench bench(2);
  bench.unit.post(1, sum(0, 512, 16));
  bench.unit.post(2, sum(0, 1024, 16));
  for (Place place : {1, 2}) bench.unit.begin(place, 16);
  bench.stage(1, 512, 7, 0);
  for (unsigned i = 0; i < 2; ++i) bench.stage(2, 1024 + 8 * i, 5, i);
  EXPECT_EQ(bench.unit.step(1).accesses, 1u);  // flit 0 of place 1 is in flight
  bench.unit.drop(1);
  EXPECT_EQ(bench.unit.step(2).accesses, 1u);
  PlaceSet completed = 0;
  for (Cycle t = 3; t < 10; ++t) completed |= bench.step(t);
  EXPECT_EQ(completed, PlaceSet{1} << 2);
  EXPECT_EQ(bench.memory.load(0, 8), 5u);
  EXPECT_EQ(bench.memory.load(8, 8), 5u);

  bench.unit.post(1, sum(0, 512, 16));  // dropped before its message came, and as an empty one
  bench.unit.drop(1);
  bench.unit.post(1, sum(0, 512, 16));
  bench.unit.begin(1, 0);
  bench.unit.drop(1);
  EXPECT_EQ(bench.step(20), 0u);
  EXPECT_TRUE(bench.unit.empty());
}

TEST(CombineUnit, ALastFlitOfFourBytesLeavesTheNextFourAlone) {
  Bench bench(1);
  bench.memory.store(0, 0x0000000900000003, 8);
  bench.memory.store(8, 0xAAAAAAAA00000001, 8);
  bench.unit.post(0, sum(0, 512, 12, Type::kUint32));
  bench.unit.begin(0, 12);
  bench.stage(0, 512, 0x0000000100000001, 0);
  bench.stage(0, 520, 0x7777777700000001, 1);
  for (Cycle t = 1; t < 8; ++t) bench.step(t);
  EXPECT_EQ(bench.memory.load(0, 8), 0x0000000A00000004u);
  EXPECT_EQ(bench.memory.load(8, 8), 0xAAAAAAAA00000002u);
}

TEST(CombineUnit, ThreeOperandsLeaveTheOperandAndWriteTheTarget) {
  Bench bench(1);
  bench.memory.store(0, 7, 8);
  bench.memory.store(512, 99, 8);
  bench.memory.store(520, 1234, 8);
  bench.unit.post(3, sum_apart(512, 0, 512, 16));  // staged in the target
  bench.unit.begin(3, 8);
  bench.stage(3, 512, 100, 0);
  PlaceSet completed = 0;
  for (Cycle t = 1; t < 6; ++t) completed |= bench.step(t);
  EXPECT_EQ(completed, PlaceSet{1} << 3);
  EXPECT_EQ(bench.memory.load(0, 8), 7u);
  EXPECT_EQ(bench.memory.load(512, 8), 107u);
  EXPECT_EQ(bench.memory.load(520, 8), 1234u) << "behind the end of the message";
}

// The message of the younger receive is there first: its operand is not.
TEST(CombineUnit, AnOperandThatAnOlderReceiveMakesIsAwaited) {
  Bench bench(2);
  bench.memory.store(0, 1, 8);
  bench.unit.post(1, sum_apart(100, 0, 600, 8));    // 100 := 0 + message
  bench.unit.post(2, sum_apart(200, 100, 700, 8));  // 200 := 100 + message
  for (Place place : {1, 2}) bench.unit.begin(place, 8);
  bench.stage(2, 700, 1000, 0);
  for (Cycle t = 0; t < 10; ++t) EXPECT_EQ(bench.unit.step(t).accesses, 0u);
  bench.stage(1, 600, 10, 10);
  for (Cycle t = 10; t < 30; ++t) {
    EXPECT_EQ(bench.unit.step(t).accesses, t == 11 || t == 15 ? 1u : 0u) << t;
  }
  EXPECT_EQ(bench.memory.load(100, 8), 11u);
  EXPECT_EQ(bench.memory.load(200, 8), 1011u);
}

// The younger receive writes what the older one has still to read.
TEST(CombineUnit, AnOperandIsReadBeforeAYoungerReceiveWritesIt) {
  Bench bench(2);
  bench.memory.store(0, 1, 8);
  bench.unit.post(1, sum_apart(100, 0, 600, 8));
  bench.unit.post(2, sum(0, 700, 8));
  for (Place place : {1, 2}) bench.unit.begin(place, 8);
  bench.stage(2, 700, 1000, 0);
  for (Cycle t = 0; t < 10; ++t) EXPECT_EQ(bench.unit.step(t).accesses, 0u);
  bench.stage(1, 600, 10, 10);
  for (Cycle t = 10; t < 30; ++t) bench.step(t);
  EXPECT_EQ(bench.memory.load(100, 8), 11u);
  EXPECT_EQ(bench.memory.load(0, 8), 1001u);
}

TEST(CombineUnit, ReceivesThatOnlyReadTheSameDoNotWaitForEachOther) {
  Bench bench(2);
  bench.unit.post(1, sum_apart(100, 0, 600, 8));
  bench.unit.post(2, sum_apart(200, 0, 700, 8));
  for (Place place : {1, 2}) bench.unit.begin(place, 8);
  bench.stage(2, 700, 5, 0);
  EXPECT_EQ(bench.unit.step(1).accesses, 1u);
}

}  // namespace
}  // namespace annelid::nic
