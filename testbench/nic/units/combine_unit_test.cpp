// The combine unit, cycle by cycle: hand-made cases of each rule of docs/internals/nic.md, section
// 5, and random receives against a model that keeps every flit's start for ever and looks at all of
// them. State space: equal and different targets and operands, arrival in any order and with gaps,
// messages that are shorter than their room, empty or dropped, 1..8 lanes, budgets, sleeping
// between events.
#include "nic/combine_unit.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cstring>
#include <map>
#include <random>
#include <vector>

namespace annelid::nic {
namespace {

using reg::Operator;
using reg::Type;

constexpr std::uint64_t kMemory = 1 << 16;

CombiningReceive sum(std::uint64_t accumulator, std::uint64_t staging, std::uint32_t room,
                     Type type = Type::kInt64) {
  return {accumulator, accumulator, staging, room, Operator::kSum, type, false};
}
/// target := operand op message
CombiningReceive sum_apart(std::uint64_t target, std::uint64_t operand, std::uint64_t staging,
                           std::uint32_t room, Type type = Type::kInt64) {
  return {target, operand, staging, room, Operator::kSum, type, false};
}

/// A unit whose messages the test writes to staging.
struct Bench {
  explicit Bench(unsigned lanes) : unit(memory, lanes) {}

  /// A flit of 8 bytes reaches staging in cycle `now`.
  void stage(Place place, std::uint64_t offset, std::uint64_t value, Cycle now) {
    memory.store(offset, value, 8);
    unit.stage(place, now);
  }
  PlaceSet step(Cycle now, unsigned budget = CombineUnit::kUnlimited) {
    return unit.step(now, budget).completed;
  }

  NodeMemory memory{kMemory};
  CombineUnit unit;
};

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

// ---- Random receives ----------------------------------------------------------------------------

/// Section 5 taken literally: of every receive there ever was, when each flit was in staging and
/// when it was started.
class Model {
 public:
  struct Flit {
    Cycle staged = kNever, started = kNever;
    std::uint32_t message = 0;  ///< one element of the two; the other is its complement
  };
  struct Receive {
    Place place = 0;
    std::uint64_t target = 0, operand = 0;
    std::uint32_t room = 0;
    std::uint32_t length = ~0u;  ///< in flits; unknown before its header
    std::vector<Flit> flits;     ///< as many as the room has
    bool dropped = false, reported = false;
  };

  /// Starts and writes of cycle `now`; the result is what completes.
  PlaceSet step(Cycle now, unsigned lanes, std::map<std::uint64_t, std::uint64_t>& memory) {
    unsigned used = 0;
    for (std::size_t r = 0; r < receives.size(); ++r) {
      Receive& receive = receives[r];
      if (receive.dropped) continue;
      for (std::size_t i = 0; i < receive.flits.size() && used < lanes; ++i) {
        Flit& flit = receive.flits[i];
        if (flit.started != kNever) continue;
        if (flit.staged < now && may_start(r, i, now)) {
          flit.started = now;
          read[{r, i}] = memory[receive.operand + 8 * i];
          ++used;
        }
        break;  // one per cycle, in order
      }
    }
    started += used;
    PlaceSet completed = 0;
    for (std::size_t r = 0; r < receives.size(); ++r) {
      Receive& receive = receives[r];
      if (receive.dropped || receive.reported) continue;
      std::size_t written = 0;
      for (std::size_t i = 0; i < receive.flits.size(); ++i) {
        const Flit& flit = receive.flits[i];
        if (flit.started == kNever || flit.started + 3 > now) continue;
        ++written;
        if (flit.started + 3 == now) {
          const std::uint64_t old = read[{r, i}];
          const auto low = static_cast<std::uint32_t>(old) + flit.message;
          const auto high = static_cast<std::uint32_t>(old >> 32) + ~flit.message;
          memory[receive.target + 8 * i] = std::uint64_t{high} << 32 | low;
        }
      }
      if (written == receive.length) {
        completed |= PlaceSet{1} << receive.place;
        receive.reported = true;
      }
    }
    return completed;
  }

  std::vector<Receive> receives;  ///< in the order of go
  std::uint64_t started = 0;

 private:
  bool may_start(std::size_t r, std::size_t i, Cycle now) const {
    for (std::size_t older = 0; older < r; ++older) {
      const Receive& other = receives[older];
      const Receive& own = receives[r];
      const bool writes_mine = other.target == own.target || other.target == own.operand;
      if (other.dropped || !(writes_mine || other.operand == own.target)) continue;
      if (i >= other.flits.size() || i >= other.length) continue;
      if (other.flits[i].started == kNever || other.flits[i].started + 4 > now) return false;
    }
    return true;
  }

  std::map<std::pair<std::size_t, std::size_t>, std::uint64_t> read;
};

struct Stimulus {
  std::uint64_t completed = 0, dropped = 0, shorter = 0, empty = 0, chained = 0, slept = 0;
  std::uint64_t apart = 0, fed = 0;  ///< three operands; an operand that is still to be made
};

void random_run(std::uint64_t seed, bool sleeping, Stimulus& stimulus) {
  std::mt19937_64 random(seed);
  const unsigned lanes = 1 + random() % 8;
  const std::uint64_t gaps = 1 + random() % 6, accumulators = 1 + random() % 4;
  Bench bench(lanes);
  Model model;
  std::map<std::uint64_t, std::uint64_t> memory;
  PlaceSet occupied = 0;
  Cycle next = 0;
  for (Cycle now = 0; now < 1500; ++now) {
    bool news = false;
    if (now < 1200 && random() % 3 == 0 && std::popcount(occupied) < 12) {  // a go
      Place place = 0;
      do {
        place = static_cast<Place>(random() % 64);
      } while ((occupied >> place & 1) != 0);
      Model::Receive receive;
      receive.place = place;
      receive.target = receive.operand = 4096 * (random() % accumulators);
      if (random() % 2 == 0) receive.operand = 4096 * (random() % accumulators);
      stimulus.apart += receive.operand != receive.target;
      receive.flits.resize(random() % 12);
      receive.room = static_cast<std::uint32_t>(8 * receive.flits.size());
      for (const auto& other : model.receives) {
        stimulus.chained +=
            (occupied >> other.place & 1) != 0 && !other.reported && other.target == receive.target;
        stimulus.fed += (occupied >> other.place & 1) != 0 && !other.reported &&
                        receive.operand != receive.target && other.target == receive.operand;
      }
      bench.unit.post(place,
                      sum_apart(receive.target, receive.operand, 32768 + std::uint64_t{256} * place,
                                receive.room, Type::kUint32));
      occupied |= PlaceSet{1} << place;
      model.receives.push_back(receive);
      news = true;
    }
    for (auto& receive : model.receives) {  // arrivals
      if (receive.reported || receive.dropped) continue;
      const bool begun = receive.length != ~0u;
      if (now < 1200 && random() % 200 == 0) {
        bench.unit.drop(receive.place);
        receive.dropped = true;
        occupied &= ~(PlaceSet{1} << receive.place);
        ++stimulus.dropped;
        news = true;
      } else if (!begun && random() % (4 * gaps) == 0) {
        receive.length = static_cast<std::uint32_t>(receive.flits.size());
        if (random() % 3 == 0) receive.length = random() % (receive.length + 1);
        stimulus.shorter += receive.length < receive.flits.size();
        stimulus.empty += receive.length == 0;
        bench.unit.begin(receive.place, 8 * receive.length);
        news = true;
      } else if (begun && random() % gaps == 0) {
        std::size_t i = 0;
        while (i < receive.length && receive.flits[i].staged != kNever) ++i;
        if (i == receive.length) continue;
        const auto message = static_cast<std::uint32_t>(random());
        receive.flits[i].message = message;
        receive.flits[i].staged = now;
        bench.stage(receive.place, 32768 + std::uint64_t{256} * receive.place + 8 * i,
                    std::uint64_t{~message} << 32 | message, now);
        news = true;
      }
    }
    const PlaceSet expected = model.step(now, lanes, memory);
    PlaceSet completed = 0;
    if (!sleeping || news || now >= next) {
      completed = bench.step(now);
      next = bench.unit.next(now);
    } else {
      ++stimulus.slept;
    }
    ASSERT_EQ(completed, expected) << "cycle " << now;
    ASSERT_EQ(bench.unit.flits(), model.started) << "cycle " << now;
    occupied &= ~completed;
    stimulus.completed += static_cast<unsigned>(std::popcount(completed));
    for (const auto& [offset, value] : memory) {
      ASSERT_EQ(bench.memory.load(offset, 8), value) << "cycle " << now << " offset " << offset;
    }
  }
  ASSERT_TRUE(bench.unit.empty());
}

TEST(CombineUnit, RandomReceivesFollowTheLetterOfTheSpecification) {
  Stimulus stimulus;
  for (std::uint64_t seed = 0; seed < 60 && !testing::Test::HasFatalFailure(); ++seed) {
    SCOPED_TRACE(seed);
    random_run(seed, seed % 2 == 1, stimulus);
  }
  EXPECT_GT(stimulus.completed, 2000u);
  EXPECT_GT(stimulus.dropped, 100u);
  EXPECT_GT(stimulus.shorter, 200u);
  EXPECT_GT(stimulus.empty, 100u);
  EXPECT_GT(stimulus.chained, 1000u);
  EXPECT_GT(stimulus.apart, 1000u);
  EXPECT_GT(stimulus.fed, 1000u);
  EXPECT_GT(stimulus.slept, 1000u);
}

}  // namespace
}  // namespace annelid::nic
