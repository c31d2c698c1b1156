// What two trees are compared with, over ranks, by data flow: as in two_tree_test.cpp. State space:
// p = 1 .. 130 ranks, the roots 0, p - 1 and one between, k = 1, 2, 3, 7 packets.
#include <span>

#include "reference/exchanges/butterfly.hpp"
#include "reference/exchanges/elimination_butterfly.hpp"
#include "reference/exchanges/simultaneous_binomial.hpp"
#include "reference/pipelines/binary_tree.hpp"
#include "reference/pipelines/circulant.hpp"
#include "reference/pipelines/doubly_pipelined.hpp"
#include "reference/pipelines/linear_pipeline.hpp"
#include "reference/rings/scatter_allgather.hpp"
#include "reference/trees/binomial.hpp"
#include "testbench/reference/flow_checks.hpp"

namespace annelid::reference {
namespace {

TEST(BinomialTree, TakesLog2StepsAndKeepsTheOrderFromRank0) {
  for (int p = 1; p <= kMostRanks; ++p) {
    for (const int root : roots_of(p)) {
      const StreamTrees tree = binomial_tree(p, root);
      expect_broadcast(broadcast_streams(tree), root);
      expect_reduction(reduction_streams(tree), root, root == 0);
      if (HasFatalFailure()) return;
      ASSERT_EQ(steps_of(broadcast_streams(tree)), log2_of(p));
    }
    expect_all_reduction(all_reduction_streams(binomial_tree(p, 0)), true);
  }
}

TEST(BinomialTree, ReducesFromNeighboursFirst) {
  // Step i: every rank that is 2^(i-1) modulo 2^i sends to the one 2^(i-1) below.
  const DataFlow flow = reduction_streams(binomial_tree(7, 0));
  EXPECT_EQ(messages_of(flow),
            (Messages{{1, 1, 0}, {1, 3, 2}, {1, 5, 4}, {2, 2, 0}, {2, 6, 4}, {3, 4, 0}}));
}

/// Broadcast and reduction from each root, in `fewest` to `most` steps.
void expect_pipeline(StreamTrees (*pipeline)(int ranks, int root, int packets), int p, int k,
                     int fewest, int most) {
  for (const int root : roots_of(p)) {
    const StreamTrees tree = pipeline(p, root, k);
    expect_broadcast(broadcast_streams(tree), root);
    expect_reduction(reduction_streams(tree), root, first_or_last(root, p));
    ASSERT_LE(tree.steps(), most) << "p " << p << ", k " << k << ", root " << root;
    ASSERT_GE(tree.steps(), fewest) << "p " << p << ", k " << k << ", root " << root;
  }
}

TEST(LinearPipeline, TakesAStepForEachRankAndPacket) {
  for (int p = 1; p <= kMostRanks; ++p) {
    for (const int k : kPackets) {
      const int steps = p == 1 ? 0 : p - 2 + k;
      expect_pipeline(linear_pipeline, p, k, steps, steps);
      for (const bool exclusive : {false, true}) {
        const DataFlow scan = linear_pipeline_scan(p, k, exclusive);
        expect_scan(scan, exclusive);
        if (HasFatalFailure()) return;
        ASSERT_EQ(steps_of(scan), steps);
      }
    }
  }
}

TEST(PipelinedBinaryTree, TakesTwoStepsAPacketAndALevel) {
  for (int p = 1; p <= kMostRanks; ++p) {
    for (const int k : kPackets) {
      expect_pipeline(pipelined_binary_tree, p, k, 0, 2 * (log2_of(p) + k));  // Equation 1
      if (HasFatalFailure()) return;
      expect_all_reduction(all_reduction_streams(pipelined_binary_tree(p, 0, k)), true);
    }
  }
}

TEST(PipelinedBinaryTree, ServesLeftChildrenFirst) {
  // Rank 4 above 2 (1, 3) and 6 (5, 7), and rank 0 above all.
  EXPECT_EQ(
      messages_of(broadcast_streams(pipelined_binary_tree(8, 0, 1))),
      (Messages{{1, 0, 4}, {2, 4, 2}, {3, 2, 1}, {3, 4, 6}, {4, 2, 3}, {4, 6, 5}, {5, 6, 7}}));
}

TEST(DoublyPipelinedScan, GoesUpAndDownByThreeColours) {
  // Rank 3 above 1 (0, 2) and 5 (4, 6): colours 0; 1 (2, 0) and 2 (0, 1).
  EXPECT_EQ(messages_of(doubly_pipelined_scan(7, 1, false)), (Messages{{2, 0, 1},
                                                                       {3, 2, 1},
                                                                       {3, 4, 5},
                                                                       {4, 1, 3},
                                                                       {8, 3, 5},
                                                                       {9, 1, 2},
                                                                       {9, 5, 4},
                                                                       {10, 5, 6}}));
}

TEST(DoublyPipelinedScan, TakesThreeStepsAPacketAndAtMostFourALevel) {
  for (int p = 1; p <= kMostRanks; ++p) {
    for (const int k : kPackets) {
      for (const bool exclusive : {false, true}) {
        const DataFlow flow = doubly_pipelined_scan(p, k, exclusive);
        expect_scan(flow, exclusive);
        if (HasFatalFailure()) return;
        ASSERT_LE(steps_of(flow), 3 * k + 4 * log2_of(p)) << p << " " << k;
      }
    }
  }
}

TEST(Butterflies, KeepTheOrderForEveryNumberOfRanksAndRoot) {
  for (int p = 1; p <= kMostRanks; ++p) {
    expect_all_reduction(butterfly_all_reduction(p), true);
    expect_all_reduction(rabenseifner_all_reduction(p), true);
    for (const int root : roots_of(p)) {
      expect_reduction(butterfly_reduction(p, root), root, true);
      expect_reduction(rabenseifner_reduction(p, root), root, true);
    }
    if (HasFatalFailure()) return;
    const bool folds = (p & (p - 1)) != 0;
    const int exchanges = folds ? log2_of(p) - 1 : log2_of(p);
    ASSERT_EQ(steps_of(butterfly_all_reduction(p)), exchanges + (folds ? 2 : 0));
    ASSERT_EQ(steps_of(rabenseifner_all_reduction(p)), 2 * exchanges + (folds ? 2 : 0));
  }
}

/// (step, from, to, first part, end), by steps.
std::vector<std::array<int, 5>> parts_of(const DataFlow& flow) {
  std::vector<std::array<int, 5>> list;
  for (std::size_t s = 0; s < flow.steps.size(); ++s) {
    for (const FlowMessage& m : flow.steps[s]) {
      list.push_back({static_cast<int>(s) + 1, m.from, m.to, static_cast<int>(m.first),
                      static_cast<int>(m.end)});
    }
  }
  std::ranges::sort(list);
  return list;
}
using PartMessages = std::vector<std::array<int, 5>>;

TEST(Butterflies, HalveByTheBitsOfTheRankTheLowerHalfForA0) {
  const PartMessages halving = {{1, 0, 1, 2, 4}, {1, 1, 0, 0, 2}, {1, 2, 3, 2, 4}, {1, 3, 2, 0, 2},
                                {2, 0, 2, 1, 2}, {2, 1, 3, 3, 4}, {2, 2, 0, 0, 1}, {2, 3, 1, 2, 3}};
  PartMessages all = halving, to_1 = halving;
  all.insert(all.end(), {{3, 0, 2, 0, 1},
                         {3, 1, 3, 2, 3},
                         {3, 2, 0, 1, 2},
                         {3, 3, 1, 3, 4},
                         {4, 0, 1, 0, 2},
                         {4, 1, 0, 2, 4},
                         {4, 2, 3, 0, 2},
                         {4, 3, 2, 2, 4}});
  EXPECT_EQ(parts_of(rabenseifner_all_reduction(4)), all);
  to_1.insert(to_1.end(), {{3, 2, 0, 1, 2}, {3, 3, 1, 3, 4}, {4, 0, 1, 0, 2}});
  EXPECT_EQ(parts_of(rabenseifner_reduction(4, 1)), to_1);
}

TEST(EliminationButterfly, KeepsTheOrderForEveryNumberOfRanksRootAndHalvings) {
  for (int p = 1; p <= kMostRanks; ++p) {
    for (int halvings = 0; 1 << halvings <= p; ++halvings) {
      SCOPED_TRACE(testing::Message() << "p " << p << ", halvings " << halvings);
      expect_all_reduction(elimination_all_reduction(p, halvings), true);
      for (const int root : roots_of(p)) {
        expect_reduction(elimination_reduction(p, halvings, root), root, true);
      }
      if (HasFatalFailure()) return;
    }
  }
}

TEST(EliminationButterfly, TakesOneStepMoreIfTheRanksAreNoPowerOfTwo) {
  for (int p = 1; p <= kMostRanks; ++p) {
    const bool eliminates = (p & (p - 1)) != 0;
    // Whole blocks: those that left get the result in a step more.
    ASSERT_EQ(steps_of(elimination_all_reduction(p, 0)), log2_of(p) + (eliminates ? 1 : 0));
    const int rounds = eliminates ? log2_of(p) - 1 : log2_of(p);
    ASSERT_EQ(steps_of(elimination_all_reduction(p, rounds)), 2 * log2_of(p)) << p;
    // The last rank never leaves.
    ASSERT_EQ(steps_of(elimination_reduction(p, 0, p - 1)), log2_of(p));
    ASSERT_EQ(steps_of(elimination_reduction(p, rounds, p - 1)), log2_of(p) + rounds);
  }
}

/// The most parts that a rank receives before any has the result.
std::uint64_t most_received(const DataFlow& flow, int steps) {
  std::vector<std::uint64_t> received(static_cast<std::size_t>(flow.ranks()), 0);
  for (int s = 0; s < steps; ++s) {
    for (const FlowMessage& m : flow.steps[static_cast<std::size_t>(s)]) {
      received[static_cast<std::size_t>(m.to)] += m.end - m.first;
    }
  }
  return std::ranges::max(received);
}

TEST(EliminationButterfly, ReceivesLessThanAHalfMoreThanTheBlock) {
  // The paper's bounds: m for a power of two, else 3/2 m, each way.
  for (int p = 2; p <= kMostRanks; ++p) {
    const bool eliminates = (p & (p - 1)) != 0;
    const DataFlow flow = elimination_all_reduction(p, eliminates ? log2_of(p) - 1 : log2_of(p));
    ASSERT_LT(most_received(flow, log2_of(p)), eliminates ? 3 * flow.parts / 2 : flow.parts) << p;
  }
}

TEST(EliminationButterfly, EliminatesTheFirstOfTheLastThreeGroups) {
  // Rank 4 of seven leaves first. Then 0 and 1 leave, while 5 and 6 are a step late.
  EXPECT_EQ(messages_of(elimination_reduction(7, 0, 6)), (Messages{{1, 0, 1},
                                                                   {1, 1, 0},
                                                                   {1, 2, 3},
                                                                   {1, 3, 2},
                                                                   {1, 4, 5},
                                                                   {2, 0, 2},
                                                                   {2, 1, 3},
                                                                   {2, 5, 6},
                                                                   {2, 6, 5},
                                                                   {3, 2, 5},
                                                                   {3, 3, 6},
                                                                   {3, 5, 2},
                                                                   {3, 6, 3}}));
}

TEST(EliminationButterfly, ExchangesHalvesThroughTheRankThatLeaves) {
  const PartMessages halving = {{1, 0, 1, 0, 1}, {1, 1, 0, 1, 2}, {2, 0, 2, 1, 2}, {2, 2, 1, 0, 1}};
  PartMessages all = halving, to_0 = halving, to_1 = halving, to_2 = halving;
  all.insert(all.end(), {{3, 1, 2, 0, 1}, {3, 2, 0, 1, 2}, {4, 0, 1, 1, 2}, {4, 1, 0, 0, 1}});
  EXPECT_EQ(parts_of(elimination_all_reduction(3, 1)), all);
  to_0.insert(to_0.end(), {{3, 2, 0, 1, 2}, {4, 1, 0, 0, 1}});
  EXPECT_EQ(parts_of(elimination_reduction(3, 1, 0)), to_0);
  to_1.push_back({3, 2, 1, 1, 2});
  EXPECT_EQ(parts_of(elimination_reduction(3, 1, 1)), to_1);
  to_2.push_back({3, 1, 2, 0, 1});
  EXPECT_EQ(parts_of(elimination_reduction(3, 1, 2)), to_2);
}

TEST(EliminationButterfly, HalvesWhileARankHasMoreThanTheThreshold) {
  EXPECT_EQ(halving_rounds(28, 400, 0), 0);
  EXPECT_EQ(halving_rounds(28, 401, 0), 1);
  EXPECT_EQ(halving_rounds(28, 800, 0), 1);
  EXPECT_EQ(halving_rounds(28, 801, 0), 2);
  EXPECT_EQ(halving_rounds(28, 1 << 20, 0), 4);  // 28 ranks have four rounds
  EXPECT_EQ(halving_rounds(28, 1 << 20, 0x10000), 4);
  EXPECT_EQ(halving_rounds(28, 10, 5), 1);
  EXPECT_EQ(halving_rounds(1, 1 << 20, 0), 0);
}

TEST(SimultaneousBinomialScan, TakesLog2Steps) {
  for (int p = 1; p <= kMostRanks; ++p) {
    for (const bool exclusive : {false, true}) {
      const DataFlow flow = simultaneous_binomial_scan(p, exclusive);
      expect_scan(flow, exclusive);
      if (HasFatalFailure()) return;
      ASSERT_EQ(steps_of(flow), log2_of(p));
    }
  }
}

TEST(ScatterAllgather, ReachesAllRanks) {
  for (int p = 1; p <= kMostRanks; ++p) {
    for (const int root : roots_of(p)) {
      const DataFlow flow = scatter_allgather_broadcast(p, root);
      expect_broadcast(flow, root);
      if (HasFatalFailure()) return;
      ASSERT_EQ(steps_of(flow), log2_of(p) + p - 1);
    }
  }
}

TEST(ScatterAllgather, ScattersToSubtreesAndPassesTheLastPartsOn) {
  // Rank 4 above 5, rank 2 above 3; then everyone's own part first.
  const PartMessages scatter = {
      {1, 0, 4, 4, 6}, {2, 0, 2, 2, 4}, {3, 0, 1, 1, 2}, {3, 2, 3, 3, 4}, {3, 4, 5, 5, 6}};
  const auto messages = parts_of(scatter_allgather_broadcast(6, 0));
  ASSERT_EQ(messages.size(), scatter.size() + 6 * 5);
  EXPECT_TRUE(std::ranges::equal(std::span(messages).first(scatter.size()), scatter));
  for (int r = 0; r < 6; ++r) {
    EXPECT_EQ(messages[scatter.size() + static_cast<std::size_t>(r)],
              (std::array{4, r, (r + 1) % 6, r, r + 1}));
  }
}

TEST(Circulant, IsRoundOptimalForEveryNumberOfPackets) {
  for (int p = 1; p <= kMostRanks; ++p) {
    for (const int k : {1, 2, 3, 7, 20}) {
      for (const int root : roots_of(p)) {
        SCOPED_TRACE(testing::Message() << "p " << p << ", root " << root << ", k " << k);
        const DataFlow flow = circulant_broadcast(p, root, k);
        expect_broadcast(flow, root);
        if (HasFatalFailure()) return;
        ASSERT_EQ(steps_of(flow), p == 1 ? 0 : k - 1 + log2_of(p));
        for (const auto& [step, from, to] : messages_of(flow)) ASSERT_NE(to, root) << step;
      }
    }
  }
}

}  // namespace
}  // namespace annelid::reference
