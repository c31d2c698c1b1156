// The two trees of 2Tree (Sanders, Speck and Träff 2009): Section 3, Lemma 1, the appendix. State
// space: every number of processes to 10,000 and both constructions for Lemma 1; even numbers to
// 2,000 for shapes, numbering and duality; Table A.1 on all of those.
#include "reference/two_trees/two_trees.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <utility>

#include "reference/two_trees/two_tree.hpp"

namespace annelid::reference {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

std::vector<std::vector<int>> children_of(const Parents& tree) {
  std::vector<std::vector<int>> children(tree.size());
  for (std::size_t i = 1; i < tree.size(); ++i) {
    children[at(tree[i])].push_back(static_cast<int>(i));
  }
  return children;
}

int processes_of(const Parents& tree) { return static_cast<int>(tree.size()) - 1; }

/// The processes of the subtree are consecutive, children on their sides: as a walk in order meets
/// them. The last one met before.
void expect_in_order(const std::vector<std::vector<int>>& children, int top, int& last) {
  ASSERT_LE(children[at(top)].size(), 2u);
  for (const int child : children[at(top)]) {
    if (child < top) expect_in_order(children, child, last);
  }
  ASSERT_EQ(top, last + 1);
  last = top;
  for (const int child : children[at(top)]) {
    if (child > top) expect_in_order(children, child, last);
  }
}

TEST(InOrderTree, IsNumberedInOrderForEveryNumberOfProcesses) {
  for (int q = 1; q <= 2000; ++q) {
    const Parents tree = in_order_tree(q);
    int last = 0;
    expect_in_order(children_of(tree), root_of(tree), last);
    ASSERT_EQ(last, q);
    if (HasFatalFailure()) return;
  }
}

TEST(InOrderTree, HasTheShapeOfSection3) {
  for (int q = 2; q <= 2000; q += 2) {
    const Parents tree = in_order_tree(q);
    const int h = two_tree_height(q);
    ASSERT_EQ(height(tree), h - 1) << q;
    // The root is behind a complete tree of 2^(h-1) - 1 processes, or, where only the last leaf is
    // missing, in the middle of the complete tree of 2^h - 1: the same place.
    ASSERT_EQ(root_of(tree), 1 << (h - 1)) << q;
    const auto children = children_of(tree);
    ASSERT_TRUE(children[1].empty()) << "process 1 is a leaf";
    ASSERT_LT(children[at(q)].size(), 2u) << "the last process has not two children";
  }
}

TEST(InOrderTree, HasHeightsOfTrailingZeros) {
  for (int q = 1; q <= 500; ++q) {
    const Parents tree = in_order_tree(q);
    const auto children = children_of(tree);
    std::vector<int> heights(tree.size(), 0);
    for (int h = 0; h < 10; ++h) {
      for (int i = 1; i <= q; ++i) {
        for (const int child : children[at(i)]) {
          heights[at(i)] = std::max(heights[at(i)], heights[at(child)] + 1);
        }
      }
    }
    for (int i = 1; i <= q; ++i) {
      ASSERT_EQ(heights[at(i)], std::countr_zero(static_cast<unsigned>(i))) << q << " " << i;
    }
  }
}

TEST(SecondTree, IsDualInOrderAndAsHighAsTheFirst) {
  for (int q = 2; q <= 2000; q += 2) {
    const Parents first = in_order_tree(q);
    for (const Parents& second : {mirrored(first), shifted(first)}) {
      int last = 0;
      expect_in_order(children_of(second), root_of(second), last);
      if (HasFatalFailure()) return;
      ASSERT_EQ(last, q);
      ASSERT_EQ(height(second), height(first)) << q;
      const auto below_first = children_of(first), below_second = children_of(second);
      for (int i = 1; i <= q; ++i) {
        ASSERT_NE(below_first[at(i)].empty(), below_second[at(i)].empty())
            << q << ": process " << i << " is a leaf in one of the trees";
      }
    }
  }
}

TEST(SecondTree, OfSixProcessesIsThatOfFigure1) {
  // First: 4 above 2 (1, 3) and 6 (5, -). Mirrored: 3 above 1 (-, 2) and 5 (4, 6).
  EXPECT_EQ(in_order_tree(6), (Parents{0, 2, 4, 2, 0, 6, 4}));
  EXPECT_EQ(mirrored(in_order_tree(6)), (Parents{0, 3, 1, 0, 5, 3, 5}));
  // Shifted: 3 above 1 (-, 2) and 5 (4, 6).
  EXPECT_EQ(shifted(in_order_tree(6)), (Parents{0, 3, 1, 0, 5, 3, 5}));
  EXPECT_EQ(shifted(in_order_tree(4)), (Parents{0, 3, 1, 0, 3}));
  EXPECT_EQ(mirrored(in_order_tree(4)), (Parents{0, 0, 3, 1, 3}));
}

/// Lemma 1, and the colours of the source's edges.
void expect_lemma_1(const TwoTrees& trees) {
  const int q = trees.processes();
  std::vector<int> used(at(q) + 1, 0);  // bits: colours of the edges to children
  for (std::size_t tree = 0; tree < 2; ++tree) {
    ASSERT_EQ(processes_of(trees.parent[tree]), q);
    ASSERT_EQ(trees.colour[tree].size(), at(q) + 1);
    for (int i = 1; i <= q; ++i) {
      const int colour = trees.colour[tree][at(i)], parent = trees.parent[tree][at(i)];
      ASSERT_TRUE(colour == 0 || colour == 1) << q << ": process " << i;
      const bool at_common_root = trees.common_root != 0 && parent == trees.common_root;
      if (parent == 0 || at_common_root) {
        ASSERT_EQ(colour, tree == 0 ? 1 : 0) << q;
      }
      ASSERT_EQ(used[at(parent)] & 1 << colour, 0)
          << q << ": process " << parent << " has two edges to children of one colour";
      used[at(parent)] |= 1 << colour;
    }
  }
  for (int i = 1; i <= q; ++i) {
    ASSERT_NE(trees.colour[0][at(i)], trees.colour[1][at(i)])
        << q << ": both edges into process " << i << " have one colour";
  }
}

TEST(TwoTrees, KeepLemma1ForEveryNumberOfProcessesTo2000AndEverySeventhTo10000) {
  for (int q = 0; q <= 10'000; q += q < 2000 ? 1 : 7) {
    for (const SecondTree second : {SecondTree::kMirrored, SecondTree::kShifted}) {
      for (const OddProcess odd : {OddProcess::kLeaf, OddProcess::kRoot}) {
        // Below an extra root the trees are those of an even number.
        if (odd == OddProcess::kRoot && (q % 2 == 0 || q > 2000)) continue;
        expect_lemma_1(two_trees(q, second, odd));
        if (HasFatalFailure()) return;
      }
    }
  }
}

TEST(TwoTrees, GiveAFreePathOfShiftedOnesColour1IntoProcess2OfTheFirst) {
  // Multiples of 4 with an odd number of ones in binary: then the path is not that of the roots.
  for (int q = 4; q <= 2000; q += 4) {
    if (std::popcount(static_cast<unsigned>(q)) % 2 == 0) continue;
    EXPECT_EQ(two_trees(q, SecondTree::kShifted, OddProcess::kLeaf).colour[0][2], 1) << q;
  }
}

TEST(TwoTrees, SpanAllProcessesWithAnExtraLeafOrRoot) {
  for (int q = 1; q <= 301; q += 2) {
    for (const SecondTree second : {SecondTree::kMirrored, SecondTree::kShifted}) {
      const TwoTrees leaf = two_trees(q, second, OddProcess::kLeaf);
      const TwoTrees root = two_trees(q, second, OddProcess::kRoot);
      for (std::size_t tree = 0; tree < 2; ++tree) {
        ASSERT_EQ(std::ranges::count(leaf.parent[tree], 0), 2);  // of nobody, and of the root
        ASSERT_EQ(root_of(root.parent[tree]), q);
        ASSERT_TRUE(q == 1 || children_of(leaf.parent[tree])[at(q)].empty());
        ASSERT_TRUE(q == 1 || children_of(root.parent[tree])[at(q)].size() == 1);
      }
      ASSERT_EQ(root.common_root, q);
      ASSERT_TRUE(q == 1 || (leaf.parent[0][at(q)] == q - 1 && leaf.parent[1][at(q)] == 1));
    }
  }
}

// ---- The appendix -------------------------------------------------------------------------------

/// Process and tree, of the graph G of A.1.
using Vertex = std::pair<int, int>;

TEST(Appendix, TheGraphOfLemma3IsTwoPathsAndNoCycle) {
  for (int q = 2; q <= 2000; q += 2) {
    const TwoTrees trees = two_trees(q, SecondTree::kMirrored, OddProcess::kLeaf);
    // Edges: between the two vertices of a process, and between siblings.
    std::vector<std::vector<Vertex>> next(2 * (at(q) + 1));
    const auto of = [&](Vertex v) -> std::vector<Vertex>& {
      return next[at(2 * v.first + v.second)];
    };
    for (int i = 1; i <= q; ++i) {
      of({i, 0}).push_back({i, 1});
      of({i, 1}).push_back({i, 0});
    }
    for (int tree = 0; tree < 2; ++tree) {
      const auto children = children_of(trees.parent[at(tree)]);
      for (int i = 1; i <= q; ++i) {
        const auto& below = children[at(i)];
        if (below.size() != 2) continue;
        of({below[0], tree}).push_back({below[1], tree});
        of({below[1], tree}).push_back({below[0], tree});
      }
    }
    std::vector<Vertex> ends;
    for (int i = 1; i <= q; ++i) {
      for (int tree = 0; tree < 2; ++tree) {
        if (of({i, tree}).size() == 1) ends.push_back({i, tree});
      }
    }
    ASSERT_EQ(ends.size(), 4u) << q;
    int walked = 0;
    for (const Vertex& start : ends) {
      Vertex before = start, here = start;
      for (;; ++walked) {
        const auto& around = of(here);
        const Vertex forth = around[0] == before && around.size() > 1 ? around[1] : around[0];
        if (forth == before) break;
        before = here;
        here = forth;
      }
      ++walked;
    }
    ASSERT_EQ(walked, 2 * 2 * q) << q << ": two paths, from both of their ends, over all vertices";
  }
}

/// Colours of an inner node's edges in the first tree: (v, left child, right child), by q/2 mod 2.
TEST(Appendix, TableA1HoldsForEveryInnerNodeWithTwoInnerChildren) {
  int cases[2][2] = {};
  for (int q = 2; q <= 2000; q += 2) {
    const TwoTrees trees = two_trees(q, SecondTree::kMirrored, OddProcess::kLeaf);
    const auto children = children_of(trees.parent[0]);
    const auto& colour = trees.colour[0];
    const int m = q / 2 % 2;
    for (int v = 2; v <= q; v += 2) {
      for (const int child : children[at(v)]) {
        if (child % 2 != 0) continue;  // leaves
        const bool is_left = child < v;
        // Rows 1.1, 1.2 (m = 1) and 2.1, 2.2 (m = 0) of the table.
        int expected = 0;
        if (m == 1) expected = is_left ? colour[at(v)] : 1 - colour[at(v)];
        if (m == 0) expected = is_left ? 1 - colour[at(v)] : colour[at(v)];
        ASSERT_EQ(colour[at(child)], expected) << q << ": " << v << " above " << child;
        ++cases[m][colour[at(v)]];
      }
    }
  }
  for (const auto& row : cases) EXPECT_TRUE(row[0] > 1000 && row[1] > 1000);
}

TEST(Arrivals, FollowTheColours) {
  // Six processes by mirroring: the roots 4 and 3, one step after the other.
  const TwoTrees trees = two_trees(6, SecondTree::kMirrored, OddProcess::kLeaf);
  for (std::size_t tree = 0; tree < 2; ++tree) {
    const std::vector<int> steps = arrivals(trees.parent[tree], trees.colour[tree], 0);
    EXPECT_EQ(steps[tree == 0 ? 4 : 3], tree == 0 ? 1 : 2);
    for (int i = 1; i <= 6; ++i) {
      const int gap = steps[at(i)] - steps[at(trees.parent[tree][at(i)])];
      EXPECT_TRUE(gap == 1 || gap == 2);
      EXPECT_EQ(steps[at(i)] % 2, trees.colour[tree][at(i)]);
    }
  }
}

}  // namespace
}  // namespace annelid::reference
