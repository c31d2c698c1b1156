// CCL's algorithms with a parameter: results for every number of ranks, and the paper's counts of
// steps (C1) and of blocks (C2, C3). State space: 1 to 130 ranks, every k, radices 2 to 130, three
// roots.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "reference/catalogue.hpp"
#include "reference/exchanges/leaders.hpp"
#include "reference/operations.hpp"
#include "reference/rings/all_gather.hpp"
#include "reference/trees/radix_blocks.hpp"
#include "testbench/reference/flow_checks.hpp"

namespace annelid::reference {
namespace {

std::uint64_t count_of_messages(const DataFlow& flow) {
  std::uint64_t sum = 0;
  for (const auto& step : flow.steps) sum += step.size();
  return sum;
}

TEST(LeadersAllReduction, CombinesAllRanksInLog2PlusKSteps) {
  for (int p = 1; p <= kMostRanks; ++p) {
    for (int k = 0; k <= log2_of(p); ++k) {
      SCOPED_TRACE(testing::Message() << p << " ranks, k = " << k);
      const auto kept = static_cast<std::uint32_t>(k);
      const DataFlow flow = leaders_all_reduction(p, kept);
      expect_all_reduction(flow, leaders_keep_order(p, kept));
      if (HasFatalFailure()) return;
      ASSERT_EQ(steps_of(flow), log2_of(p) + k);
      for (const auto& step : flow.steps) ASSERT_FALSE(step.empty());
    }
  }
}

// C3 = m (n / 2^k) (log n + 2^(k+1) - k - 2): CCL 1995, Section 4.2.
TEST(LeadersAllReduction, SendsTheBlocksOfThePapersFormula) {
  for (int d = 0; d <= 7; ++d) {
    for (int k = 0; k <= d; ++k) {
      const auto formula = (1U << (d - k)) * static_cast<unsigned>(d + (2 << k) - k - 2);
      EXPECT_EQ(count_of_messages(leaders_all_reduction(1 << d, static_cast<std::uint32_t>(k))),
                formula)
          << "2^" << d << " ranks, k = " << k;
    }
  }
}

TEST(LeadersAllReduction, KeepsTheOrderIfTheLeadersAreAPowerOfTwo) {
  EXPECT_TRUE(leaders_keep_order(8, 0));
  EXPECT_TRUE(leaders_keep_order(7, 1));
  EXPECT_FALSE(leaders_keep_order(7, 0));
  EXPECT_FALSE(leaders_keep_order(5, 1));
  EXPECT_TRUE(leaders_keep_order(5, 2));
  EXPECT_TRUE(leaders_keep_order(130, 100)) << "a single leader";
}

// With five ranks: G - 1 = 4 is 100 in binary. Windows grow from 0 to 1, 2 and 4 ranks.
TEST(LeadersAllReduction, ExchangesWindowsOverACirculantGraph) {
  const DataFlow flow = leaders_all_reduction(5, 0);
  ASSERT_EQ(flow.steps.size(), 3u);
  const std::array distances = {1, 1, 2};
  const std::array<std::vector<int>, 3> of_rank_3 = {{{3}, {4}, {4, 0}}};
  for (std::size_t s = 0; s < 3; ++s) {
    for (const FlowMessage& m : flow.steps[s]) {
      EXPECT_EQ((m.to + distances.at(s)) % 5, m.from);
      if (m.from == 3) {
        EXPECT_EQ(flow.values.operands_of(m.value), of_rank_3.at(s));
      }
    }
  }
}

TEST(LeadersScan, CombinesTheRanksBelowInOrder) {
  for (int p = 1; p <= kMostRanks; ++p) {
    for (std::uint32_t k = 0; k <= 9; ++k) {
      for (const bool exclusive : {false, true}) {
        SCOPED_TRACE(testing::Message() << p << " ranks, k = " << k);
        const DataFlow flow = leaders_scan(p, k, exclusive);
        expect_scan(flow, exclusive);
        if (HasFatalFailure()) return;
        for (const auto& step : flow.steps) ASSERT_FALSE(step.empty());
      }
    }
  }
}

TEST(LeadersScan, TakesKMoreStepsThanTheFewestAndAtMostTwoMessagesARank) {
  for (int d = 1; d <= 7; ++d) {
    for (int k = 0; k < d; ++k) {
      EXPECT_EQ(steps_of(leaders_scan(1 << d, static_cast<std::uint32_t>(k), false)), d + k);
    }
    const DataFlow most = leaders_scan(1 << d, 100, false);
    EXPECT_EQ(steps_of(most), 2 * d - 1) << "nobody is above the last leader";
    EXPECT_LE(count_of_messages(most), 2U * ((1U << d) - 1));
  }
}

/// Each node's own block to start with (gather), or all blocks at the root (scatter).
std::vector<std::vector<int>> held_at_first(int p, int root, bool gathers) {
  std::vector<std::vector<int>> held(static_cast<std::size_t>(p));
  for (int r = 0; r < p; ++r) held[static_cast<std::size_t>(gathers ? r : root)].push_back(r);
  return held;
}

class RadixTree : public ::testing::TestWithParam<bool> {};

TEST_P(RadixTree, BringsEveryBlockToItsPlace) {
  const bool gathers = GetParam();
  for (int p = 1; p <= kMostRanks; p += p < 40 ? 1 : 9) {
    const Network net{p, 1};
    const std::vector<Node> nodes = members(net, {});
    for (const int root : {0, p / 2, p - 1}) {
      for (std::uint32_t radix = 0; radix <= static_cast<std::uint32_t>(p) + 1; ++radix) {
        if (radix == 1) continue;
        const BlockSchedule schedule =
            (gathers ? radix_gather : radix_scatter)(net, nodes, root, radix);
        const auto held = blocks_after(net, schedule, held_at_first(p, root, gathers));
        for (int r = 0; r < p; ++r) {
          const auto& blocks = held[static_cast<std::size_t>(r)];
          if (gathers && r == root) {
            ASSERT_EQ(blocks, ranks_between(0, p)) << p << " by " << radix;
          } else {
            ASSERT_TRUE(std::ranges::binary_search(blocks, r)) << p << " by " << radix;
          }
        }
        for (const auto& step : schedule) {
          ASSERT_FALSE(step.empty());
          for (const BlockMessage& m : step) ASSERT_FALSE(m.blocks.empty());
        }
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(RadixTree, RadixTree, ::testing::Bool(),
                         [](const auto& test) { return test.param ? "gather" : "scatter"; });

/// C1 and, in blocks, C3.
using Counts = std::pair<std::size_t, std::size_t>;
Counts counts(int p, std::uint32_t radix) {
  const Network net{p, 1};
  const BlockSchedule schedule = radix_scatter(net, members(net, {}), 0, radix);
  std::size_t blocks = 0;
  for (const auto& step : schedule) {
    for (const BlockMessage& m : step) blocks += m.blocks.size();
  }
  return {schedule.size(), blocks};
}

// CCL 1995, Section 4.2: C1 = log n and C3 = (m log n) / 2, or C1 = n - 1 and C3 = m (n - 1) / n.
// There m is what the root has, n blocks.
TEST(RadixTreeCounts, AreThoseOfThePaperAtBothEnds) {
  for (int d = 1; d <= 7; ++d) {
    const std::size_t n = std::size_t{1} << d;
    EXPECT_EQ((counts(1 << d, 2)), (Counts(d, n * static_cast<std::size_t>(d) / 2)));
    EXPECT_EQ((counts(1 << d, 1U << d)), (Counts(n - 1, n - 1)));
  }
  for (int p = 2; p <= kMostRanks; ++p) {
    EXPECT_EQ(counts(p, 2).first, static_cast<std::size_t>(log2_of(p)));
    EXPECT_EQ((counts(p, 1000)), (Counts(p - 1, p - 1)));
  }
}

TEST(RadixTreeCounts, LieBetweenThemForOtherRadices) {
  EXPECT_EQ((counts(64, 4)), (Counts(9, 144)));
  EXPECT_EQ((counts(64, 8)), (Counts(14, 112)));
  EXPECT_EQ((counts(81, 3)), (Counts(8, 216)));
}

TEST(RadixTreeCounts, ARadixOfOneIsRefused) { EXPECT_THROW(counts(5, 1), std::invalid_argument); }

TEST(ExchangeAllGather, TakesLog2StepsAndDoublesWhatIsHeld) {
  const Network net{4, 4};
  const Schedule schedule = exchange_all_gather(net, 10);
  ASSERT_EQ(schedule.steps.size(), 4u);
  std::vector<std::vector<int>> held(16);
  for (int r = 0; r < 16; ++r) held[static_cast<std::size_t>(r)] = {r};
  for (const Step& step : schedule.steps) {
    const auto before = held;
    for (const Message& m : step) {
      const auto& sent = before[static_cast<std::size_t>(index_of(net, m.from))];
      auto& to = held[static_cast<std::size_t>(index_of(net, m.to))];
      EXPECT_EQ(m.bytes, 10 * sent.size());
      to.insert(to.end(), sent.begin(), sent.end());
    }
  }
  for (auto& blocks : held) EXPECT_EQ(sorted(blocks), ranks_between(0, 16));
}

TEST(ExchangeAllGather, RunsOnPowersOfTwoAlone) {
  EXPECT_TRUE(exchange_takes(1));
  EXPECT_TRUE(exchange_takes(4096));
  EXPECT_FALSE(exchange_takes(8192));
  EXPECT_FALSE(exchange_takes(12));
  EXPECT_THROW(exchange_all_gather({3, 4}, 8), std::invalid_argument);
}

}  // namespace
}  // namespace annelid::reference
