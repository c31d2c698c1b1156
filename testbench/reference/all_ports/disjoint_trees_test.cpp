// Disjoint trees: docs/internals/algorithms/all-ports.md. The tables by hand; every node reached,
// no channel in two trees (also in reverse); packets followed one by one; the order of combining.
// State space: lines, rings, meshes, tori and mixed networks of 1 to 63 nodes, in any two
// dimensions, from every root; 1 to 5 packets.
#include "reference/all_ports/disjoint_trees.hpp"

#include <map>
#include <tuple>

#include "reference/schedule/index.hpp"
#include "testbench/reference/all_ports/all_ports_networks.hpp"

namespace annelid::reference {
namespace {

struct ExpectedParent {
  Node child, parent;
};
void expect_parents(const Network& net, Node root, std::size_t tree,
                    const std::vector<ExpectedParent>& expected) {
  const std::vector<DisjointTree> trees = disjoint_trees(net, root);
  for (const auto& [child, parent] : expected) {
    const int found = trees.at(tree).parent[at(index_of(net, child))];
    EXPECT_EQ(node_at(net, found), parent) << to_string(child) << " in tree " << tree;
  }
}

TEST(DisjointTrees, AMeshHasTheParentsOfThePagesTable) {
  // Root (1, 2) of 3 x 3, the last of its column: beside 1 is 2 in x, beside 2 is 1 in y.
  expect_parents({3, 3}, {1, 2}, 0,
                 {{{0, 2}, {1, 2}}, {{1, 1}, {2, 1}}, {{1, 0}, {2, 0}}, {{0, 0}, {0, 1}}});
  expect_parents({3, 3}, {1, 2}, 1,
                 {{{0, 2}, {0, 1}}, {{1, 1}, {1, 2}}, {{1, 0}, {1, 1}}, {{2, 0}, {1, 0}}});
}

TEST(DisjointTrees, ATorusHasTheParentsOfThePagesTable) {
  // Root (1, 1) of 4 x 3: (i, j) is at ((1 + i) mod 4, (1 + j) mod 3).
  const Network torus{4, 3, 1, {true, true, false}};
  expect_parents(torus, {1, 1}, 0, {{{3, 1}, {2, 1}}, {{1, 0}, {0, 0}}, {{2, 0}, {2, 2}}});
  expect_parents(torus, {1, 1}, 1, {{{3, 1}, {3, 0}}, {{1, 0}, {1, 2}}, {{2, 0}, {3, 0}}});
  expect_parents(torus, {1, 1}, 2, {{{3, 1}, {0, 1}}, {{1, 0}, {2, 0}}, {{2, 0}, {2, 1}}});
  expect_parents(torus, {1, 1}, 3, {{{3, 1}, {3, 2}}, {{1, 0}, {1, 1}}, {{2, 0}, {1, 0}}});
}

std::size_t expected_trees(const Network& net) {
  int counting = 0, rings = 0;
  for (std::size_t d = 0; d < 3; ++d) {
    counting += net.size()[d] > 1 ? 1 : 0;
    rings += net.ring[d] && net.size()[d] > 2 ? 1 : 0;
  }
  if (counting == 0) return 1;
  const std::size_t per_dimension = rings == counting ? 2 : 1;
  return per_dimension * static_cast<std::size_t>(counting);
}

TEST(DisjointTrees, EveryTreeReachesAllNodesAndNoChannelIsInTwo) {
  for (const Network& net : all_ports_networks(2)) {
    for (const Node root : all_nodes(net)) {
      const std::string where = to_string(net) + " from " + to_string(root);
      const std::vector<DisjointTree> trees = disjoint_trees(net, root);
      ASSERT_EQ(trees.size(), expected_trees(net)) << where;
      std::set<std::pair<int, int>> down;
      for (const DisjointTree& tree : trees) {
        int deepest = 0;
        for (int n = 0; n < net.nodes(); ++n) {
          const int parent = tree.parent[at(n)];
          if (node_at(net, n) == root) {
            ASSERT_EQ(parent, -1);
            ASSERT_EQ(tree.depth[at(n)], 0);
            continue;
          }
          ASSERT_EQ(distance(net, node_at(net, parent), node_at(net, n)), 1) << where;
          // The depths fall to 0 along the parents, so all nodes hang on the root.
          ASSERT_EQ(tree.depth[at(n)], tree.depth[at(parent)] + 1) << where;
          ASSERT_TRUE(down.emplace(parent, n).second)
              << where << ": " << to_string(node_at(net, n)) << " has one parent in two trees";
          deepest = std::max(deepest, tree.depth[at(n)]);
        }
        ASSERT_EQ(tree.greatest_depth, deepest) << where;
      }
    }
  }
}

/// The packets of the strands, counted per edge: those of an edge go in order.
class Packets {
 public:
  explicit Packets(std::uint64_t packets) : packets_(packets) {}
  std::uint64_t next(const Message& m) {
    const std::uint64_t packet = sent_[{m.from, m.to, m.strand}]++;
    EXPECT_LT(packet, packets_);
    return packet;
  }

 private:
  std::uint64_t packets_;
  std::map<std::tuple<Node, Node, int>, std::uint64_t> sent_;
};

using Packet = std::tuple<Node, int, std::uint64_t>;  // at a node: strand, number

void expect_all_packets_everywhere(const Network& net, Node root, std::uint64_t bytes,
                                   std::uint32_t packets) {
  const Schedule schedule = disjoint_trees_broadcast(net, root, bytes, packets);
  const int trees = static_cast<int>(disjoint_trees(net, root).size());
  std::set<Packet> has;
  for (int strand = 0; strand < trees; ++strand) {
    for (std::uint64_t p = 0; p < packets; ++p) has.emplace(root, strand, p);
  }
  Packets next(packets);
  std::map<Node, std::uint64_t> received;
  for (const Step& step : schedule.steps) {
    std::set<Packet> brought;
    for (const Message& m : step) {
      const std::uint64_t packet = next.next(m);
      ASSERT_TRUE(has.contains({m.from, m.strand, packet})) << to_string(net);
      ASSERT_FALSE(has.contains({m.to, m.strand, packet})) << to_string(net);
      ASSERT_TRUE(brought.emplace(m.to, m.strand, packet).second) << to_string(net);
      received[m.to] += m.bytes;
    }
    has.merge(brought);
  }
  ASSERT_EQ(has.size(), at(net.nodes() * trees) * packets) << to_string(net);
  for (const auto& [node, all] : received) ASSERT_EQ(all, bytes) << to_string(net);
}

void expect_all_blocks_once(const Network& net, Node root, std::uint64_t bytes,
                            std::uint32_t packets) {
  const Schedule schedule = disjoint_trees_reduction(net, root, bytes, packets);
  std::map<Packet, std::set<Node>> partial;
  const auto of = [&](Node n, int strand, std::uint64_t packet) -> std::set<Node>& {
    const auto [found, is_new] = partial.try_emplace({n, strand, packet}, std::set{n});
    return found->second;
  };
  Packets next(packets);
  for (const Step& step : schedule.steps) {
    std::vector<std::pair<Packet, std::set<Node>>> brought;
    for (const Message& m : step) {
      const std::uint64_t packet = next.next(m);
      brought.push_back({{m.to, m.strand, packet}, of(m.from, m.strand, packet)});
    }
    for (auto& [where, blocks] : brought) {
      const auto& [node, strand, packet] = where;
      const std::size_t both = of(node, strand, packet).size() + blocks.size();
      of(node, strand, packet).merge(blocks);
      ASSERT_EQ(of(node, strand, packet).size(), both) << to_string(net) << ": a block twice";
    }
  }
  const int trees = static_cast<int>(disjoint_trees(net, root).size());
  for (int strand = 0; strand < trees; ++strand) {
    for (std::uint64_t p = 0; p < packets; ++p) {
      ASSERT_EQ(of(root, strand, p).size(), at(net.nodes())) << to_string(net);
    }
  }
}

TEST(DisjointTrees, EveryPacketComesOnceAndEveryBlockCountsOnce) {
  std::uint32_t packets = 0;
  for (const Network& net : all_ports_networks(2)) {
    for (const Node root : {node_at(net, 0), node_at(net, net.nodes() / 2)}) {
      packets = packets % 5 + 1;
      const std::uint64_t bytes = 100 + packets;
      expect_all_packets_everywhere(net, root, bytes, packets);
      expect_all_blocks_once(net, root, bytes, packets);
    }
  }
}

TEST(DisjointTrees, NoStepHasContention) {
  for (const Network& net : all_ports_networks(2)) {
    for (const Node root : all_nodes(net)) {
      ASSERT_EQ(conflicts(net, disjoint_trees_broadcast(net, root, 64, 3)), 0u) << to_string(net);
      ASSERT_EQ(conflicts(net, disjoint_trees_reduction(net, root, 64, 3)), 0u) << to_string(net);
    }
  }
}

TEST(DisjointTrees, PacketJLeavesDepthDInStepDPlusJ) {
  const Network line{5, 1};
  const Schedule down = disjoint_trees_broadcast(line, {1, 0}, 64, 3);
  ASSERT_EQ(down.steps.size(), 5u);  // D + k - 1, D = 3
  EXPECT_EQ(down.steps[0], (Step{{{1, 0}, {0, 0}, 24}, {{1, 0}, {2, 0}, 24}}));
  EXPECT_EQ(down.steps[4], (Step{{{3, 0}, {4, 0}, 16}}));
  const Schedule up = disjoint_trees_reduction(line, {1, 0}, 64, 3);
  ASSERT_EQ(up.steps.size(), 5u);
  EXPECT_EQ(up.steps[0], (Step{{{4, 0}, {3, 0}, 24}}));
  EXPECT_EQ(
      up.steps[2],
      (Step{
          {{0, 0}, {1, 0}, 24}, {{2, 0}, {1, 0}, 24}, {{3, 0}, {2, 0}, 24}, {{4, 0}, {3, 0}, 16}}));
}

TEST(DisjointTrees, TheProcessesOwnNumberOfPacketsIsThePagesFormula) {
  const auto packets = [](const Network& net, std::uint64_t bytes, std::uint32_t parameter = 0) {
    return disjoint_trees_packets(disjoint_trees(net, {}), bytes, parameter);
  };
  EXPECT_EQ(packets({5, 1}, 900'000), 94u);                // 112,500 * 4 / 50 = 9,000
  EXPECT_EQ(packets({5, 1}, 902'496), 94u);                // 112,812 words: 9,024.96
  EXPECT_EQ(packets({5, 1}, 902'500), 95u);                // 112,813 words: 9,025.04
  EXPECT_EQ(packets({8, 1, 1, {true}}, 4'000'000), 132u);  // 250,000 * 7 / 100 = 17,500
  EXPECT_EQ(packets({5, 1}, 0), 1u);
  EXPECT_EQ(packets({5, 1}, 8), 1u);
  EXPECT_EQ(packets({5, 1}, 11'192), 1u);                     // 1,399 words, 700 for each packet
  EXPECT_EQ(packets({5, 1}, 11'196), 2u);                     // 1,400 words
  EXPECT_EQ(packets({8, 8, 1, {true, true}}, 1 << 20), 11u);  // 32,768 words, 2,800 for each packet
  EXPECT_EQ(packets({5, 1}, 8000, 77), 77u);
  EXPECT_EQ(packets({1, 1}, 8000), 1u);
}

std::vector<std::byte> pair_of(std::uint32_t a, std::uint32_t b) {
  std::vector<std::byte> bytes;
  for (const std::uint32_t word : {a, b}) {
    for (unsigned shift = 0; shift < 32; shift += 8) {
      bytes.push_back(static_cast<std::byte>(word >> shift & 0xFFU));
    }
  }
  return bytes;
}

TEST(DisjointTrees, ANodeCombinesItsOwnBlockThenItsChildrenByRank) {
  // Maps x -> a x + b, the left one first: (2, 1)(3, 0) is x -> 3 (2 x + 1).
  const std::vector<std::vector<std::byte>> blocks = {pair_of(2, 1), pair_of(3, 0), pair_of(1, 5)};
  const auto result =
      disjoint_trees_result({3, 1}, {1, 0}, blocks, Operator::kAffine, ElementType::kUint32);
  EXPECT_EQ(result, pair_of(6, 6));  // 1, 0, 2: 3 x, then 2 x + 1, then + 5
  const auto other =
      disjoint_trees_result({3, 1}, {0, 0}, blocks, Operator::kAffine, ElementType::kUint32);
  EXPECT_EQ(other, pair_of(6, 8));  // 0, (1, 2): 2 x + 1, then 3 x + 5
}

TEST(DisjointTrees, TheRootHasTheSumOfAllBlocks) {
  for (const Network& net : all_ports_networks(2)) {
    const Node root = node_at(net, net.nodes() / 3);
    const auto [blocks, sum] = blocks_and_sum(net, 52);
    ASSERT_EQ(disjoint_trees_result(net, root, blocks, Operator::kSum, ElementType::kInt32), sum)
        << to_string(net);
  }
}

TEST(DisjointTrees, ThreeDimensionsAndTooManyMessagesAreRefused) {
  EXPECT_FALSE(disjoint_trees_support({2, 2, 2}));
  EXPECT_THROW(disjoint_trees({2, 2, 2}, {}), std::invalid_argument);
  EXPECT_THROW(disjoint_trees({4, 4}, {4, 0}), std::invalid_argument);
  EXPECT_THROW(disjoint_trees_broadcast({256, 256}, {}, 64, 65535), std::invalid_argument);
}

}  // namespace
}  // namespace annelid::reference
