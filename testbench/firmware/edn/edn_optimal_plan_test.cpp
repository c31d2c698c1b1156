// The parts of all nodes of edn-optimal, put together. State space: all m x n up to 12 with every
// source, and samples of what is larger, up to 256 x 256 and in three dimensions; the top's part is
// the longest, so its sources are among them.
#include "firmware/collectives/edn/edn_optimal.hpp"
#include "testbench/firmware/support/plan_check.hpp"
#include "testbench/firmware/support/rounded_log.hpp"

namespace annelid::firmware {
namespace {

/// Within `more` steps of what the number of nodes allows with `channels` of them; with the relay
/// of a source that is not the top one more.
void expect_short(Size size, Address root, int channels, int more, bool reversed = false) {
  const BroadcastFacts facts =
      check_broadcast(edn_optimal::kRule, size, root, {.reversed = reversed});
  ASSERT_FALSE(::testing::Test::HasFailure());
  const int nodes = size.x * size.y * size.z;
  ASSERT_EQ(facts.messages, nodes - 1);
  ASSERT_LE(facts.steps, log_rounded_up(channels + 1, nodes) + more + 1);
  ASSERT_LE(facts.most_sends_per_step, size.z > 1 ? 6 : 4);
}

TEST(EdnOptimalPlan, IsAShortContentionFreeBroadcastOnEverySmallMeshFromEverySource) {
  for (int x = 1; x <= 12; ++x) {
    for (int y = 1; y <= 12; ++y) {
      for (const Address root : nodes_of({x, y, 1})) {
        expect_short({x, y, 1}, root, 4, 2);
        if (HasFailure()) return;
      }
    }
  }
}

// Meshes that are one block of more than 10 cells a side, and 3 x 7; larger ones over such a mesh.
TEST(EdnOptimalPlan, TakesTheStepsOfTheCountBoundWhereTheMeshIsOneBlock) {
  for (const Size size : {Size{3, 7, 1}, Size{5, 16, 1}, Size{16, 4, 1}, Size{13, 7, 1},
                          Size{8, 13, 1}, Size{9, 11, 1}, Size{6, 16, 1}})
    for (const Address root : nodes_of(size)) expect_short(size, root, 4, 0);
  for (const Size size : {Size{8, 40, 1}, Size{16, 64, 1}})
    for (const Address root : {at(0, 0), at(size.x - 1, size.y / 2), at(size.x / 2, 5)})
      expect_short(size, root, 4, 0);
}

TEST(EdnOptimalPlan, HoldsOnLargerMeshes) {
  for (const Size size : {Size{13, 64, 1}, Size{55, 2, 1}, Size{2, 62, 1}, Size{31, 33, 1},
                          Size{64, 64, 1}, Size{1, 256, 1}, Size{256, 3, 1}, Size{100, 161, 1}}) {
    for (const Address root : {at(0, 0), at(size.x - 1, size.y / 2), at(size.x / 3, size.y - 1)})
      expect_short(size, root, 4, 2);
  }
  expect_short({256, 256, 1}, at(200, 77), 4, 2);
}

TEST(EdnOptimalPlan, HoldsInThreeDimensions) {
  for (const Size size :
       {Size{1, 1, 7}, Size{3, 1, 4}, Size{2, 3, 4}, Size{4, 4, 5}, Size{4, 4, 4}, Size{6, 5, 9}})
    for (const Address root : nodes_of(size)) expect_short(size, root, 2, 1);
  for (const Size size : {Size{16, 16, 15}, Size{1, 1, 256}, Size{7, 30, 28}})
    expect_short(size, at(0, size.y - 1, size.z / 2), 2, 1);
}

TEST(EdnOptimalPlan, BackwardsItIsAReductionWithoutContention) {
  for (const Size size : {Size{5, 9, 1}, Size{12, 7, 1}, Size{3, 4, 5}})
    for (const Address root : nodes_of(size)) expect_short(size, root, 2, 1, true);
  expect_short({33, 64, 1}, at(7, 50), 4, 2, true);
}

TEST(EdnOptimalPlan, IsThatOfTheExamplesInTheDocument) {
  // 9 x 5, source (7,3): mirrored in x and y, entry (4,2), relay.
  const Part source = part_of(edn_optimal::kRule, at(7, 3), {9, 5, 1}, at(7, 3));
  ASSERT_FALSE(source.sends.empty());
  EXPECT_EQ(source.sends[0], (Part::Send{at(4, 2), 1}));
  // 12 x 13, source (0,0): the top is (4,7).
  const Part top = part_of(edn_optimal::kRule, at(4, 7), {12, 13, 1}, at(0, 0));
  EXPECT_EQ(top.parent, at(0, 0));
  EXPECT_EQ(top.receive_step, 1);
}

TEST(EdnOptimalPlan, NeedsNoRelayWhereAllDimensionsAreRings) {
  for (const Size size : {Size{9, 1, 1}, Size{5, 7, 1}, Size{8, 8, 1}, Size{12, 9, 1},
                          Size{3, 3, 3}, Size{2, 3, 4}, Size{6, 5, 7}}) {
    for (const Address root : nodes_of(size)) {
      const BroadcastFacts facts = check_broadcast(edn_optimal::kRule, size, root, {.rings = 7});
      if (HasFailure()) return;
      const Part top = part_of(edn_optimal::kRule, root, size, root, {.rings = 7});
      ASSERT_EQ(static_cast<int>(top.sends.empty()), size.x * size.y * size.z == 1 ? 1 : 0);
      ASSERT_EQ(facts.messages, size.x * size.y * size.z - 1);
      check_broadcast(edn_optimal::kRule, size, root, {.rings = 1});
      check_broadcast(edn_optimal::kRule, size, root, {.rings = 6, .reversed = true});
      if (HasFailure()) return;
    }
  }
}

// Their 4 x 4 coarser nodes are of two sizes, so that messages of half the ring go either way.
TEST(EdnOptimalPlan, IsFreeOfContentionInRingsOfUnequalParts) {
  for (const Size size : {Size{11, 21, 1}, Size{16, 13, 1}, Size{31, 31, 1}, Size{31, 37, 1}}) {
    for (const std::uint32_t rings : {1U, 2U, 3U}) {
      for (const Address root : {at(0, 0), at(size.x - 1, size.y / 2), at(size.x / 3, 5)})
        check_broadcast(edn_optimal::kRule, size, root, {.rings = rings});
      if (HasFailure()) return;
    }
  }
}

}  // namespace
}  // namespace annelid::firmware
