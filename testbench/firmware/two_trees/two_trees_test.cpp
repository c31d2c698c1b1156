// The two trees and their colours as each process computes them, against the trees as the paper
// builds them (2Tree, Section 3) and the two properties of its Lemma 1. State space: every number
// of processes up to 2,000, every process, both constructions, both ways for odd numbers.
#include "firmware/collectives/two_trees/two_trees.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace annelid::firmware {
namespace {

/// Parents of processes 1..q, 0: the root.
using Parents = std::vector<std::uint32_t>;

/// A complete tree over `size` = 2^n - 1 processes from `first` on; gives its root.
std::uint32_t build_complete(Parents& parents, std::uint32_t first, std::uint32_t size,
                             std::uint32_t parent) {
  const std::uint32_t root = first + size / 2;
  if (root < parents.size()) parents[root] = parent;
  if (size > 1) {
    build_complete(parents, first, size / 2, root);
    build_complete(parents, root + 1, size / 2, root);
  }
  return root;
}
/// T1 "is constructed as follows: ..."; q even.
void build_first(Parents& parents, std::uint32_t first, std::uint32_t q, std::uint32_t parent) {
  std::uint32_t h = 0;
  while ((1U << h) < q + 2) ++h;
  if (q + 2 == 1U << h) {  // its rightmost leaf is missing
    build_complete(parents, first, q + 1, parent);
    return;
  }
  const std::uint32_t left = (1U << (h - 1)) - 1, root = first + left;
  parents[root] = parent;
  build_complete(parents, first, left, root);
  build_first(parents, root + 1, q - left - 1, root);
}

struct Trees {
  Parents parents[2];
};
Trees build(std::uint32_t size, bool shifting, bool common_root) {
  const std::uint32_t q = size & ~1U;
  Parents first(q + 1, 0), second(q + 1, 0);
  if (q > 0) build_first(first, 1, q, 0);
  for (std::uint32_t i = 1; i <= q; ++i) {
    if (!shifting) {
      second[i] = first[q + 1 - i] == 0 ? 0 : q + 1 - first[q + 1 - i];
    } else if (i < q) {
      second[i] = first[i + 1] == 0 ? 0 : first[i + 1] - 1;
    } else {
      second[i] = q - 1;
    }
  }
  Trees trees{{first, second}};
  if (size == q) return trees;
  for (std::uint32_t tree = 0; tree < 2; ++tree) {
    Parents& parents = trees.parents[tree];
    parents.push_back(0);
    if (size == 1) continue;
    if (common_root) {
      for (std::uint32_t i = 1; i <= q; ++i) {
        if (parents[i] == 0) parents[i] = size;
      }
    } else {
      parents[size] = tree == 0 ? q : 1;
    }
  }
  return trees;
}

bool differ_in_parity(std::uint32_t a, std::uint32_t b) { return (a + b) % 2 != 0; }

void check(std::uint32_t size, bool shifting, bool common_root, bool scan) {
  SCOPED_TRACE(::testing::Message() << size << " processes, shifting " << shifting
                                    << ", common root " << common_root << ", scan " << scan);
  const Trees trees = build(size, shifting, common_root);
  const TwoTrees two_trees(size, shifting, common_root);
  std::vector<TreeSchedule> all;
  for (std::uint32_t i = 0; i <= size; ++i) all.push_back(two_trees.of(i, scan));
  const bool has_common_root = size % 2 != 0 && common_root;
  std::uint32_t last = 0;
  std::vector<std::vector<std::uint32_t>> steps_to_children(size + 1);
  for (std::uint32_t tree = 0; tree < 2; ++tree) {
    std::vector<std::uint32_t> lowest(size + 1), highest(size + 1);
    for (std::uint32_t i = 1; i <= size; ++i) lowest[i] = highest[i] = i;
    for (int pass = 0; pass < 20; ++pass) {  // more than the height
      for (std::uint32_t i = 1; i <= size; ++i) {
        const std::uint32_t parent = trees.parents[tree][i];
        if (parent == 0) continue;
        lowest[parent] = std::min(lowest[parent], lowest[i]);
        highest[parent] = std::max(highest[parent], highest[i]);
      }
    }
    for (std::uint32_t i = 1; i <= size; ++i) {
      const TreeNode& node = all[i].node[tree];
      const std::uint32_t parent = trees.parents[tree][i];
      ASSERT_EQ(node.parent, parent == 0 && scan ? kNobody : parent) << "of " << i;
      if (scan) {
        ASSERT_EQ(node.holds_first, lowest[i] == 1) << i << ", tree " << tree;
        ASSERT_EQ(node.holds_last, highest[i] == size) << i << ", tree " << tree;
      }
      last = std::max(last, node.first);
      if (node.parent == kNobody) {
        ASSERT_EQ(node.first, 0U);
        continue;
      }
      const TreeNode& above = all[parent].node[tree];
      // Higher numbers are right of lower ones, but for the extra leaf in T2.
      const bool extra_leaf = size % 2 != 0 && !common_root && i == size && tree == 1;
      const bool right = parent == 0 || (i > parent && !extra_leaf);
      const TreeNode::Child& child = right ? above.right : above.left;
      ASSERT_EQ(child.process, i) << "of " << parent;
      ASSERT_EQ(child.first, node.first) << i << " and its parent";
      steps_to_children[parent].push_back(node.first);
      // The roots are first served in steps 1 and 2; then at once when it is the colour's turn.
      if (parent == 0) {
        ASSERT_EQ(node.first, 1 + tree);
      } else if (!(scan && has_common_root && parent == size)) {
        ASSERT_GE(node.first, above.first + 1);
        ASSERT_LE(node.first, above.first + 2);
      }
    }
    for (std::uint32_t i = 0; i <= size; ++i) {
      for (const TreeNode::Child& c : {all[i].node[tree].left, all[i].node[tree].right}) {
        if (c.process != kNobody && !(scan && i == 0)) {
          ASSERT_EQ(trees.parents[tree][c.process], i);
        }
      }
    }
  }
  for (std::uint32_t i = 0; i <= size; ++i) {
    // Lemma 1: "no PE is connected to its parent nodes in T1 and T2 using edges of the same color",
    // "no PE is connected to its children nodes in T1 or T2 using edges of the same color".
    const TreeNode *one = &all[i].node[0], *two = &all[i].node[1];
    const bool has_parents = i > 0 && one->parent != kNobody && two->parent != kNobody;
    if (has_parents) {
      ASSERT_TRUE(differ_in_parity(one->first, two->first)) << i;
    }
    if (scan && i == 0) continue;
    ASSERT_LE(steps_to_children[i].size(), 2U);
    if (steps_to_children[i].size() == 2) {
      ASSERT_TRUE(differ_in_parity(steps_to_children[i][0], steps_to_children[i][1])) << i;
    }
  }
  ASSERT_EQ(all[1].last, last);
}

TEST(TwoTrees, ColoursHaveTheTwoPropertiesOfLemma1) {
  for (const bool shifting : {false, true}) {
    for (std::uint32_t q = 2; q <= 2000; q += 2) check(q, shifting, false, false);
  }
}
TEST(TwoTrees, ColoursHoldForOddNumbersEitherWay) {
  for (const bool shifting : {false, true}) {
    for (std::uint32_t q = 1; q <= 1001; q += 2) {
      check(q, shifting, false, false);
      check(q, shifting, true, false);
    }
  }
}
TEST(TwoTrees, ColoursHoldWithoutASource) {
  for (const bool shifting : {false, true}) {
    for (std::uint32_t q = 2; q <= 1001; ++q) check(q, shifting, true, true);
  }
}

}  // namespace
}  // namespace annelid::firmware
