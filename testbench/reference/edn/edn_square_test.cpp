// Tsai's EDN broadcast as the reference builds it: Definitions 2 and 3, Table 3.1, Appendix A and
// Section 3.3.5. State space: every source of 4x4 to 32x32, sampled sources of 64x64 to 256x256.
#include "reference/edn/edn_square.hpp"

#include <gtest/gtest.h>

#include <set>

#include "reference/checks/contention.hpp"

namespace annelid::reference {
namespace {

int k_of(int side) {
  int k = 0;
  while (4 << k < side) ++k;
  return k;
}

std::vector<Node> all_nodes(int side) {
  std::vector<Node> nodes;
  for (int i = 0; i < side * side; ++i) nodes.push_back(node_at({side, side}, i));
  return nodes;
}

class EdnBroadcast : public ::testing::TestWithParam<int> {
 protected:
  const int side_ = GetParam();
  const Network size_{side_, side_};
};

TEST_P(EdnBroadcast, TakesKPlusThreeStepsFromEverySource) {
  for (Node root : all_nodes(side_)) {
    const Schedule schedule = edn_broadcast(size_, root, 1);
    ASSERT_EQ(schedule.steps.size(), static_cast<std::size_t>(k_of(side_) + 3));
    for (const Step& step : schedule.steps) ASSERT_FALSE(step.empty()) << to_string(root);
  }
}

TEST_P(EdnBroadcast, ReachesEveryNodeExactlyOnceFromHoldersFromEverySource) {
  for (Node root : all_nodes(side_)) {
    const Schedule schedule = edn_broadcast(size_, root, 1);
    ASSERT_EQ(schedule.messages(), static_cast<std::uint64_t>(side_ * side_ - 1));
    const auto violation = broadcast_violation(size_, root, schedule);
    ASSERT_FALSE(violation.has_value()) << to_string(root) << ": " << *violation;
  }
}

TEST_P(EdnBroadcast, IsFreeOfStepwiseContentionWithAtMostThreeSendsPerNodeAndStep) {
  for (Node root : all_nodes(side_)) {
    for (const StepContention& step : contention(size_, edn_broadcast(size_, root, 1))) {
      ASSERT_TRUE(step.conflicts.empty()) << to_string(root);
      ASSERT_LE(step.max_load, 1);
      ASSERT_LE(step.max_sends, 3);
    }
  }
}

TEST_P(EdnBroadcast, DominatingNodesOfEachLevelReachAllOfTheLevelBelowInOneStep) {
  // Definition 2: edge-disjoint paths from D2 to every node of D1 - D2. The schedule's own
  // messages are the paths; here their ends are compared with the sets.
  const Pattern whole = side_ == 4 ? Pattern::kB : Pattern::kD;
  const Node root = tops(side_, whole)[0];
  const Schedule schedule = edn_broadcast(size_, root, 1);
  std::size_t step = 2;
  for (int level = side_; level >= 4; level /= 2, ++step) {
    const auto upper = dominating_nodes(side_, whole, level);
    const auto lower = level == 4 ? all_nodes(side_) : dominating_nodes(side_, whole, level / 2);
    const std::set<Node> d2(upper.begin(), upper.end()), d1(lower.begin(), lower.end());
    ASSERT_EQ(d2.size(), upper.size());
    ASSERT_EQ(d2.size(), static_cast<std::size_t>(4 * (side_ / level) * (side_ / level)));
    std::set<Node> reached = d2;
    for (const Message& m : schedule.steps[step]) {
      ASSERT_TRUE(d2.contains(m.from));
      ASSERT_TRUE(d1.contains(m.to));
      reached.insert(m.to);
    }
    ASSERT_EQ(reached, d1);
  }
}

INSTANTIATE_TEST_SUITE_P(Sides, EdnBroadcast, ::testing::Values(4, 8, 16, 32),
                         [](const auto& test) { return std::to_string(test.param); });

TEST(EdnBroadcastLarge, SampledSourcesOf64To256KeepAllRules) {
  for (int side : {64, 128, 256}) {
    for (Node root : {Node{0, 0}, Node{side - 1, side / 2}, Node{side / 3, side - 1}}) {
      const Schedule schedule = edn_broadcast({side, side}, root, 1);
      EXPECT_EQ(schedule.steps.size(), static_cast<std::size_t>(k_of(side) + 3));
      const auto violation = broadcast_violation({side, side}, root, schedule);
      EXPECT_FALSE(violation.has_value()) << *violation;
      for (const auto& step : contention({side, side}, schedule))
        EXPECT_TRUE(step.conflicts.empty());
    }
  }
}

TEST(EdnBroadcastPath, MeanOfAllMessagesOfAllSourcesOn32x32Is1Point86Hops) {
  std::uint64_t hops = 0, messages = 0;
  for (Node root : all_nodes(32)) {
    const Schedule schedule = edn_broadcast({32, 32}, root, 1);
    hops += annelid::reference::hops({32, 32}, schedule);
    messages += schedule.messages();
  }
  EXPECT_EQ(messages, 1024u * 1023u);
  const double mean = static_cast<double>(hops) / static_cast<double>(messages);
  EXPECT_NEAR(mean, 1.86, 0.005);
  EXPECT_NEAR(mean, 1.86212, 0.000005);  // of this startup rule; with least hops it is 1.8574
}

TEST(EdnPatterns, AAndBAreTheOnlyDominatingSetsOfFourNodesOf4x4) {
  std::set<std::set<Node>> found;
  const auto nodes = all_nodes(4);
  for (unsigned mask = 0; mask < 1u << 16; ++mask) {
    if (__builtin_popcount(mask) != 4) continue;
    unsigned covered = 0;
    for (int i = 0; i < 16; ++i) {
      if ((mask >> i & 1) == 0) continue;
      for (int j = 0; j < 16; ++j) {
        if (distance({4, 4}, nodes[static_cast<std::size_t>(i)],
                     nodes[static_cast<std::size_t>(j)]) <= 1) {
          covered |= 1u << j;
        }
      }
    }
    if (covered != 0xffff) continue;
    std::set<Node> dominating;
    for (int i = 0; i < 16; ++i) {
      if ((mask >> i & 1) != 0) dominating.insert(nodes[static_cast<std::size_t>(i)]);
    }
    found.insert(dominating);
  }
  const auto as_set = [](Pattern p) {
    const auto t = tops(4, p);
    return std::set<Node>(t.begin(), t.end());
  };
  EXPECT_EQ(found, (std::set<std::set<Node>>{as_set(Pattern::kA), as_set(Pattern::kB)}));
}

TEST(EdnPatterns, RecursionMeetsTheClosedFormsOfAppendixA) {
  // For 2^k nodes a side, k >= 4; the printed B_x of even k is corrected from +1 to -1.
  for (int k = 4; k <= 8; ++k) {
    const int p = 1 << k;
    const auto [a, b, c, d] = tops(p, Pattern::kD);
    if (k % 2 == 0) {
      EXPECT_EQ(a, (Node{(p / 2 - 2) / 3, (p + 5) / 3}));
      EXPECT_EQ(b, (Node{(3 * p - p / 2 - 1) / 3, (p + 5) / 3}));
      EXPECT_EQ(c, (Node{(p - 1) / 3, (2 * p - 8) / 3}));
      EXPECT_EQ(d, (Node{(2 * p - 2) / 3, (2 * p - 8) / 3}));
    } else {
      EXPECT_EQ(a, (Node{(p / 2 - 1) / 3, (p - 8) / 3}));
      EXPECT_EQ(b, (Node{(3 * p - p / 2 - 2) / 3, (p - 8) / 3}));
      EXPECT_EQ(c, (Node{(p - 2) / 3, (2 * p + 5) / 3}));
      EXPECT_EQ(d, (Node{(2 * p - 1) / 3, (2 * p + 5) / 3}));
    }
  }
}

TEST(EdnPatterns, Level2To1MessagesOf8x8TakeFortyHops) {
  // From a source that is a top, step 3 holds all twelve messages but any to the source.
  const Schedule schedule = edn_broadcast({8, 8}, {1, 0}, 1);
  ASSERT_EQ(schedule.steps[2].size(), 12u);
  int hops = 0;
  for (const Message& m : schedule.steps[2]) hops += distance({8, 8}, m.from, m.to);
  EXPECT_EQ(hops, 40);
}

TEST(EdnBroadcastErrors, SizesAndRootsThatDoNotFitAreRefused) {
  EXPECT_THROW(edn_broadcast({8, 4}, {0, 0}, 1), std::invalid_argument);
  EXPECT_THROW(edn_broadcast({12, 12}, {0, 0}, 1), std::invalid_argument);
  EXPECT_THROW(edn_broadcast({2, 2}, {0, 0}, 1), std::invalid_argument);
  EXPECT_THROW(edn_broadcast({8, 8}, {8, 0}, 1), std::invalid_argument);
  EXPECT_THROW(edn_broadcast({257, 257}, {0, 0}, 1), std::invalid_argument);
}

}  // namespace
}  // namespace annelid::reference
