// Comb trees: docs/internals/algorithms/combs.md. Parents, roots and weights by hand; every tree
// spans its mesh; all channels carry the same load, exactly. State space: meshes of 1 to 256 nodes
// in one to three dimensions.
#include "reference/combs/comb_trees.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "reference/schedule/index.hpp"
#include "testbench/reference/combs/comb_networks.hpp"

namespace annelid::reference {
namespace {

Node parent_in(const Network& net, const CombTree& tree, Node child) {
  return node_at(net, tree.parent[at(index_of(net, child))]);
}

TEST(CombTrees, ARowCombMovesAlongTheRowThenAlongTheColumnToTheMiddle) {
  const Network net{4, 3};
  const std::vector<CombTree> trees = comb_trees(net);
  ASSERT_EQ(trees.size(), 7u);  // 4 row combs, 3 column combs
  const CombTree& comb = trees[2];
  EXPECT_EQ(comb.dimensions, (std::vector<std::size_t>{0, 1}));
  EXPECT_EQ(node_at(net, comb.root), (Node{2, 1}));
  EXPECT_EQ(parent_in(net, comb, {0, 0}), (Node{1, 0}));
  EXPECT_EQ(parent_in(net, comb, {3, 2}), (Node{2, 2}));
  EXPECT_EQ(parent_in(net, comb, {2, 0}), (Node{2, 1}));
  EXPECT_EQ(parent_in(net, comb, {1, 1}), (Node{2, 1}));
  EXPECT_EQ(comb.parent[at(comb.root)], -1);
  EXPECT_EQ(comb.depth[at(index_of(net, {0, 0}))], 3);
  EXPECT_EQ(comb.greatest_depth, 3);
  EXPECT_EQ(children_of(comb)[at(comb.root)], (std::vector<int>{2, 5, 7, 10}));
}

TEST(CombTrees, AColumnCombMovesAlongTheColumnFirst) {
  const Network net{4, 3};
  const CombTree comb = comb_trees(net)[4];  // column comb 0
  EXPECT_EQ(comb.dimensions, (std::vector<std::size_t>{1, 0}));
  EXPECT_EQ(node_at(net, comb.root), (Node{2, 0}));
  EXPECT_EQ(parent_in(net, comb, {0, 2}), (Node{0, 1}));
  EXPECT_EQ(parent_in(net, comb, {0, 0}), (Node{1, 0}));
  EXPECT_EQ(parent_in(net, comb, {3, 0}), (Node{2, 0}));
}

TEST(CombTrees, ThreeDimensionsTakeTheirThreeRotations) {
  const Network net{2, 3, 4};
  const std::vector<CombTree> trees = comb_trees(net);
  ASSERT_EQ(trees.size(), 6u + 12u + 8u);
  EXPECT_EQ(trees[0].dimensions, (std::vector<std::size_t>{0, 1, 2}));
  EXPECT_EQ(trees[6].dimensions, (std::vector<std::size_t>{1, 2, 0}));
  EXPECT_EQ(trees[18].dimensions, (std::vector<std::size_t>{2, 0, 1}));
  // The coordinate in the order's first dimension is the most significant of a tree's number.
  EXPECT_EQ(node_at(net, trees[1].root), (Node{0, 1, 2}));
  EXPECT_EQ(node_at(net, trees[3].root), (Node{1, 0, 2}));
  EXPECT_EQ(node_at(net, trees[7].root), (Node{1, 0, 1}));
  EXPECT_EQ(node_at(net, trees[19].root), (Node{1, 1, 0}));
  EXPECT_EQ(parent_in(net, trees[7], {0, 2, 3}), (Node{0, 1, 3}));
  EXPECT_EQ(parent_in(net, trees[7], {0, 0, 3}), (Node{0, 0, 2}));
  EXPECT_EQ(parent_in(net, trees[7], {0, 0, 1}), (Node{1, 0, 1}));
}

TEST(CombTrees, SharesAreTheLinksOfALineOfTheLastDimension) {
  const auto weights = [](const Network& net) {
    std::map<std::vector<std::size_t>, std::set<std::uint64_t>> found;
    for (const CombTree& tree : comb_trees(net)) found[tree.dimensions].insert(tree.weight);
    return found;
  };
  using Weights = std::map<std::vector<std::size_t>, std::set<std::uint64_t>>;
  EXPECT_EQ(weights({8, 8}), (Weights{{{0, 1}, {7}}, {{1, 0}, {7}}}));
  EXPECT_EQ(weights({5, 7}), (Weights{{{0, 1}, {6}}, {{1, 0}, {4}}}));
  EXPECT_EQ(weights({8, 4, 2}), (Weights{{{0, 1, 2}, {1}}, {{1, 2, 0}, {7}}, {{2, 0, 1}, {3}}}));
  EXPECT_EQ(weights({6, 1}), (Weights{{{0}, {5}}}));
  EXPECT_EQ(weights({1, 1}), (Weights{{{}, {1}}}));
}

TEST(CombTrees, TheLongestPathsAreThoseOfRootsInTheMiddle) {
  const auto depth = [](const Network& net) {
    const std::vector<CombTree> trees = comb_trees(net);
    return std::ranges::max_element(trees, {}, &CombTree::greatest_depth)->greatest_depth;
  };
  EXPECT_EQ(depth({4, 4}), 5);
  EXPECT_EQ(depth({8, 8}), 11);
  EXPECT_EQ(depth({16, 16}), 23);
  EXPECT_EQ(depth({8, 8, 4}), 16);
  EXPECT_EQ(depth({9, 1}), 4);
}

TEST(CombTrees, EveryTreeReachesAllNodesOverNeighbours) {
  for (const Network& net : comb_networks()) {
    for (const CombTree& tree : comb_trees(net)) {
      ASSERT_EQ(tree.parent.size(), at(net.nodes()));
      int deepest = 0;
      for (int n = 0; n < net.nodes(); ++n) {
        deepest = std::max(deepest, tree.depth[at(n)]);
        if (n == tree.root) {
          ASSERT_EQ(tree.parent[at(n)], -1);
          ASSERT_EQ(tree.depth[at(n)], 0);
          continue;
        }
        const int parent = tree.parent[at(n)];
        ASSERT_TRUE(parent >= 0 && parent < net.nodes()) << to_string(net);
        ASSERT_EQ(distance(net, node_at(net, parent), node_at(net, n)), 1) << to_string(net);
        // The depths fall to 0 along the parents, so all nodes hang on the root.
        ASSERT_EQ(tree.depth[at(n)], tree.depth[at(parent)] + 1) << to_string(net);
      }
      ASSERT_EQ(tree.greatest_depth, deepest) << to_string(net);
    }
  }
}

TEST(CombTrees, ChildrenAreThoseWhoNameTheParentInAscendingOrder) {
  for (const Network& net : comb_networks()) {
    for (const CombTree& tree : comb_trees(net)) {
      const std::vector<std::vector<int>> children = children_of(tree);
      std::size_t edges = 0;
      for (int n = 0; n < net.nodes(); ++n) {
        ASSERT_TRUE(std::ranges::is_sorted(children[at(n)]));
        for (const int child : children[at(n)]) ASSERT_EQ(tree.parent[at(child)], n);
        edges += children[at(n)].size();
      }
      ASSERT_EQ(edges, at(net.nodes()) - 1) << to_string(net);
    }
  }
}

TEST(CombTrees, AllChannelsCarryTheSameLoadExactly) {
  for (const Network& net : comb_networks()) {
    if (net.nodes() == 1) continue;
    const std::vector<CombTree> trees = comb_trees(net);
    std::map<std::pair<int, int>, std::uint64_t> loads;  // by sender and receiver
    for (const CombTree& tree : trees) {
      for (int n = 0; n < net.nodes(); ++n) {
        if (n == tree.root) continue;
        loads[{n, tree.parent[at(n)]}] += tree.weight;  // to be combined
        loads[{tree.parent[at(n)], n}] += tree.weight;  // the result
      }
    }
    ASSERT_EQ(loads.size(), 2 * links_of(trees)) << to_string(net) << ": a channel has no load";
    // In units of 1 / links: a flit of the vector crosses 2 (N - 1) of 2 * links channels.
    for (const auto& [channel, load] : loads) {
      ASSERT_EQ(load, at(net.nodes()) - 1)
          << to_string(net) << ": " << to_string(node_at(net, channel.first)) << " -> "
          << to_string(node_at(net, channel.second));
    }
  }
}

TEST(CombTrees, RingsAndSizesOutOfRangeAreRefused) {
  EXPECT_FALSE(combs_support({4, 4, 1, {true, true}}));
  EXPECT_FALSE(combs_support({4, 4, 1, {false, true}}));
  EXPECT_TRUE(combs_support({4, 4, 4}));
  EXPECT_THROW(comb_trees({4, 4, 1, {true, false}}), std::invalid_argument);
  EXPECT_THROW(comb_trees({300, 4}), std::invalid_argument);
}

}  // namespace
}  // namespace annelid::reference
