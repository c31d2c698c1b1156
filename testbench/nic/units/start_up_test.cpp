// The start-up unit against its formula, in closed form.
// State space: alpha 0, 1 and more; gos in the same, in the next and in distant cycles; sends to
// other nodes and to the node itself.
#include "nic/start_up.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace annelid::nic {
namespace {

/// The cycles that sends with gos in `entered` leave in, asking the unit only where next() says.
std::vector<Cycle> leave_cycles(Cycle alpha, const std::vector<Cycle>& entered,
                                const std::vector<bool>& to_itself = {}) {
  StartUp unit(alpha);
  std::vector<Cycle> left;
  std::size_t next_entry = 0;
  while (left.size() < entered.size()) {
    const Cycle go = next_entry < entered.size() ? entered[next_entry] : kNever;
    const Cycle now = std::min(go, unit.next());
    for (; next_entry < entered.size() && entered[next_entry] == now; ++next_entry) {
      unit.enter(static_cast<Place>(next_entry % 64), !to_itself.empty() && to_itself[next_entry],
                 now);
    }
    if (const auto send = unit.leave(now)) {
      EXPECT_EQ(*send, left.size() % 64) << "order";
      left.push_back(now);
    }
    EXPECT_FALSE(unit.leave(now)) << "two in one cycle";
  }
  EXPECT_TRUE(unit.empty());
  EXPECT_EQ(unit.next(), kNever);
  return left;
}

TEST(StartUp, WithoutAlphaASendIsAdmittedInTheCycleOfItsGo) {
  EXPECT_EQ(leave_cycles(0, {0, 5, 6, 6, 6, 7, 20}), (std::vector<Cycle>{0, 5, 6, 7, 8, 9, 20}));
}

TEST(StartUp, SendsOfOneNodeAreStartedOneAfterTheOther) {
  EXPECT_EQ(leave_cycles(10, {0, 0, 3, 50, 55}), (std::vector<Cycle>{10, 20, 30, 60, 70}));
  EXPECT_EQ(leave_cycles(1, {4, 4, 5, 9}), (std::vector<Cycle>{5, 6, 7, 10}));
}

TEST(StartUp, ASendToTheNodeItselfHasNoAlphaAndKeepsItsTurn) {
  EXPECT_EQ(leave_cycles(10, {0, 0, 0, 3, 50, 51}, {true, true, false, true, false, true}),
            (std::vector<Cycle>{0, 1, 11, 12, 60, 61}));
}

TEST(StartUp, RandomGosFollowTheFormula) {
  std::mt19937_64 random(1);
  for (int run = 0; run < 300; ++run) {
    const Cycle alpha = run % 3 == 0 ? random() % 3 : random() % 200;
    std::vector<Cycle> entered, expected;
    std::vector<bool> to_itself;
    Cycle go = 0;
    for (int i = 0; i < 60; ++i) {
      go += random() % 4 == 0 ? random() % 300 : random() % 2;
      entered.push_back(go);
      to_itself.push_back(random() % 4 == 0);
      const Cycle start = to_itself.back() ? 0 : alpha, own = go + start;
      expected.push_back(i == 0 ? own : std::max(own, expected.back() + (start == 0 ? 1 : start)));
    }
    ASSERT_EQ(leave_cycles(alpha, entered, to_itself), expected) << "alpha " << alpha;
  }
}

}  // namespace
}  // namespace annelid::nic
