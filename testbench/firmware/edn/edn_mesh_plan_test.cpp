// The parts of all nodes of EDN on meshes other than squares of 4·2^k, put together. State space:
// every source and both startups on small meshes of each family, some sources on larger ones;
// forwards and backwards.
#include "firmware/collectives/edn/edn_mesh.hpp"
#include "testbench/firmware/edn/mesh_rule.hpp"
#include "testbench/firmware/support/plan_check.hpp"

namespace annelid::firmware {
namespace {

TEST(EdnMeshPlan, FitsTheFamiliesOfTheDissertation) {
  for (const Size size :
       {Size{5, 5, 1}, Size{5, 20, 1}, Size{48, 6, 1}, Size{7, 7, 1}, Size{224, 224, 1},
        Size{4, 256, 1}, Size{32, 8, 1}, Size{4, 4, 4}, Size{4, 4, 5}, Size{8, 8, 12},
        Size{16, 16, 15}, Size{4, 4, 108}, Size{45, 8, 8}, Size{4, 4, 36}, Size{12, 8, 8}}) {
    EXPECT_TRUE(fits(size)) << size.x << " x " << size.y << " x " << size.z;
    EXPECT_FALSE(fits(size, 1));
  }
  for (const Size size :
       {Size{5, 6, 1}, Size{9, 9, 1}, Size{1, 4, 1}, Size{3, 3, 1}, Size{5, 7, 1}, Size{10, 12, 1},
        Size{5, 5, 5}, Size{4, 8, 4}, Size{4, 4, 6}, Size{8, 8, 8}, Size{4, 4, 2}, Size{5, 1, 1}}) {
    EXPECT_FALSE(fits(size)) << size.x << " x " << size.y << " x " << size.z;
  }
}

struct Case {
  Size size;
  int levels;   ///< H; b = 4: with those of the squares
  int startup;  ///< the longest of the fastest ones
};
/// Steps behind the startup: the levels, and two of the smallest block (of 4 x 4 one).
int steps_behind(const Case& c) {
  const bool of_4 = c.size.z == 1 && c.size.x % 5 != 0 && c.size.x % 6 != 0 && c.size.x % 7 != 0;
  return c.levels + (of_4 ? 1 : 2);
}

void check(const Case& c, Address root) {
  for (const bool reversed : {false, true}) {
    for (const std::uint32_t fixed : {0U, 1U}) {
      const BroadcastFacts facts = check_broadcast(edn_mesh::kRule, c.size, root,
                                                   {.parameter = fixed, .reversed = reversed});
      ASSERT_FALSE(::testing::Test::HasFailure());
      ASSERT_EQ(facts.messages, c.size.x * c.size.y * c.size.z - 1);
      const int startup = facts.steps - steps_behind(c);
      ASSERT_LE(facts.most_sends_per_step, c.size.z > 1 || c.size.x == 1 ? 5 : 4);
      if (fixed != 0) {
        ASSERT_EQ(startup, c.startup == 1 ? 2 : c.startup);
      } else {
        ASSERT_GE(startup, 1);
        ASSERT_LE(startup, 2);
      }
    }
  }
}

TEST(EdnMeshPlan, IsAContentionFreeBroadcastFromEverySource) {
  // `startup` is that of the fixed one here: two tops and three take 2 steps, four take 3.
  for (const Case& c : {Case{{5, 5, 1}, 0, 2}, Case{{10, 10, 1}, 1, 2}, Case{{5, 20, 1}, 2, 2},
                        Case{{20, 10, 1}, 2, 2}, Case{{6, 6, 1}, 0, 2}, Case{{12, 12, 1}, 1, 2},
                        Case{{12, 6, 1}, 1, 2}, Case{{7, 7, 1}, 0, 2}, Case{{14, 14, 1}, 1, 2},
                        Case{{7, 14, 1}, 1, 2}, Case{{28, 14, 1}, 2, 2}, Case{{4, 8, 1}, 1, 3},
                        Case{{16, 4, 1}, 2, 3}, Case{{16, 8, 1}, 2, 3}, Case{{8, 16, 1}, 2, 3}}) {
    for (const Address root : nodes_of(c.size)) {
      check(c, root);
      if (HasFailure()) return;
    }
  }
}

TEST(EdnMeshPlan, IsAContentionFreeBroadcastOnCuboids) {
  for (const Case& c : {Case{{4, 4, 4}, 0, 3}, Case{{4, 4, 12}, 1, 3}, Case{{8, 8, 5}, 1, 3},
                        Case{{4, 4, 5}, 0, 3}, Case{{5, 4, 4}, 0, 3}, Case{{12, 8, 8}, 2, 3}}) {
    const std::vector<Address> roots = nodes_of(c.size);
    for (std::size_t i = 0; i<roots.size(); i += roots.size()> 320 ? 5 : 1) {
      const Address root = roots[i];
      // Backwards the other kind is asked for: each of the two is in the list, or its own reverse.
      for (const bool reversed : {false, true}) {
        for (const std::uint32_t fixed : {0U, 1U}) {
          const BroadcastFacts facts = check_broadcast(edn_mesh::kRule, c.size, root,
                                                       {.parameter = fixed, .reversed = reversed});
          if (HasFailure()) return;
          ASSERT_LE(facts.most_sends_per_step, 5);
          ASSERT_EQ(facts.steps, c.levels + 4 + static_cast<int>(fixed));
        }
      }
    }
  }
  for (const Size size : {Size{16, 16, 15}, Size{15, 16, 16}}) {
    for (const Address root : {at(0, 0, 0), at(14, 3, 9), at(7, 15, 14)}) {
      const BroadcastFacts facts = check_broadcast(edn_mesh::kRule, size, root);
      ASSERT_FALSE(HasFailure());
      ASSERT_EQ(facts.steps, 2 + 1 + 4);  // Table 3.5
    }
  }
}

TEST(EdnMeshPlan, HoldsOnLargeMeshes) {
  for (const Case& c : {Case{{160, 160, 1}, 5, 2}, Case{{96, 192, 1}, 5, 2},
                        Case{{112, 112, 1}, 4, 2}, Case{{256, 32, 1}, 6, 3}}) {
    for (const Address root : {at(0, 0), at(c.size.x / 2, 7), at(c.size.x - 1, c.size.y - 1)}) {
      check(c, root);
      if (HasFailure()) return;
    }
  }
}

TEST(EdnMeshPlan, TakesTheFewestAndTheMostStepsOfTheTables) {
  // Tables 3.2 to 3.4: k + 3 to k + 4.
  for (const int b : {5, 6, 7}) {
    for (int k = 0; k <= 2; ++k) {
      const Size size{b << k, b << k, 1};
      int least = 99, most = 0;
      for (const Address root : nodes_of(size)) {
        const Topology network(root, size);
        const Group all = Group::all(network, {});
        Frame frame(all, network.pid(root), 0, false);
        ASSERT_TRUE(edn_mesh::kRule.fits(frame));
        least = std::min(least, edn_mesh::kRule.steps(frame));
        most = std::max(most, edn_mesh::kRule.steps(frame));
      }
      EXPECT_EQ(least, k + 3);
      EXPECT_EQ(most, k + 4);
    }
  }
}

}  // namespace
}  // namespace annelid::firmware
