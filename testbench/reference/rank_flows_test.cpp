// Two trees and their competitors over ranks, by data flow: every message holds what its sender can
// have by then, ports are single, steps are the papers', and results spell the ranks in order when
// the operator is concatenation. State space: p = 1 .. 130 ranks (tests of 2Tree's properties), the
// roots 0, p - 1 and one between, k = 1, 2, 3, 7 packets; both constructions of the second tree,
// both places of an odd process.
#include <array>

#include "reference/butterfly.hpp"
#include "reference/circulant.hpp"
#include "reference/formulas.hpp"
#include "reference/one_tree.hpp"
#include "reference/scatter_allgather.hpp"
#include "reference/simultaneous_binomial.hpp"
#include "reference/two_tree.hpp"
#include "testbench/reference/flow_checks.hpp"

namespace annelid::reference {
namespace {

constexpr int kMostRanks = 130;
constexpr std::array kPackets = {1, 2, 3, 7};
constexpr std::array kSeconds = {SecondTree::kMirrored, SecondTree::kShifted};
constexpr std::array kOdds = {OddProcess::kLeaf, OddProcess::kRoot};

int log2_of(int n) { return formulas::fewest_steps(static_cast<std::uint64_t>(n), 1); }
int steps_of(const DataFlow& flow) { return static_cast<int>(flow.steps.size()); }
std::vector<int> sorted(std::vector<int> ranks) {
  std::ranges::sort(ranks);
  return ranks;
}

void expect_broadcast(const DataFlow& flow, int root, Ports ports = Ports::kFullDuplex) {
  expect_no_violation(flow);
  expect_one_port(flow, ports);
  for (const auto& word : spelled(flow)) ASSERT_EQ(word, std::vector<int>{root});
}

/// At the root alone: all blocks, in order if that is asked for.
void expect_reduction(const DataFlow& flow, int root, bool in_order,
                      Ports ports = Ports::kFullDuplex) {
  expect_no_violation(flow);
  expect_one_port(flow, ports);
  const auto words = spelled(flow);
  for (int r = 0; r < flow.ranks(); ++r) {
    const auto& word = words[static_cast<std::size_t>(r)];
    if (r != root) {
      ASSERT_TRUE(word.empty());
      continue;
    }
    ASSERT_EQ(sorted(word), ranks_between(0, flow.ranks()));
    if (in_order) {
      ASSERT_EQ(word, sorted(word));
    }
  }
}

void expect_all_reduction(const DataFlow& flow, bool in_order) {
  expect_no_violation(flow);
  expect_one_port(flow);
  for (const auto& word : spelled(flow)) {
    ASSERT_EQ(sorted(word), ranks_between(0, flow.ranks()));
    if (in_order) {
      ASSERT_EQ(word, sorted(word));
    }
  }
}

void expect_scan(const DataFlow& flow, bool exclusive) {
  expect_no_violation(flow);
  expect_one_port(flow);
  const auto words = spelled(flow);
  for (int r = 0; r < flow.ranks(); ++r) {
    ASSERT_EQ(words[static_cast<std::size_t>(r)], ranks_between(0, exclusive ? r : r + 1));
  }
}

std::vector<int> roots_of(int ranks) { return {0, ranks / 3, ranks - 1}; }

bool first_or_last(int root, int ranks) { return root == 0 || root == ranks - 1; }

// ---- Two trees ----------------------------------------------------------------------------------

TEST(TwoTreeBroadcast, ReachesAllRanksInTheStepsOfTheorem2WithSinglePorts) {
  for (int p = 1; p <= kMostRanks; ++p) {
    for (const SecondTree second : kSeconds) {
      for (const OddProcess odd : kOdds) {
        for (const int k : kPackets) {
          for (const int root : roots_of(p)) {
            SCOPED_TRACE(testing::Message() << "p " << p << ", root " << root << ", k " << k);
            const StreamTrees trees = two_tree_streams(p, root, k, second, odd);
            const DataFlow flow = broadcast_streams(trees);
            expect_broadcast(flow, root);
            if (HasFatalFailure()) return;
            const int q = p - 1, most = 2 * two_tree_height(q) + 2 * k - 2;
            ASSERT_EQ(steps_of(flow), trees.steps());
            if (q == 0) continue;
            // Footnote 9 of Section 4.1: at most 2h + 2k - 1, which is never needed; the root of an
            // odd number delays all by one.
            if (q % 2 == 0 && second == SecondTree::kMirrored) {
              ASSERT_EQ(steps_of(flow), q % 4 == 2 ? most : most - 1);
            }
            if (q % 2 == 0 && second == SecondTree::kShifted) {
              ASSERT_GE(steps_of(flow), most - 1);
            }
            ASSERT_LE(steps_of(flow), most + (q % 2));
          }
        }
      }
    }
  }
}

TEST(TwoTreeReduction, IsTheBroadcastReversedAndKeepsTheOrderAsPromised) {
  for (int p = 1; p <= kMostRanks; ++p) {
    for (const SecondTree second : kSeconds) {
      for (const OddProcess odd : kOdds) {
        for (const int k : kPackets) {
          for (const int root : roots_of(p)) {
            SCOPED_TRACE(testing::Message() << "p " << p << ", root " << root << ", k " << k);
            const StreamTrees trees = two_tree_streams(p, root, k, second, odd);
            const DataFlow flow = reduction_streams(trees);
            const bool in_order =
                first_or_last(root, p) && (p % 2 == 1 || p == 2 || odd == OddProcess::kRoot);
            expect_reduction(flow, root, in_order);
            if (HasFatalFailure()) return;
            ASSERT_EQ(steps_of(flow), trees.steps());
          }
        }
      }
    }
  }
}

TEST(TwoTreeReduction, TakesAnExtraLeafOutOfOrder) {
  const auto flow =
      reduction_streams(two_tree_streams(8, 0, 1, SecondTree::kMirrored, OddProcess::kLeaf));
  EXPECT_FALSE(std::ranges::is_sorted(spelled(flow)[0]));
}

TEST(TwoTreeAllReduction, BroadcastsTheReductionToRank0InTheStepsAfterIt) {
  for (int p = 1; p <= kMostRanks; ++p) {
    for (const SecondTree second : kSeconds) {
      for (const OddProcess odd : kOdds) {
        const StreamTrees trees = two_tree_streams(p, 0, 3, second, odd);
        const DataFlow flow = all_reduction_streams(trees);
        expect_all_reduction(flow, p % 2 == 1 || p == 2 || odd == OddProcess::kRoot);
        if (HasFatalFailure()) return;
        ASSERT_EQ(steps_of(flow), 2 * trees.steps());
      }
    }
  }
}

TEST(TwoTreeScan, HasThePrefixesInTwiceTheStepsOfATreePhase) {
  for (int p = 1; p <= kMostRanks; ++p) {
    for (const SecondTree second : kSeconds) {
      for (const int k : kPackets) {
        for (const bool exclusive : {false, true}) {
          SCOPED_TRACE(testing::Message() << "p " << p << ", k " << k);
          const DataFlow flow = two_tree_scan(p, k, second, exclusive);
          expect_scan(flow, exclusive);
          if (HasFatalFailure()) return;
          const int most = 4 * (two_tree_height(p) - 1) + 4 * k - 4;
          if (p % 2 == 0 && second == SecondTree::kMirrored) {
            ASSERT_EQ(steps_of(flow), most);
          }
          if (p % 2 == 0 && second == SecondTree::kShifted) {
            ASSERT_LE(steps_of(flow), most);
            ASSERT_GE(steps_of(flow), most - 2);
          }
          // The extra root is as far above the trees' roots as a source.
          if (p % 2 == 1 && p > 1) {
            ASSERT_LE(steps_of(flow), 2 * (2 * two_tree_height(p - 1) + 2 * k - 2));
          }
        }
      }
    }
  }
}

TEST(TwoTreeCouples, SendOrReceiveAndTakeTwiceTheSteps) {
  for (int p = 1; p <= kMostRanks; ++p) {
    for (const int k : kPackets) {
      for (const int root : roots_of(p)) {
        SCOPED_TRACE(testing::Message() << "p " << p << ", root " << root << ", k " << k);
        const StreamTrees trees = two_tree_couples(p, root, k);
        expect_broadcast(broadcast_streams(trees), root, Ports::kHalfDuplex);
        expect_reduction(reduction_streams(trees), root, false, Ports::kHalfDuplex);
        if (HasFatalFailure()) return;
        const int q = (p - 1) / 2;
        if (q > 0) {
          ASSERT_EQ(
              trees.steps(),
              2 * two_tree_streams(q + 1, 0, k, SecondTree::kMirrored, OddProcess::kLeaf).steps());
        }
      }
    }
  }
}

// ---- One tree -----------------------------------------------------------------------------------

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
  const auto pairs = [&](std::size_t step) {
    std::vector<std::pair<int, int>> list;
    for (const FlowMessage& m : flow.steps[step]) list.emplace_back(m.from, m.to);
    std::ranges::sort(list);
    return list;
  };
  using Pairs = std::vector<std::pair<int, int>>;
  EXPECT_EQ(pairs(0), (Pairs{{1, 0}, {3, 2}, {5, 4}}));
  EXPECT_EQ(pairs(1), (Pairs{{2, 0}, {6, 4}}));
  EXPECT_EQ(pairs(2), (Pairs{{4, 0}}));
}

TEST(LinearPipeline, TakesAStepForEachRankAndPacket) {
  for (int p = 1; p <= kMostRanks; ++p) {
    for (const int k : kPackets) {
      for (const int root : roots_of(p)) {
        const StreamTrees line = linear_pipeline(p, root, k);
        expect_broadcast(broadcast_streams(line), root);
        expect_reduction(reduction_streams(line), root, first_or_last(root, p));
        if (HasFatalFailure()) return;
        ASSERT_EQ(line.steps(), p == 1 ? 0 : p - 2 + k);
      }
      for (const bool exclusive : {false, true}) {
        const DataFlow scan = linear_pipeline_scan(p, k, exclusive);
        expect_scan(scan, exclusive);
        if (HasFatalFailure()) return;
        ASSERT_EQ(steps_of(scan), p == 1 ? 0 : p - 2 + k);
      }
    }
  }
}

TEST(PipelinedBinaryTree, TakesTwoStepsAPacketAndALevel) {
  for (int p = 1; p <= kMostRanks; ++p) {
    for (const int k : kPackets) {
      for (const int root : roots_of(p)) {
        const StreamTrees tree = pipelined_binary_tree(p, root, k);
        expect_broadcast(broadcast_streams(tree), root);
        expect_reduction(reduction_streams(tree), root, first_or_last(root, p));
        if (HasFatalFailure()) return;
        ASSERT_LE(tree.steps(), 2 * (log2_of(p) + k));  // Equation 1
      }
      expect_all_reduction(all_reduction_streams(pipelined_binary_tree(p, 0, k)), true);
    }
  }
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

// ---- Others -------------------------------------------------------------------------------------

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

TEST(Circulant, IsRoundOptimalForEveryNumberOfPackets) {
  for (int p = 1; p <= kMostRanks; ++p) {
    for (const int k : {1, 2, 3, 7, 20}) {
      for (const int root : roots_of(p)) {
        SCOPED_TRACE(testing::Message() << "p " << p << ", root " << root << ", k " << k);
        const DataFlow flow = circulant_broadcast(p, root, k);
        expect_broadcast(flow, root);
        if (HasFatalFailure()) return;
        ASSERT_EQ(steps_of(flow), p == 1 ? 0 : k - 1 + log2_of(p));
      }
    }
  }
}

TEST(Circulant, KeepsItsFourConditionsUpTo2000Ranks) {
  // Sets of packets as bits: packet n of a round is bit n + L. What is received before the first
  // round of a phase is in bits 0 .. L - 1.
  const auto bit = [](int packet, int rounds) { return std::uint32_t{1} << (packet + rounds); };
  for (int p = 2; p <= 2000; p += p < 500 ? 1 : 7) {
    const CirculantSchedule s = circulant_schedule(p);
    const int rounds = s.rounds();
    ASSERT_EQ(rounds, log2_of(p));
    std::vector<std::uint32_t> has(static_cast<std::size_t>(p), 0);
    for (int r = 0; r < p; ++r) {
      // In L rounds L different packets: those of the phase before, or the one that is new for r in
      // place of the one that was, which r had already.
      std::uint32_t received = 0;
      int fresh = -1;
      for (const int packet : s.receives[static_cast<std::size_t>(r)]) {
        received |= bit(packet, rounds);
        fresh = std::max(fresh, packet);
      }
      std::uint32_t expected = bit(0, rounds) - 1;
      if (r > 0) {
        ASSERT_GE(fresh, 0) << p << ": rank " << r;
        has[static_cast<std::size_t>(r)] = bit(fresh - rounds, rounds);
        expected = expected - bit(fresh - rounds, rounds) + bit(fresh, rounds);
      }
      ASSERT_EQ(received, expected) << p << ": rank " << r;
    }
    for (int i = 0; i < rounds; ++i) {
      ASSERT_EQ(s.sends(0, i), i) << p << ": the root sends a new packet in each round";
      for (int r = 1; r < p; ++r) {
        if ((r + s.skips[static_cast<std::size_t>(i)]) % p == 0) continue;
        ASSERT_NE(has[static_cast<std::size_t>(r)] & bit(s.sends(r, i), rounds), 0U)
            << p << ": rank " << r << " has not what it sends in round " << i;
      }
      for (std::size_t r = 1; r < static_cast<std::size_t>(p); ++r) {
        has[r] |= bit(s.receives[r][static_cast<std::size_t>(i)], rounds);
      }
    }
  }
}

}  // namespace
}  // namespace annelid::reference
