// Tsai's Definitions 1 to 3, and sets named in Sections 3.2 to 3.4. State space: all sets of four
// nodes of 4x4; all sets of two nodes for one dominating set of 4x8; the levels of one block of
// each family.
#include "reference/checks/extended_domination.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <utility>

#include "reference/checks/contention.hpp"
#include "reference/edn/edn_3d.hpp"
#include "reference/edn/edn_blocks.hpp"

namespace annelid::reference {
namespace {

std::vector<Node> all_of(const Network& net) {
  std::vector<Node> nodes;
  for (int i = 0; i < net.nodes(); ++i) nodes.push_back(node_at(net, i));
  return nodes;
}

std::vector<Node> chosen(const Network& net, unsigned mask) {
  std::vector<Node> nodes;
  for (int i = 0; i < net.nodes(); ++i) {
    if ((mask >> i & 1) != 0) nodes.push_back(node_at(net, i));
  }
  return nodes;
}

TEST(ExtendedDomination, FindsMessagesThatShareNoChannel) {
  const Network net{4, 4};
  const std::vector<Node> e{{0, 0}, {1, 2}, {2, 1}, {3, 3}};
  const auto messages = extended_domination(net, e, all_of(net));
  ASSERT_TRUE(messages.has_value());
  EXPECT_EQ(messages->size(), 12u);
  EXPECT_FALSE(dominates(net, e));  // two corners are reached over several hops
  Schedule schedule;
  schedule.steps.push_back(*messages);
  EXPECT_TRUE(contention(net, schedule)[0].conflicts.empty());
}

TEST(ExtendedDomination, HasNoMessagesWhereChannelsDoNotSuffice) {
  const Network net{4, 4};
  EXPECT_FALSE(extended_domination(net, {{0, 0}, {1, 1}, {2, 2}}, all_of(net)).has_value());
  EXPECT_FALSE(extended_domination({3, 1}, {{0, 0}}, {{0, 0}, {1, 0}, {2, 0}}).has_value());
  EXPECT_THROW(extended_domination(net, {{0, 0}}, {{1, 0}}), std::invalid_argument);
}

TEST(ExtendedDomination, A4x4MeshHas46SetsOfFourNodesThatReachAllOthersInOneStep) {
  // Section 3.4 needs four of them that partition the mesh (Figure 3.18); there are eight ways.
  const Network net{4, 4};
  std::vector<unsigned> sets;
  for (unsigned mask = 0; mask < 1u << 16; ++mask) {
    if (__builtin_popcount(mask) != 4) continue;
    if (extended_domination(net, chosen(net, mask), all_of(net))) sets.push_back(mask);
  }
  EXPECT_EQ(sets.size(), 46u);
  int partitions = 0;
  for (std::size_t a = 0; a < sets.size(); ++a) {
    for (std::size_t b = a + 1; b < sets.size(); ++b) {
      if ((sets[a] & sets[b]) != 0) continue;
      for (std::size_t c = b + 1; c < sets.size(); ++c) {
        if (((sets[a] | sets[b]) & sets[c]) != 0) continue;
        const unsigned rest = 0xffffu & ~(sets[a] | sets[b] | sets[c]);
        partitions +=
            static_cast<int>(std::count(sets.begin() + static_cast<long>(c) + 1, sets.end(), rest));
      }
    }
  }
  EXPECT_EQ(partitions, 8);
}

TEST(ExtendedDomination, TwoOfEightDominatingNodesOf4ColumnsBy8RowsReachTheOtherSix) {
  // Figure 3.4 shows four such pairs (its nodes are lost): B below B.
  const Network net{4, 8};
  const std::vector<Node> d1{{0, 2}, {1, 0}, {2, 3}, {3, 1}, {0, 6}, {1, 4}, {2, 7}, {3, 5}};
  ASSERT_TRUE(dominates(net, d1));
  int pairs = 0;
  for (Node a : d1) {
    for (Node b : d1) {
      if (a < b && extended_domination(net, {a, b}, d1)) ++pairs;
    }
  }
  EXPECT_GE(pairs, 4);
}

/// The holders before each of the steps, from the tops on.
std::vector<std::vector<Node>> holders(const EdnTree& tree) {
  std::vector<std::vector<Node>> sets{tops_of(tree)};
  for (const Step& step : level_steps(tree)) {
    sets.push_back(sets.back());
    for (const Message& m : step) sets.back().push_back(m.to);
  }
  return sets;
}

TEST(ExtendedDomination, EveryLevelOfAFamilyIsAnExtendedDominatingSetOfTheLevelBelow) {
  // Definition 3, with messages found anew: the level sets stand without the families' own sends.
  int searched = 0;
  for (const Network net :
       {Network{8, 8}, Network{5, 5}, Network{10, 10}, Network{6, 6}, Network{7, 7},
        Network{14, 14}, Network{8, 4}, Network{4, 4, 5}, Network{5, 4, 4}}) {
    const EdnTree tree = net.z > 1 ? edn_3d_tree(box_size_of(net).value())
                                   : edn_block_tree(block_size_of(net).value());
    const auto sets = holders(tree);
    EXPECT_EQ(sets.back().size(), static_cast<std::size_t>(net.nodes()));
    for (std::size_t i = 0; i + 1 < sets.size(); ++i) {
      if (sets[i + 1].size() - sets[i].size() > 18) continue;  // too many to search
      ++searched;
      EXPECT_TRUE(extended_domination(net, sets[i], sets[i + 1]).has_value()) << to_string(net);
    }
    if (net.z == 1) {
      EXPECT_TRUE(dominates(net, sets[sets.size() - 2])) << to_string(net);
    }
  }
  EXPECT_EQ(searched, 10);
}

TEST(Domination, BlocksOf456And7HaveTheSmallestDominatingSets) {
  // Section 3.2.1 (Cockayne's method): 4 nodes for 4x4, 7 for 5x5; 10 and 12 for 6x6 and 7x7. That
  // no smaller set dominates 4x4 and 5x5 is tried.
  for (const auto& [b, size] :
       std::vector<std::pair<int, std::size_t>>{{4, 4}, {5, 7}, {6, 10}, {7, 12}}) {
    const auto sets = holders(edn_block_tree({b}));
    EXPECT_EQ(sets[sets.size() - 2].size(), size);
  }
  for (const auto& [b, size] : std::vector<std::pair<int, int>>{{4, 4}, {5, 7}}) {
    const Network net{b, b};
    std::vector<unsigned> covered;  // by each node
    for (Node d : all_of(net)) {
      unsigned mask = 0;
      for (Node n : all_of(net)) mask |= distance(net, d, n) <= 1 ? 1u << index_of(net, n) : 0u;
      covered.push_back(mask);
    }
    const unsigned all = (1u << net.nodes()) - 1;
    const auto reaches = [&](const auto& self, unsigned done, int left) -> bool {
      if (done == all) return true;
      if (left == 0) return false;
      const int open = __builtin_ctz(~done);  // one of its neighbours or itself is needed
      return std::ranges::any_of(covered, [&](unsigned mask) {
        return (mask >> open & 1) != 0 && self(self, done | mask, left - 1);
      });
    };
    EXPECT_TRUE(reaches(reaches, 0, size));
    EXPECT_FALSE(reaches(reaches, 0, size - 1));
  }
}

}  // namespace
}  // namespace annelid::reference
