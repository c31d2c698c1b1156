// The closed forms of 2Tree against each other and against the steps of the schedules. State space:
// p = 2 .. 1,024, four message lengths.
#include "reference/costs/two_tree_formulas.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "reference/pipelines/binary_tree.hpp"
#include "reference/pipelines/doubly_pipelined.hpp"
#include "reference/pipelines/linear_pipeline.hpp"
#include "reference/trees/binomial.hpp"
#include "reference/two_trees/two_tree.hpp"

namespace annelid::reference::formulas {
namespace {

const Cost kCost{200, 1.5, 0};

TEST(TwoTreeFormulas, Equation2IsTheTimeWithTheBestK) {
  for (int p = 2; p <= 1024; p *= 2) {
    for (const double n : {10.0, 1e3, 1e5, 1e7}) {
      const Pipelined steps = two_tree_steps(std::log2(p));
      EXPECT_NEAR(steps.best(kCost, n) / two_tree_time(kCost, p, n), 1, 1e-12);
      EXPECT_NEAR(steps.best_packets(kCost, n),
                  std::sqrt(kCost.beta * n * std::log2(p) / (2 * kCost.alpha)), 1e-9);
    }
  }
}

TEST(TwoTreeFormulas, NoOtherKIsBetterThanTheBest) {
  for (const Pipelined& steps :
       {linear_pipeline_steps(100), pipelined_binary_tree_steps(100), two_tree_steps(7),
        two_tree_scan_steps(7), doubly_pipelined_scan_steps(100)}) {
    const double best = steps.best(kCost, 1e4), k = steps.best_packets(kCost, 1e4);
    for (int i = 1; i <= 1000; ++i) EXPECT_GE(steps.at(kCost, 1e4, i), best * (1 - 1e-12));
    EXPECT_GT(steps.at(kCost, 1e4, k * 1.1), best);
    EXPECT_GT(steps.at(kCost, 1e4, k / 1.1), best);
  }
}

TEST(TwoTreeFormulas, LongMessagesTakeTheLowerBoundWithTwoTreesAndTwiceThatWithOne) {
  const double n = 1e14, bound = bandwidth_bound(kCost, n);
  EXPECT_NEAR(two_tree_time(kCost, 100, n) / bound, 1, 1e-4);
  EXPECT_NEAR(linear_pipeline_steps(100).best(kCost, n) / bound, 1, 1e-4);
  EXPECT_NEAR(pipelined_binary_tree_steps(100).best(kCost, n) / bound, 2, 1e-4);
  EXPECT_NEAR(two_tree_scan_steps(7).best(kCost, n) / bound, 2, 1e-4);
  EXPECT_NEAR(doubly_pipelined_scan_steps(100).best(kCost, n) / bound, 3, 1e-4);
  EXPECT_NEAR(two_tree_couples_steps(7).best(kCost, n) / bound, 2, 1e-4);
}

TEST(TwoTreeFormulas, ShortMessagesTakeTwiceTheLowerBoundOfSteps) {
  EXPECT_NEAR(two_tree_time(kCost, 100, 1e-3) / latency_bound(kCost, 100), 2, 1e-2);
}

TEST(TwoTreeFormulas, BoundTheStepsOfTheSchedules) {
  for (int p = 2; p <= 200; ++p) {
    // The height for all processes, the source being one of them, is that for the others in the
    // trees.
    EXPECT_EQ(two_tree_broadcast_height(p), two_tree_height(p - 1));
    for (const int k : {1, 3, 10}) {
      const auto steps = [&](const Pipelined& f) { return f.fixed + f.per_packet * k; };
      for (const SecondTree second : {SecondTree::kMirrored, SecondTree::kShifted}) {
        const int leaf = two_tree_streams(p, 0, k, second, OddProcess::kLeaf).steps();
        // Footnote 9: one less than 2 h + 2 k; q = p - 1 tree processes, q + 2 = p + 1.
        EXPECT_LE(leaf, steps(two_tree_steps(two_tree_broadcast_height(p))) - 1) << p;
        EXPECT_LE(static_cast<double>(two_tree_scan(p, k, second, false).steps.size()),
                  steps(two_tree_scan_steps(two_tree_broadcast_height(p + 1))) - 1)
            << p;
      }
      EXPECT_LE(two_tree_couples(p, 0, k).steps(),
                steps(two_tree_couples_steps(two_tree_broadcast_height((p + 1) / 2))));
      EXPECT_LE(linear_pipeline(p, 0, k).steps(), steps(linear_pipeline_steps(p)));
      EXPECT_LE(pipelined_binary_tree(p, 0, k).steps(),
                steps(pipelined_binary_tree_steps(p)) + 2);  // its log is rounded up
      EXPECT_LE(static_cast<double>(doubly_pipelined_scan(p, k, false).steps.size()),
                steps(doubly_pipelined_scan_steps(p)) + 4);
    }
  }
}

}  // namespace
}  // namespace annelid::reference::formulas
