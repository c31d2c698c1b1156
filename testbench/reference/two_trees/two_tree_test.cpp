// The two-tree algorithms over ranks, by data flow: every message holds what its sender can have by
// then, ports are single, steps are the paper's, and results spell the ranks in order when the
// operator is concatenation. State space: p = 1 .. 130 ranks, the roots 0, p - 1 and one between, k
// = 1, 2, 3, 7 packets; both constructions of the second tree, both places of an odd process.
#include "reference/two_trees/two_tree.hpp"

#include "testbench/reference/flow_checks.hpp"

namespace annelid::reference {
namespace {

constexpr std::array kSeconds = {SecondTree::kMirrored, SecondTree::kShifted};
constexpr std::array kOdds = {OddProcess::kLeaf, OddProcess::kRoot};

/// Two trees from a root.
struct Rooted {
  int p, root, k;
  SecondTree second;
  OddProcess odd;
  [[nodiscard]] StreamTrees trees() const { return two_tree_streams(p, root, k, second, odd); }
};

/// All of the state space, until one fails.
template <typename Check>
void each_rooted(Check check) {
  for (int p = 1; p <= kMostRanks; ++p) {
    for (const SecondTree second : kSeconds) {
      for (const OddProcess odd : kOdds) {
        for (const int k : kPackets) {
          for (const int root : roots_of(p)) {
            SCOPED_TRACE(testing::Message() << "p " << p << ", root " << root << ", k " << k);
            ASSERT_NO_FATAL_FAILURE(check(Rooted{p, root, k, second, odd}));
          }
        }
      }
    }
  }
}

TEST(TwoTreeBroadcast, ReachesAllRanksInTheStepsOfTheorem2WithSinglePorts) {
  each_rooted([](const Rooted& r) {
    const StreamTrees trees = r.trees();
    const DataFlow flow = broadcast_streams(trees);
    ASSERT_NO_FATAL_FAILURE(expect_broadcast(flow, r.root));
    const int q = r.p - 1, most = 2 * two_tree_height(q) + 2 * r.k - 2;
    ASSERT_EQ(steps_of(flow), trees.steps());
    if (q == 0) return;
    // Footnote 9 of Section 4.1: at most 2h + 2k - 1, which is never needed; the root of an odd
    // number delays all by one.
    if (q % 2 == 0 && r.second == SecondTree::kMirrored) {
      ASSERT_EQ(steps_of(flow), q % 4 == 2 ? most : most - 1);
    }
    if (q % 2 == 0 && r.second == SecondTree::kShifted) {
      ASSERT_GE(steps_of(flow), most - 1);
    }
    ASSERT_LE(steps_of(flow), most + (q % 2));
  });
}

TEST(TwoTreeReduction, IsTheBroadcastReversedAndKeepsTheOrderAsPromised) {
  each_rooted([](const Rooted& r) {
    const StreamTrees trees = r.trees();
    const DataFlow flow = reduction_streams(trees);
    const bool in_order =
        first_or_last(r.root, r.p) && (r.p % 2 == 1 || r.p == 2 || r.odd == OddProcess::kRoot);
    ASSERT_NO_FATAL_FAILURE(expect_reduction(flow, r.root, in_order));
    ASSERT_EQ(steps_of(flow), trees.steps());
  });
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

TEST(TwoTreeCouples, ScanInOrderAndSendOrReceive) {
  for (int p = 1; p <= kMostRanks; ++p) {
    for (const int k : kPackets) {
      for (const bool exclusive : {false, true}) {
        SCOPED_TRACE(testing::Message() << "p " << p << ", k " << k << ", exclusive " << exclusive);
        const DataFlow flow = two_tree_couples_scan(p, k, exclusive);
        expect_scan(flow, exclusive, Ports::kHalfDuplex);
        if (HasFatalFailure()) return;
        // Eight steps for a packet of both trees, and the ways up and down.
        ASSERT_LE(steps_of(flow), 8 * k + 8 * two_tree_height(p / 2) + 1);
      }
    }
  }
}

TEST(TwoTreeCouples, ScanAsTheDocumentSays) {
  // Couples (0, 1) and (2, 3): a is 3 and 1 in T1, 2 and 4 in T2. Rank 4 is above both trees. The
  // links are 1 and 3 in T1, 0 and 2 in T2.
  EXPECT_EQ(messages_of(two_tree_couples_scan(5, 1, false)), (Messages{{1, 3, 2},
                                                                       {3, 0, 1},
                                                                       {4, 2, 1},
                                                                       {5, 1, 0},
                                                                       {6, 1, 2},
                                                                       {7, 2, 3},
                                                                       {8, 0, 4},
                                                                       {10, 3, 4},
                                                                       {17, 0, 1},
                                                                       {18, 1, 2},
                                                                       {21, 2, 3}}));
}

}  // namespace
}  // namespace annelid::reference
