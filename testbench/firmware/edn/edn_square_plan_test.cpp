// EDN's parts of all nodes on squares of 4·2^k, put together. Rationale: a node's part is right if
// all parts together are a contention-free broadcast of the length that the paper proves. State
// space: sizes 4..64 with all sources up to 32, larger ones with sources at the places where the
// rules change.
#include <cmath>

#include "firmware/collectives/edn/edn_mesh.hpp"
#include "testbench/firmware/edn/mesh_rule.hpp"
#include "testbench/firmware/support/plan_check.hpp"

namespace annelid::firmware {
namespace {

/// k + 3 steps for n = 4·2^k (Tsai, Table 3.1).
int steps_of(int n) {
  int k = 0;
  while ((4 << k) < n) ++k;
  return k + 3;
}

TEST(EdnPlan, FitsSquaresOfFourTimesAPowerOfTwo) {
  for (const int n : {4, 8, 16, 32, 64, 128, 256}) EXPECT_TRUE(fits({n, n, 1})) << n;
  for (const int n : {1, 2, 3, 9, 11, 255}) EXPECT_FALSE(fits({n, n, 1})) << n;
  EXPECT_FALSE(fits({8, 8, 2}));
  EXPECT_FALSE(fits({8, 8, 1}, 1)) << "a ring in x";
  EXPECT_FALSE(fits({8, 8, 1}, 2)) << "a ring in y";
}

TEST(EdnPlan, IsAContentionFreeBroadcastFromEverySourceInKPlus3Steps) {
  for (const int n : {4, 8, 16, 32}) {
    const Size size{n, n, 1};
    for (const Address root : nodes_of(size)) {
      const BroadcastFacts facts = check_broadcast(edn_mesh::kRule, size, root);
      ASSERT_FALSE(HasFailure());
      ASSERT_EQ(facts.messages, n * n - 1);
      ASSERT_EQ(facts.steps, steps_of(n));
      ASSERT_LE(facts.most_sends_per_step, 3);
    }
  }
}

TEST(EdnPlan, BackwardsItIsAReductionWithoutContention) {
  for (const int n : {4, 8, 16}) {
    const Size size{n, n, 1};
    for (const Address root : nodes_of(size)) {
      const BroadcastFacts facts = check_broadcast(edn_mesh::kRule, size, root, {.reversed = true});
      ASSERT_FALSE(HasFailure());
      ASSERT_EQ(facts.steps, steps_of(n));
    }
  }
}

TEST(EdnPlan, HoldsOnLargeMeshesForSourcesWhereTheRulesChange) {
  for (const int n : {64, 128, 256}) {
    const Size size{n, n, 1};
    // The tops of the whole mesh are at about 1/6 and 1/3 of its width (Appendix A).
    for (const int x : {0, n / 6 - 1, n / 6, n / 6 + 1, n / 3 - 1, n / 3, n / 3 + 1, n / 2 - 1,
                        n / 2, 2 * n / 3, 5 * n / 6, n - 1}) {
      const BroadcastFacts facts = check_broadcast(edn_mesh::kRule, size, at(x, (7 * x + 3) % n));
      ASSERT_FALSE(HasFailure());
      ASSERT_EQ(facts.messages, n * n - 1);
      ASSERT_EQ(facts.steps, steps_of(n));
      ASSERT_LE(facts.most_sends_per_step, 3);
    }
  }
}

TEST(EdnPlan, SendsAsTheDissertationDrawsFor8x8) {
  // Figure 3.8: the level-2 node (2, 7) sends to level-1 nodes, one of them in another quadrant.
  const Part part = part_of(edn_mesh::kRule, at(2, 7), {8, 8, 1}, at(0, 0));
  std::vector<Address> step3;
  for (const Part::Send& send : part.sends) {
    if (send.step == 3) step3.push_back(send.to);
  }
  EXPECT_EQ(step3, (std::vector<Address>{at(2, 3), at(3, 5), at(0, 6)}));
}

TEST(EdnPlan, TopsAreThoseOfTheClosedForms) {
  // Appendix A, corrected for even k: the receivers of steps 1 and 2 from a source that is no top.
  for (int k = 4; k <= 8; ++k) {
    const int n = 1 << k;
    const bool even = k % 2 == 0;
    const int ax = even ? (n / 2 - 2) / 3 : (n / 2 - 1) / 3, ay = even ? (n + 5) / 3 : (n - 8) / 3;
    const int cx = even ? (n - 1) / 3 : (n - 2) / 3, cy = even ? (2 * n - 8) / 3 : (2 * n + 5) / 3;
    const int bx = even ? (3 * n - n / 2 - 1) / 3 : (3 * n - n / 2 - 2) / 3;
    const int dx = even ? (2 * n - 2) / 3 : (2 * n - 1) / 3;
    for (const Address top : {at(ax, ay), at(bx, ay), at(cx, cy), at(dx, cy)}) {
      const Part part = part_of(edn_mesh::kRule, top, {n, n, 1}, at(0, 0));
      ASSERT_TRUE(part.parent.has_value());
      EXPECT_LE(part.receive_step, 2) << "n = " << n << ", (" << +top.x << ", " << +top.y << ")";
    }
  }
}

TEST(EdnPlan, HasTheMeanPathOfTheDissertationOn32x32) {
  const Size size{32, 32, 1};
  double hops = 0, messages = 0;
  for (const Address root : nodes_of(size)) {
    for (const Address node : nodes_of(size)) {
      const Part part = part_of(edn_mesh::kRule, node, size, root);
      for (const Part::Send& send : part.sends) {
        hops += std::abs(send.to.x - node.x) + std::abs(send.to.y - node.y);
        messages += 1;
      }
    }
  }
  EXPECT_EQ(messages, 1024 * 1023);
  EXPECT_NEAR(hops / messages, 1.86, 0.005);  // Section 3.3.5
}

}  // namespace
}  // namespace annelid::firmware
