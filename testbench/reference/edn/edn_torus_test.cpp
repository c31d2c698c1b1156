// EDN broadcast on tori: Theorems 1, 2, 3 with Corollaries 1 to 4 of Tsai 1997, Chapter 4.
// State space: 2D tori of 2^d a side, every source to 32x32, 16 sampled ones to 256x256; 3D tori of
// 4x4xz and 8x8xz, every z to 256 (4x4) and 64 (8x8) from the origin, every source of some, other
// z and sources up to 65,536 nodes sampled; both ways of dividing zones; rings and lines in z.
#include "reference/edn/edn_torus.hpp"

#include "reference/catalogue.hpp"
#include "testbench/reference/schedule_checks.hpp"

namespace annelid::reference {
namespace {

Network torus(int side, int z = 1) { return {side, side, z, {true, true, z > 1}}; }

void expect_contention_free(const Network& net, Node root, const Schedule& schedule) {
  ASSERT_EQ(conflicts(net, schedule), 0u) << to_string(net) << " " << to_string(root);
}

class TorusEdn2d : public ::testing::TestWithParam<int> {};

TEST_P(TorusEdn2d, TakesDStepsReachesEachNodeOnceAndIsStepwiseContentionFree) {
  const int d = GetParam();
  const Network net = torus(1 << d);
  for (Node root : d <= 5 ? all_nodes(net) : sampled_nodes(net, d == 8 ? 4 : 16)) {
    const Schedule schedule = torus_edn_broadcast(net, root, 1);
    ASSERT_EQ(schedule.steps.size(), static_cast<std::size_t>(d));
    expect_broadcast(net, root, schedule);
    if (d <= 4 || root.x % 8 == 3 || d > 5) expect_contention_free(net, root, schedule);
  }
}

TEST_P(TorusEdn2d, QuadruplesTheHoldersInEveryStep) {
  const int d = GetParam();
  const Schedule schedule = torus_edn_broadcast(torus(1 << d), {1, 2}, 1);
  std::size_t holders = 1;
  for (const Step& step : schedule.steps) {
    EXPECT_EQ(step.size(), 3 * holders);
    holders *= 4;
  }
}

TEST_P(TorusEdn2d, HoldersAfterEachPhaseAreAGridRelativeToTheSource) {
  // The tilings of Figure 4.11: after Y and T with delta, multiples of delta.
  const int d = GetParam(), n = 1 << d;
  const Node root{n - 1, 1};
  const Schedule schedule = torus_edn_broadcast(torus(n), root, 1);
  std::set<Node> reached{root};
  int delta = n / 4;
  for (std::size_t step = 0; step < schedule.steps.size(); ++step) {
    for (const Message& m : schedule.steps[step]) reached.insert(m.to);
    if (step % 2 == 0) continue;
    std::set<Node> grid;
    for (int x = 0; x < n; x += delta) {
      for (int y = 0; y < n; y += delta) grid.insert({(root.x + x) % n, (root.y + y) % n});
    }
    EXPECT_EQ(reached, grid) << "delta " << delta;
    delta /= 4;
  }
}

INSTANTIATE_TEST_SUITE_P(D, TorusEdn2d, ::testing::Range(2, 9),
                         [](const auto& test) { return "d" + std::to_string(test.param); });

TEST(TorusEdn2dSmallest, A2x2TorusTakesTwoStepsWithoutContention) {
  for (Node root : all_nodes(torus(2))) {
    const Schedule schedule = torus_edn_broadcast(torus(2), root, 1);
    EXPECT_EQ(schedule.steps.size(), 2u);
    expect_broadcast(torus(2), root, schedule);
    expect_contention_free(torus(2), root, schedule);
  }
}

TEST(TorusEdn2dExample, TheTwoStepsOf4x4) {
  const Schedule s = torus_edn_broadcast(torus(4), {0, 0}, 8);
  EXPECT_EQ(s.steps[0], (Step{{{0, 0}, {3, 3}, 8}, {{0, 0}, {0, 2}, 8}, {{0, 0}, {2, 0}, 8}}));
  EXPECT_EQ(s.steps[1], (Step{{{0, 0}, {0, 3}, 8},
                              {{0, 0}, {1, 0}, 8},
                              {{0, 0}, {3, 0}, 8},  // source
                              {{3, 3}, {1, 3}, 8},
                              {{3, 3}, {2, 2}, 8},
                              {{3, 3}, {3, 2}, 8},  // a
                              {{0, 2}, {3, 1}, 8},
                              {{0, 2}, {0, 1}, 8},
                              {{0, 2}, {1, 2}, 8},  // b
                              {{2, 0}, {1, 1}, 8},
                              {{2, 0}, {2, 3}, 8},
                              {{2, 0}, {2, 1}, 8}}))  // c
      << "steps of the patterns Y and T";
}

TEST(TorusEdn2dExample, FarthestMessageOfYAndTTakesTwoDeltaHops) {
  // What Section 4.4.2 adds up: 2 delta of a phase's steps, 2 of F.
  const Schedule s = torus_edn_broadcast(torus(128), {5, 100}, 1);
  const std::vector<int> farthest{64, 64, 16, 16, 4, 4, 2};
  ASSERT_EQ(s.steps.size(), farthest.size());
  for (std::size_t i = 0; i < farthest.size(); ++i) {
    int most = 0;
    for (const Message& m : s.steps[i]) most = std::max(most, distance(torus(128), m.from, m.to));
    EXPECT_EQ(most, farthest[i]) << "step " << i + 1;
  }
}

TEST(TorusEdn3d, EveryDepthOf4x4xzTakesTheStepsOfTheorem3) {
  for (int z = 1; z <= 256; ++z) {
    const Network net = torus(4, z);
    const Schedule schedule = torus_edn_broadcast(net, {}, 1, ZoneSplit::kTheorem3);
    ASSERT_EQ(schedule.steps.size(), static_cast<std::size_t>(theorem_3_steps(2, z))) << z;
    expect_broadcast(net, {}, schedule);
    expect_contention_free(net, {}, schedule);
  }
}

TEST(TorusEdn3d, SevenZonesInEveryStepTakeDPlusLog7Steps) {
  int fewer = 0;
  for (int z = 1; z <= 256; ++z) {
    const Network net = torus(4, z);
    const Node root{3, 1, z / 3};
    const Schedule schedule = torus_edn_broadcast(net, root, 1);
    ASSERT_EQ(schedule.steps.size(), static_cast<std::size_t>(2 + ceil_log(7, z))) << z;
    expect_broadcast(net, root, schedule);
    expect_contention_free(net, root, schedule);
    const int saved = theorem_3_steps(2, z) - static_cast<int>(schedule.steps.size());
    EXPECT_EQ(saved, (z >= 43 && z <= 49) || z >= 253 ? 1 : 0) << z;
    fewer += saved;
  }
  EXPECT_EQ(fewer, 7 + 4);
}

TEST(TorusEdn3d, Theorem3CountsTheStepsAsItsWordsSay) {
  for (int d = 2; d <= 8; ++d) {
    EXPECT_EQ(theorem_3_steps(d, 1), d);
    for (int z = 2; z <= 7; ++z) EXPECT_EQ(theorem_3_steps(d, z), d + 1);
    for (int m = 0, first = 8, last = 42; m <= 2; ++m, first = last + 1, last *= 6) {
      EXPECT_EQ(theorem_3_steps(d, first), d + m + 2);
      EXPECT_EQ(theorem_3_steps(d, last), d + m + 2);
    }
  }
}

TEST(TorusEdn3d, BroadcastsWithoutContentionFromEverySourceOfSmallTori) {
  for (const Network& net : {torus(4, 3), torus(4, 7), torus(4, 8), torus(8, 5), torus(4, 20)}) {
    for (Node root : all_nodes(net)) {
      const Schedule schedule = torus_edn_broadcast(net, root, 1);
      expect_broadcast(net, root, schedule);
      expect_contention_free(net, root, schedule);
    }
  }
}

TEST(TorusEdn3d, BroadcastsWithoutContentionFromSampledSourcesOfUpTo65536Nodes) {
  for (const Network& net :
       {torus(8, 15), torus(16, 15), torus(16, 49), torus(16, 256), torus(32, 43), torus(64, 16)}) {
    for (Node root : sampled_nodes(net, 2)) {
      for (auto split : {ZoneSplit::kFewestSteps, ZoneSplit::kTheorem3}) {
        const Schedule schedule = torus_edn_broadcast(net, root, 1, split);
        const int d = ceil_log(2, net.x);
        EXPECT_EQ(static_cast<int>(schedule.steps.size()), split == ZoneSplit::kTheorem3
                                                               ? theorem_3_steps(d, net.z)
                                                               : d + ceil_log(7, net.z));
        expect_broadcast(net, root, schedule);
        expect_contention_free(net, root, schedule);
      }
    }
  }
}

TEST(TorusEdn3d, ALineInZTakesAtMostOneStepPerFactorOfSix) {
  for (int z = 2; z <= 60; ++z) {
    const Network net{4, 4, z, {true, true, false}};
    for (int plane : {0, 1, z / 2, z - 1}) {
      const Node root{2, 3, plane};
      const Schedule schedule = torus_edn_broadcast(net, root, 1);
      EXPECT_LE(static_cast<int>(schedule.steps.size()), 2 + ceil_log(6, z)) << z << " " << plane;
      expect_broadcast(net, root, schedule);
      expect_contention_free(net, root, schedule);
    }
  }
}

TEST(TorusEdn3d, TwoByTwoPlanesDivideIntoFiveZones) {
  for (int z = 1; z <= 256; ++z) {
    const Network net = torus(2, z);
    const Schedule schedule = torus_edn_broadcast(net, {1, 0, z - 1}, 1);
    ASSERT_EQ(static_cast<int>(schedule.steps.size()), 2 + ceil_log(5, z)) << z;
    expect_broadcast(net, {1, 0, z - 1}, schedule);
    expect_contention_free(net, {1, 0, z - 1}, schedule);
  }
}

TEST(TorusEdnReversed, ReductionsHaveNoStepwiseContentionBecauseRingsAreMirrored) {
  const Algorithm* reduce = find_algorithm(Operation::kReduce, "edn");
  for (const Network& net : {torus(4), torus(8), torus(16), torus(4, 4), torus(2, 2), torus(64)}) {
    ASSERT_TRUE(reduce->supports(net) && reduce->contention_free(net)) << to_string(net);
    for (Node root : net.nodes() <= 256 ? all_nodes(net) : sampled_nodes(net, 4)) {
      const Schedule schedule = reduce->schedule({net, root, 8, 0});
      ASSERT_EQ(schedule.messages(), static_cast<std::uint64_t>(net.nodes() - 1));
      expect_contention_free(net, root, schedule);
    }
  }
}

TEST(TorusEdn3dExample, TargetsOfFigure412AreTheCorrectedOnes) {
  const Schedule s = torus_edn_broadcast(torus(8, 7), {4, 4, 3}, 1);
  std::set<Node> targets;
  for (const Message& m : s.steps[0]) targets.insert(m.to);
  EXPECT_EQ(targets,
            (std::set<Node>{{4, 4, 6}, {5, 4, 5}, {4, 4, 1}, {4, 5, 0}, {3, 4, 2}, {4, 3, 4}}));
}

TEST(TorusEdn3dExample, TheSixTargetsAsPrintedContend) {
  const Node s{4, 4, 3};
  const Schedule printed{{{{s, {4, 4, 6}, 1},
                           {s, {5, 4, 5}, 1},
                           {s, {4, 4, 1}, 1},
                           {s, {4, 3, 0}, 1},
                           {s, {3, 4, 2}, 1},
                           {s, {4, 3, 4}, 1}}}};
  EXPECT_GT(conflicts(torus(8, 7), printed), 0u);
}

TEST(TorusEdnErrors, OtherNetworksAndRootsAreRefused) {
  EXPECT_FALSE(torus_edn_supports({8, 8}));
  EXPECT_FALSE(torus_edn_supports({8, 4, 1, {true, true, false}}));
  EXPECT_FALSE(torus_edn_supports({8, 8, 1, {true, false, false}}));
  EXPECT_FALSE(torus_edn_supports({12, 12, 1, {true, true, false}}));
  EXPECT_FALSE(torus_edn_supports({1, 1, 4, {true, true, true}}));
  EXPECT_THROW(torus_edn_broadcast({6, 6, 1, {true, true, false}}, {}, 1), std::invalid_argument);
  EXPECT_THROW(torus_edn_broadcast(torus(8), {8, 0}, 1), std::invalid_argument);
}

}  // namespace
}  // namespace annelid::reference
