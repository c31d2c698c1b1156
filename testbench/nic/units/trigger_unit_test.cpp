// The trigger unit: which held send fires, and when.
#include "nic/trigger_unit.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>
#include <vector>

namespace annelid::nic {
namespace {

using Counters = std::array<std::uint32_t, reg::kCounters>;

TEST(TriggerUnit, FiresAtTheThresholdAndNotBefore) {
  ListPlaces lists;
  TriggerUnit unit(lists);
  Counters counters{};
  unit.hold(9, 31, 3);
  counters[31] = 2;
  counters[30] = 100;
  EXPECT_FALSE(unit.can_fire(counters));
  EXPECT_EQ(unit.fire(counters), std::nullopt);
  counters[31] = 3;
  EXPECT_TRUE(unit.can_fire(counters));
  EXPECT_EQ(unit.fire(counters), Place{9});
  EXPECT_TRUE(unit.empty());
  EXPECT_FALSE(unit.can_fire(counters));
  EXPECT_EQ(unit.fire(counters), std::nullopt) << "it fired twice";
}

TEST(TriggerUnit, OnePerCycleTheOldestThatMay) {
  ListPlaces lists;
  TriggerUnit unit(lists);
  Counters counters{};
  unit.hold(5, 0, 1);
  unit.hold(2, 1, 1);
  unit.hold(7, 0, 1);
  counters[1] = 1;
  EXPECT_EQ(unit.fire(counters), Place{2}) << "an older one that may not does not block";
  counters[0] = 1;
  EXPECT_EQ(unit.fire(counters), Place{5});
  EXPECT_EQ(unit.fire(counters), Place{7});
}

TEST(TriggerUnit, ThresholdsAreUnsignedAndZeroFiresAtOnce) {
  ListPlaces lists;
  TriggerUnit unit(lists);
  Counters counters{};
  unit.hold(0, 0, 0x80000001);
  unit.hold(1, 1, 0);
  EXPECT_EQ(unit.fire(counters), Place{1});
  EXPECT_FALSE(unit.can_fire(counters));
  counters[0] = 0x80000000;
  EXPECT_FALSE(unit.can_fire(counters));
  counters[0] = 0x80000001;
  EXPECT_EQ(unit.fire(counters), Place{0});
}

TEST(TriggerUnit, LooksAtAListAgainWhenSomethingOfItIsComplete) {
  ListPlaces lists;
  TriggerUnit unit(lists);
  const Counters counters{};
  lists.set(3, 0x100, 1, 2);
  lists.start(3, {}, 10);
  lists.issue(0, kReceives, 5);
  const Dependencies receive{Dependency{0x8000}, Dependency{}, Dependency{}};
  lists.issue(0, kSends, 7);
  unit.hold(7, {0, false, 1, 9, receive});
  lists.issue(0, kSends, 8);
  unit.hold(8, {0, false, 1, 9, {}});
  EXPECT_FALSE(unit.can_fire(counters));
  lists.complete(kReceives, PlaceSet{1} << 5, 0);
  EXPECT_TRUE(unit.can_fire(counters));
  EXPECT_EQ(unit.fire(counters), Place{7});
  EXPECT_EQ(unit.fire(counters), Place{8}) << "nothing holds it any more";
  EXPECT_TRUE(unit.empty());
}

TEST(TriggerUnit, RandomHoldsFireInTheOrderOfGo) {
  struct Held {
    Place send;
    unsigned counter;
    std::uint32_t threshold;
  };
  std::mt19937_64 random(1);
  ListPlaces lists;
  TriggerUnit unit(lists);
  Counters counters{};
  std::vector<Held> model;
  unsigned fired = 0, most = 0;
  for (int cycle = 0; cycle < 20'000; ++cycle) {
    if (model.size() < 64 && random() % 4 == 0) {
      Place send = 0;
      const auto taken = [&](const Held& held) { return held.send == send; };
      do {
        send = static_cast<Place>(random() % 64);
      } while (std::any_of(model.begin(), model.end(), taken));
      const unsigned counter = random() % 32;
      const auto threshold = counters[counter] + static_cast<std::uint32_t>(random() % 20);
      model.push_back({send, counter, threshold});
      unit.hold(send, static_cast<std::uint8_t>(counter), threshold);
    }
    ++counters[random() % 32];
    const auto may = std::find_if(model.begin(), model.end(), [&](const Held& held) {
      return counters[held.counter] >= held.threshold;
    });
    ASSERT_EQ(unit.can_fire(counters), may != model.end());
    const auto send = unit.fire(counters);
    ASSERT_EQ(send.has_value(), may != model.end());
    if (send) {
      ASSERT_EQ(*send, may->send);
      model.erase(may);
      ++fired;
    }
    ASSERT_EQ(unit.empty(), model.empty());
    most = std::max(most, static_cast<unsigned>(model.size()));
  }
  EXPECT_GT(fired, 2000u);
  EXPECT_EQ(most, 64u);
}

}  // namespace
}  // namespace annelid::nic
