// Which node has which rank: docs/internals/algorithms/groups.md, "Ranks and embeddings". State
// space: all nodes of seven networks in each embedding, some of their ranks.
#include "reference/schedule/embedding.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <span>

namespace annelid::reference {
namespace {

using ::testing::ElementsAre;

const std::vector<Network> kEmbeddedNetworks{{1, 1},    {4, 4},    {5, 3},   {1, 9},
                                             {3, 4, 5}, {8, 8, 3}, {6, 5, 4}};

std::vector<Node> all_of(const Network& net, Embedding embedding) {
  return members(net, {embedding, 0});
}

TEST(Embedding, PutsEveryRankOnANodeOfItsOwn) {
  for (const Network& net : kEmbeddedNetworks) {
    for (std::size_t e = 0; e < kEmbeddings; ++e) {
      const Ranks ranks{static_cast<Embedding>(e), 0};
      std::vector<Node> nodes = members(net, ranks);
      ASSERT_EQ(rank_count(net, ranks), net.nodes());
      for (int r = 0; r < net.nodes(); ++r) {
        ASSERT_EQ(rank_of(net, ranks, nodes[static_cast<std::size_t>(r)]), r);
      }
      std::ranges::sort(nodes);
      ASSERT_EQ(std::ranges::adjacent_find(nodes), nodes.end());
    }
  }
}

TEST(Embedding, FewerRanksAreTheFirst) {
  const Network net{3, 4, 5};
  for (std::size_t e = 0; e < kEmbeddings; ++e) {
    const auto embedding = static_cast<Embedding>(e);
    const std::vector<Node> all = all_of(net, embedding), some = members(net, {embedding, 17});
    ASSERT_EQ(some.size(), 17u);
    EXPECT_TRUE(std::ranges::equal(some, std::span(all).first(17)));
    EXPECT_EQ(rank_at(net, {embedding, 17}, all[16]), 16);
    EXPECT_EQ(rank_at(net, {embedding, 17}, all[17]), std::nullopt);
  }
}

TEST(Embedding, RowsAreTheNodesNumbers) {
  const Network net{3, 4, 5};
  const std::vector<Node> nodes = all_of(net, Embedding::kRows);
  for (int i = 0; i < net.nodes(); ++i) {
    EXPECT_EQ(index_of(net, nodes[static_cast<std::size_t>(i)]), i);
  }
}

TEST(Embedding, ConsecutiveRanksOfASnakeAreNeighbours) {
  for (const Network& net : kEmbeddedNetworks) {
    const std::vector<Node> nodes = all_of(net, Embedding::kSnake);
    for (std::size_t i = 1; i < nodes.size(); ++i) {
      ASSERT_EQ(distance(net, nodes[i - 1], nodes[i]), 1) << to_string(net) << " rank " << i;
    }
  }
  EXPECT_THAT(all_of({2, 2, 2}, Embedding::kSnake),
              ElementsAre(Node{0, 0}, Node{1, 0}, Node{1, 1}, Node{0, 1}, Node{0, 1, 1},
                          Node{1, 1, 1}, Node{1, 0, 1}, Node{0, 0, 1}));
}

TEST(Embedding, QuadrantsHalveTheLongestDimensionTheLastOfEquallyLongOnes) {
  EXPECT_THAT(all_of({2, 2}, Embedding::kQuadrants),
              ElementsAre(Node{0, 0}, Node{1, 0}, Node{0, 1}, Node{1, 1}));
  EXPECT_THAT(all_of({5, 1}, Embedding::kQuadrants),
              ElementsAre(Node{0, 0}, Node{1, 0}, Node{2, 0}, Node{3, 0}, Node{4, 0}));
  // The lower half of an odd number has one more: two rows before one, two columns before one.
  EXPECT_THAT(all_of({3, 3}, Embedding::kQuadrants),
              ElementsAre(Node{0, 0}, Node{1, 0}, Node{0, 1}, Node{1, 1}, Node{2, 0}, Node{2, 1},
                          Node{0, 2}, Node{1, 2}, Node{2, 2}));
  // 8 x 8: the first 16 ranks are the quadrant at the corner, the first 4 a quadrant of that.
  const std::vector<Node> nodes = all_of({8, 8}, Embedding::kQuadrants);
  for (std::size_t r = 0; r < 64; ++r) {
    EXPECT_EQ(nodes[r].x < 4 && nodes[r].y < 4, r < 16) << r;
    EXPECT_EQ(nodes[r].x < 2 && nodes[r].y < 2, r < 4) << r;
  }
  EXPECT_EQ(nodes[16], (Node{4, 0}));
}

TEST(EmbeddingErrors, MoreRanksThanNodesAndNodesWithoutARankAreRefused) {
  EXPECT_THROW(members({3, 3}, {Embedding::kRows, 10}), std::invalid_argument);
  EXPECT_THROW(members({3, 3}, {Embedding::kRows, -1}), std::invalid_argument);
  EXPECT_THROW(rank_of({3, 3}, {Embedding::kRows, 8}, {2, 2}), std::invalid_argument);
}

}  // namespace
}  // namespace annelid::reference
