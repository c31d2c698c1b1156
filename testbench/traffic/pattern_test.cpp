// The patterns against tables that were written by hand from Dally and Towles, section 3.2, and
// against their definitions as shares.
#include "traffic/pattern.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

namespace annelid::traffic {
namespace {

using ::testing::HasSubstr;

systemc::NetworkConfig mesh(int x, int y = 1, int z = 1) {
  systemc::NetworkConfig network{.size = {x, y, z}};
  network.router.dims = z > 1 ? 3 : y > 1 ? 2 : 1;
  network.router.local_ports = 1;
  return network;
}

struct Table {
  const char* name;
  PatternKind kind;
  systemc::NetworkConfig network;
  std::vector<NodeId> images;  // by source
};

class Permutations : public ::testing::TestWithParam<Table> {};

TEST_P(Permutations, GoWhereTheHandWrittenTableSays) {
  const Table& t = GetParam();
  const Pattern pattern({.kind = t.kind}, t.network);
  Random random(1);
  ASSERT_EQ(t.images.size(), t.network.nodes());
  NodeId senders = 0;
  for (NodeId n = 0; n < t.images.size(); ++n) {
    EXPECT_EQ(pattern.sends(n), t.images[n] != n) << n;
    if (t.images[n] == n) continue;
    ++senders;
    EXPECT_EQ(pattern.destination(n, random), t.images[n]) << n;
  }
  EXPECT_EQ(pattern.senders(), senders);
  EXPECT_EQ(pattern.demand().flows.size(), senders);
}

INSTANTIATE_TEST_SUITE_P(
    Patterns, Permutations,
    ::testing::Values(
        Table{"transpose4x4",
              PatternKind::kTranspose,
              mesh(4, 4),
              {0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15}},
        // (x, y, z) goes to (y, z, x): node 1 = (1,0,0) to (0,0,1) = 4, node 2 = (0,1,0) to 1.
        Table{"transpose2x2x2", PatternKind::kTranspose, mesh(2, 2, 2), {0, 4, 1, 5, 2, 6, 3, 7}},
        Table{"complement8", PatternKind::kBitComplement, mesh(8), {7, 6, 5, 4, 3, 2, 1, 0}},
        Table{"complement4x2", PatternKind::kBitComplement, mesh(4, 2), {7, 6, 5, 4, 3, 2, 1, 0}},
        Table{"reverse8", PatternKind::kBitReverse, mesh(8), {0, 4, 2, 6, 1, 5, 3, 7}},
        Table{"reverse4x4",
              PatternKind::kBitReverse,
              mesh(4, 4),
              {0, 8, 4, 12, 2, 10, 6, 14, 1, 9, 5, 13, 3, 11, 7, 15}},
        Table{"shuffle8", PatternKind::kShuffle, mesh(8), {0, 2, 4, 6, 1, 3, 5, 7}},
        Table{"shuffle4x4",
              PatternKind::kShuffle,
              mesh(4, 4),
              {0, 2, 4, 6, 8, 10, 12, 14, 1, 3, 5, 7, 9, 11, 13, 15}},
        Table{"tornado8", PatternKind::kTornado, mesh(8), {3, 4, 5, 6, 7, 0, 1, 2}},
        Table{"tornado5", PatternKind::kTornado, mesh(5), {2, 3, 4, 0, 1}},
        // Along x by 1, along y (two nodes) not at all.
        Table{"tornado4x2", PatternKind::kTornado, mesh(4, 2), {1, 2, 3, 0, 5, 6, 7, 4}},
        Table{"neighbour3x2", PatternKind::kNeighbour, mesh(3, 2), {4, 5, 3, 1, 2, 0}}),
    [](const auto& test) { return std::string(test.param.name); });

std::map<NodeId, double> shares(const Pattern& pattern, NodeId source) {
  Random random(7);
  std::map<NodeId, double> share;
  constexpr int kDraws = 20000;
  for (int i = 0; i < kDraws; ++i) share[pattern.destination(source, random)] += 1.0 / kDraws;
  return share;
}

TEST(Uniform, SendsEquallyToAllOthersAndNeverToItself) {
  const Pattern pattern({}, mesh(3, 3));
  EXPECT_EQ(pattern.senders(), 9u);
  const auto share = shares(pattern, 4);
  EXPECT_EQ(share.size(), 8u);
  EXPECT_FALSE(share.contains(4));
  for (const auto& [node, s] : share) EXPECT_NEAR(s, 1 / 8.0, 0.01) << node;
}

TEST(Hotspot, GetsItsFractionAndItsShareOfTheRest) {
  const Pattern pattern({PatternKind::kHotspot, {2, 5}, 0.4}, mesh(3, 3));
  auto share = shares(pattern, 0);
  EXPECT_NEAR(share[2], 0.2 + 0.6 / 8, 0.012);
  EXPECT_NEAR(share[5], 0.2 + 0.6 / 8, 0.012);
  EXPECT_NEAR(share[8], 0.6 / 8, 0.01);
  share = shares(pattern, 2);  // a hotspot sends to the other one
  EXPECT_FALSE(share.contains(2));
  EXPECT_NEAR(share[5], 0.4 + 0.6 / 8, 0.014);
}

TEST(Hotspot, TheOnlyOneSendsUniformly) {
  const Pattern pattern({PatternKind::kHotspot, {4}, 0.9}, mesh(3, 3));
  const auto share = shares(pattern, 4);
  EXPECT_EQ(share.size(), 8u);
  for (const auto& [node, s] : share) EXPECT_NEAR(s, 1 / 8.0, 0.01) << node;
}

/// What demand() says must be what destination() does.
TEST(Demand, AddsUpToOneForEverySenderOfEveryPattern) {
  int patterns = 0;
  for (const PatternKind kind : kPatternKinds) {
    const Pattern pattern({kind, {1, 6}, 0.3}, mesh(4, 4));
    const Demand demand = pattern.demand();
    std::vector<double> sum(16);
    for (NodeId n = 0; n < 16; ++n) sum[n] = pattern.sends(n) ? demand.uniform : 0;
    for (const Flow& f : demand.flows) {
      EXPECT_NE(f.source, f.destination);
      sum[f.source] += f.share;
    }
    for (NodeId n = 0; n < 16; ++n) EXPECT_NEAR(sum[n], pattern.sends(n) ? 1 : 0, 1e-12);
    ++patterns;
  }
  EXPECT_EQ(patterns, 8);
}

struct Bad {
  const char* name;
  PatternConfig config;
  systemc::NetworkConfig network;
  const char* key;
  const char* expected;
};

class Undefined : public ::testing::TestWithParam<Bad> {};

TEST_P(Undefined, IsRefusedWithTheReason) {
  try {
    const Pattern pattern(GetParam().config, GetParam().network);
    FAIL() << "accepted";
  } catch (const systemc::ConfigError& error) {
    EXPECT_EQ(error.key(), GetParam().key);
    EXPECT_THAT(error.expected(), HasSubstr(GetParam().expected));
  }
}

INSTANTIATE_TEST_SUITE_P(
    Patterns, Undefined,
    ::testing::Values(
        Bad{"OneNode", {}, mesh(1), "traffic.pattern", "at least 2 nodes"},
        Bad{"ReverseOf12",
            {PatternKind::kBitReverse},
            mesh(4, 3),
            "traffic.pattern",
            "power of two"},
        Bad{"ComplementOf9",
            {PatternKind::kBitComplement},
            mesh(3, 3),
            "traffic.pattern",
            "power of two"},
        Bad{"ShuffleOf6", {PatternKind::kShuffle}, mesh(6), "traffic.pattern", "power of two"},
        Bad{"Transpose4x2", {PatternKind::kTranspose}, mesh(4, 2), "traffic.pattern", "equal size"},
        Bad{"TransposeOfALine",
            {PatternKind::kTranspose},
            mesh(8),
            "traffic.pattern",
            "equal size"},
        Bad{"TornadoOf2x2", {PatternKind::kTornado}, mesh(2, 2), "traffic.pattern", "moves"},
        Bad{"NoHotspot", {PatternKind::kHotspot}, mesh(4), "traffic.hotspots", "at least one"},
        Bad{"HotspotOutside", {PatternKind::kHotspot, {4}}, mesh(4), "traffic.hotspots", "0..3"},
        Bad{"HotspotTwice",
            {PatternKind::kHotspot, {2, 1, 2}},
            mesh(4),
            "traffic.hotspots",
            "once"},
        Bad{"Fraction",
            {PatternKind::kHotspot, {2}, 1.5},
            mesh(4),
            "traffic.hotspot_fraction",
            "0..1"}),
    [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace annelid::traffic
