// Logical meshes, their coordinates and places, and the stages of the templates (Barnett and others
// 1994, Section 6, Figure 3). State space: all factorizations of 1 to 64 ranks.
#include "reference/intercom/logical_mesh.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

#include "reference/intercom/hybrid.hpp"

namespace annelid::reference::intercom {
namespace {

TEST(IntercomMesh, NearFirstCountsRanksWithTheFirstDimensionFastest) {
  const LogicalMesh mesh({2, 3, 5}, Nearness::kNearFirst);
  EXPECT_EQ(mesh.ranks(), 30);
  EXPECT_EQ(mesh.dimensions(), (std::vector<Dimension>{{2, 1}, {3, 2}, {5, 6}}));
  EXPECT_EQ(to_string(mesh), "2x3x5");
  for (int c3 = 0, rank = 0; c3 < 5; ++c3) {
    for (int c2 = 0; c2 < 3; ++c2) {
      for (int c1 = 0; c1 < 2; ++c1, ++rank) {
        EXPECT_EQ(mesh.coordinate(rank, 0), c1);
        EXPECT_EQ(mesh.coordinate(rank, 1), c2);
        EXPECT_EQ(mesh.coordinate(rank, 2), c3);
        EXPECT_EQ(mesh.place(rank), (c1 * 3 + c2) * 5 + c3);
        EXPECT_EQ(mesh.place(rank, 2), c1 * 3 + c2);
        EXPECT_EQ(mesh.moved(0, 2, c3) + mesh.moved(0, 1, c2) + mesh.moved(0, 0, c1), rank);
      }
    }
  }
}

TEST(IntercomMesh, FarFirstCountsRanksAsPlaces) {
  for (int p = 1; p <= 64; ++p) {
    for (const auto& sizes : factorizations(p)) {
      const LogicalMesh mesh(sizes, Nearness::kFarFirst);
      for (int rank = 0; rank < p; ++rank) ASSERT_EQ(mesh.place(rank), rank);
      ASSERT_EQ(mesh.dimensions().back().stride, 1);
    }
  }
}

TEST(IntercomMesh, StridesMayBeInAnyOrderIfTheyNumberAllRanks) {
  const LogicalMesh mesh({{3, 4}, {2, 1}, {2, 2}});
  EXPECT_EQ(mesh.ranks(), 12);
  EXPECT_EQ(mesh.coordinate(7, 0), 1);
  EXPECT_EQ(mesh.coordinate(7, 1), 1);
  EXPECT_EQ(mesh.coordinate(7, 2), 1);
  EXPECT_EQ(mesh.place(7), 7);
  EXPECT_EQ(mesh.place(1), 2);
  EXPECT_EQ(LogicalMesh({{3, 2}, {1, 2}, {2, 1}, {1, 6}}).ranks(), 6);
}

TEST(IntercomMesh, RefusesSizesAndStridesThatDoNotNumberRanks) {
  EXPECT_THROW(LogicalMesh(std::vector<Dimension>{}), std::invalid_argument);
  EXPECT_THROW(LogicalMesh({2, 0}, Nearness::kNearFirst), std::invalid_argument);
  EXPECT_THROW(LogicalMesh({2, -3}, Nearness::kFarFirst), std::invalid_argument);
  EXPECT_THROW(LogicalMesh({{2, 1}, {3, 3}}), std::invalid_argument);
  EXPECT_THROW(LogicalMesh({{2, 1}, {3, 1}}), std::invalid_argument);
  EXPECT_THROW(LogicalMesh(std::vector<Dimension>{{2, 2}}), std::invalid_argument);
}

TEST(IntercomMesh, ThirtyRanksHaveThirteenFactorizations) {
  // The 26 hybrids of Section 6, with two templates.
  const std::vector<std::vector<int>> all{{2, 3, 5}, {2, 5, 3}, {2, 15},   {3, 2, 5}, {3, 5, 2},
                                          {3, 10},   {5, 2, 3}, {5, 3, 2}, {5, 6},    {6, 5},
                                          {10, 3},   {15, 2},   {30}};
  EXPECT_EQ(factorizations(30), all);
  EXPECT_EQ(factorizations(1), (std::vector<std::vector<int>>{{1}}));
  EXPECT_EQ(factorizations(37), (std::vector<std::vector<int>>{{37}}));
  EXPECT_EQ(factorizations(32).size(), 16u);    // compositions of 5
  EXPECT_EQ(factorizations(512).size(), 256u);  // compositions of 9
  EXPECT_THROW(factorizations(0), std::invalid_argument);
}

TEST(IntercomStages, AreThoseOfFigure3) {
  // The letters of 1, 2 and 3 dimensions: S..S C..C, then S..S M C..C and their counterparts.
  struct Letters {
    Collective collective;
    std::array<const char*, 3> with_long, with_short;
  };
  const std::vector<Letters> rows{
      {Collective::kBroadcast, {"SC", "SSCC", "SSSCCC"}, {"M", "SMC", "SSMCC"}},
      {Collective::kScatter, {"S", "SS", "SSS"}, {"S", "SS", "SSS"}},
      {Collective::kGather, {"G", "GG", "GGG"}, {"G", "GG", "GGG"}},
      {Collective::kCollect, {"C", "CC", "CCC"}, {"GM", "GMC", "GMCC"}},
      {Collective::kCombineToOne, {"DG", "DDGG", "DDDGGG"}, {"R", "DRG", "DDRGG"}},
      {Collective::kCombineToAll, {"DC", "DDCC", "DDDCCC"}, {"RM", "DRMC", "DDRMCC"}},
      {Collective::kDistributedCombine, {"D", "DD", "DDD"}, {"RS", "DRS", "DDRS"}}};
  ASSERT_EQ(rows.size(), kCollectives.size());
  for (const Letters& row : rows) {
    for (std::size_t k = 1; k <= 3; ++k) {
      EXPECT_EQ(letters(stages_of(row.collective, Template::kLong, k)), row.with_long[k - 1]);
      EXPECT_EQ(letters(stages_of(row.collective, Template::kShort, k)), row.with_short[k - 1]);
    }
  }
}

TEST(IntercomStages, GoThroughTheDimensionsUpAndDown) {
  const auto dimensions = [](Collective collective, Template form) {
    std::vector<std::size_t> order;
    for (const Stage& s : stages_of(collective, form, 3)) order.push_back(s.dimension);
    return order;
  };
  using Order = std::vector<std::size_t>;
  EXPECT_EQ(dimensions(Collective::kBroadcast, Template::kLong), (Order{0, 1, 2, 2, 1, 0}));
  EXPECT_EQ(dimensions(Collective::kBroadcast, Template::kShort), (Order{0, 1, 2, 1, 0}));
  EXPECT_EQ(dimensions(Collective::kScatter, Template::kLong), (Order{0, 1, 2}));
  EXPECT_EQ(dimensions(Collective::kGather, Template::kLong), (Order{2, 1, 0}));
  EXPECT_EQ(dimensions(Collective::kCollect, Template::kShort), (Order{2, 2, 1, 0}));
  EXPECT_EQ(dimensions(Collective::kCombineToAll, Template::kShort), (Order{0, 1, 2, 2, 1, 0}));
  EXPECT_EQ(dimensions(Collective::kDistributedCombine, Template::kShort), (Order{0, 1, 2, 2}));
}

TEST(IntercomStages, CollectivesHaveTheNamesOfTable1) {
  EXPECT_EQ(name_of(Collective::kBroadcast), "broadcast");
  EXPECT_EQ(name_of(Collective::kDistributedCombine), "distributed combine");
}

}  // namespace
}  // namespace annelid::reference::intercom
