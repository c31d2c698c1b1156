// The parts of all nodes of the torus and doubling rules, put together. State space: every source
// on small networks, some on larger ones; planes along z as a mesh and as a ring.
#include "firmware/collectives/edn/edn_torus.hpp"
#include "firmware/collectives/trees/line_doubling.hpp"
#include "testbench/firmware/support/plan_check.hpp"
#include "testbench/firmware/support/rounded_log.hpp"

namespace annelid::firmware {
namespace {

constexpr std::uint32_t kXy = 3, kXyz = 7;

TEST(EdnTorusPlan, FitsSquaresOfPowersOfTwoWithRingsAndAnyNumberOfPlanes) {
  const auto fits = [](Size size, std::uint32_t rings) {
    const Topology network({}, size, rings);
    const Group all = Group::all(network, {});
    Frame frame(all, 0, 0, false);
    return edn_torus::kRule.fits(frame);
  };
  for (const int n : {2, 4, 32, 256}) {
    EXPECT_TRUE(fits({n, n, 1}, kXy));
    EXPECT_TRUE(fits({n, n, 5}, kXy));
    EXPECT_TRUE(fits({n, n, 256}, kXyz));
    EXPECT_FALSE(fits({n, n, 1}, 1));
    EXPECT_FALSE(fits({n, n, 1}, 2));
    EXPECT_FALSE(fits({n, n, 4}, 6));
  }
  for (const int n : {1, 3, 6, 255}) EXPECT_FALSE(fits({n, n, 1}, kXy)) << n;
  EXPECT_FALSE(fits({4, 8, 1}, kXy));
}

TEST(EdnTorusPlan, IsAContentionFreeBroadcastFromEverySourceInDSteps) {
  for (int d = 1; d <= 5; ++d) {
    const int n = 1 << d;
    const Size size{n, n, 1};
    for (const Address root : nodes_of(size)) {
      const BroadcastFacts facts =
          check_broadcast(edn_torus::kRule, size, root, {.rings = kXy}, Sends::kAsStated);
      ASSERT_FALSE(HasFailure());
      ASSERT_EQ(facts.messages, n * n - 1);
      ASSERT_EQ(facts.steps, d == 1 ? 2 : d);
      ASSERT_LE(facts.most_sends_per_step, 3);
    }
  }
  for (int d = 6; d <= 8; ++d) {
    const int n = 1 << d;
    const BroadcastFacts facts = check_broadcast(edn_torus::kRule, {n, n, 1}, at(n / 3, n - 1),
                                                 {.rings = kXy}, Sends::kAsStated);
    ASSERT_FALSE(HasFailure());
    ASSERT_EQ(facts.steps, d);
  }
}

TEST(EdnTorusPlan, DividesPlanesBySevenInARing) {
  for (const int d : {1, 2, 3}) {
    const int n = 1 << d;
    for (const int z : {2, 3, 4, 5, 6, 7, 8, 9, 15, 42, 43, 49, 50, 64}) {
      for (const Address root : {at(0, 0, 0), at(1, n - 1, z - 1), at(n - 1, 0, z / 2)}) {
        const BroadcastFacts facts =
            check_broadcast(edn_torus::kRule, {n, n, z}, root, {.rings = kXyz}, Sends::kAsStated);
        ASSERT_FALSE(HasFailure());
        ASSERT_EQ(facts.steps, d == 1 ? 2 + log_rounded_up(5, z) : d + log_rounded_up(7, z)) << z;
      }
    }
  }
}

TEST(EdnTorusPlan, DividesPlanesByAtLeastSixInAMesh) {
  for (const int d : {1, 2, 3}) {
    const int n = 1 << d;
    for (const int z : {2, 3, 4, 5, 6, 7, 8, 13, 36, 37}) {
      for (int source_z = 0; source_z < z; ++source_z) {
        const BroadcastFacts facts = check_broadcast(
            edn_torus::kRule, {n, n, z}, at(1, 0, source_z), {.rings = kXy}, Sends::kAsStated);
        ASSERT_FALSE(HasFailure());
        ASSERT_LE(facts.steps, d == 1 ? 2 + log_rounded_up(4, z) : d + log_rounded_up(6, z)) << z;
      }
    }
  }
}

TEST(EdnTorusPlan, TakesTheStepsOfTheDissertationIfAskedTo) {
  // Theorem 3: z <= 7 in d + 1 steps, 7·6^m + 1 <= z <= 7·6^(m+1) in d + m + 2.
  for (int z = 2; z <= 60; ++z) {
    int m = -1, reached = 7;
    for (; reached < z; reached *= 6) ++m;
    const BroadcastFacts facts = check_broadcast(edn_torus::kRule, {4, 4, z}, at(3, 1, z / 3),
                                                 {.rings = kXyz, .parameter = 1}, Sends::kAsStated);
    ASSERT_FALSE(HasFailure());
    ASSERT_EQ(facts.steps, z <= 7 ? 3 : 2 + m + 2) << z;
  }
}

TEST(EdnTorusPlan, BackwardsItIsAReductionWithoutContention) {
  for (const int n : {2, 4, 8, 16, 32}) {
    const Size size{n, n, 1};
    for (const Address root : nodes_of(size)) {
      check_broadcast(edn_torus::kRule, size, root, {.rings = kXy, .reversed = true},
                      Sends::kAsStated);
      ASSERT_FALSE(HasFailure());
    }
  }
  for (const Address root : nodes_of({4, 4, 4})) {
    check_broadcast(edn_torus::kRule, {4, 4, 4}, root, {.rings = kXyz, .reversed = true},
                    Sends::kAsStated);
    ASSERT_FALSE(HasFailure());
  }
}

/// Expects the steps of a rule that doubles along lines.
void expect_doubling(const TreeRule& rule, Size size, std::uint32_t rings, Address root) {
  const BroadcastFacts facts = check_broadcast(rule, size, root, {.rings = rings});
  ASSERT_FALSE(::testing::Test::HasFailure());
  ASSERT_EQ(facts.steps,
            log_rounded_up(2, size.x) + log_rounded_up(2, size.y) + log_rounded_up(2, size.z));
  ASSERT_LE(facts.most_sends_per_step, 1);
  check_broadcast(rule, size, root, {.rings = rings, .reversed = true});
  ASSERT_FALSE(::testing::Test::HasFailure());
}

TEST(DoublingPlans, AreContentionFreeBroadcastsFromEverySource) {
  for (const Size size : {Size{1, 1, 1}, Size{1, 7, 1}, Size{9, 1, 1}, Size{4, 4, 1}, Size{5, 6, 1},
                          Size{8, 8, 1}, Size{3, 4, 5}, Size{1, 3, 7}}) {
    for (const Address root : nodes_of(size)) {
      expect_doubling(dimensional::kRule, size, 0, root);
      expect_doubling(cyclic_doubling::kRule, size, 0, root);
      expect_doubling(cyclic_doubling::kRule, size, 2, root);
      expect_doubling(u_torus::kRule, size, kXyz, root);
      if (HasFailure()) return;
    }
  }
}

TEST(DoublingPlans, HalveRingsWithTheSmallerHalfBelow) {
  // A ring of five from node 1: places 0 .. 4 are the nodes 1, 2, 3, 4, 0.
  const Part root = part_of(u_torus::kRule, at(1, 0), {5, 1, 1}, at(1, 0), {.rings = kXyz});
  EXPECT_EQ(root.sends, (std::vector<Part::Send>{{at(3, 0), 1}, {at(2, 0), 2}}));
  const Part third = part_of(u_torus::kRule, at(3, 0), {5, 1, 1}, at(1, 0), {.rings = kXyz});
  EXPECT_EQ(third.sends, (std::vector<Part::Send>{{at(4, 0), 2}}));
  const Part fourth = part_of(u_torus::kRule, at(4, 0), {5, 1, 1}, at(1, 0), {.rings = kXyz});
  EXPECT_EQ(fourth.sends, (std::vector<Part::Send>{{at(0, 0), 3}}));
}

TEST(DoublingPlans, HaveTheMeanPathsOfTheDissertationOn32x32) {
  const Size size{32, 32, 1};
  const auto mean = [&](const TreeRule& rule, std::uint32_t rings) {
    double hops = 0, messages = 0;
    for (int i = 0; i < 32; ++i) {  // x and y count on their own: this is the mean of all sources
      const BroadcastFacts facts = check_broadcast(rule, size, at(i, i), {.rings = rings});
      hops += static_cast<double>(facts.hops);
      messages += static_cast<double>(facts.messages);
    }
    return hops / messages;
  };
  EXPECT_NEAR(mean(dimensional::kRule, 0), 2.16, 0.005);
  EXPECT_NEAR(mean(cyclic_doubling::kRule, 0), 129.0 / 31, 1e-9);
  EXPECT_FALSE(HasFailure());
}

TEST(DoublingPlans, UTorusNeedsRingsInEveryDimension) {
  const auto fits = [](Size size, std::uint32_t rings) {
    const Topology network({}, size, rings);
    const Group all = Group::all(network, {});
    Frame frame(all, 0, 0, false);
    return u_torus::kRule.fits(frame);
  };
  EXPECT_TRUE(fits({4, 6, 1}, kXy));
  EXPECT_TRUE(fits({4, 1, 1}, 1));
  EXPECT_FALSE(fits({4, 6, 1}, 1));
  EXPECT_FALSE(fits({4, 6, 2}, kXy));
}

}  // namespace
}  // namespace annelid::firmware
