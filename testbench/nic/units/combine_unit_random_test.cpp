// The combine unit with random receives, against a model that keeps every flit's start for ever and
// looks at all of them (docs/internals/nic/combining.md). State space: equal and different targets
// and operands, arrival in any order and with gaps, messages that are shorter than their room,
// empty or dropped, 1..8 lanes, budgets, sleeping between events.
#include <gtest/gtest.h>

#include <bit>
#include <map>
#include <random>
#include <vector>

#include "testbench/nic/units/combine_unit_bench.hpp"

namespace annelid::nic {
namespace {

using reg::Type;

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
