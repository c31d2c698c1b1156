// Port rings: docs/internals/algorithms/all-ports.md. Strands and phases by hand; pieces followed
// one by one; contributions counted; no strand in another's way. State space: lines, rings, meshes,
// tori and mixed networks of 1 to 63 nodes in one to three dimensions.
#include "reference/all_ports/port_rings.hpp"

#include <bitset>
#include <map>
#include <tuple>

#include "reference/schedule/index.hpp"
#include "reference/schedule/lines.hpp"
#include "testbench/reference/all_ports/all_ports_networks.hpp"

namespace annelid::reference {
namespace {

constexpr std::array kRings{true, true, true};

TEST(PortRings, WideRingsAloneHaveTwoStrandsForEachDimension) {
  const auto strands = [](const Network& net) { return PortRings(net).strands(); };
  EXPECT_EQ(strands({1, 1}), 1);
  EXPECT_EQ(strands({5, 1}), 1);
  EXPECT_EQ(strands({2, 1, 1, {true}}), 1);
  EXPECT_EQ(strands({1, 5, 1, {false, true}}), 2);
  EXPECT_EQ(strands({4, 3, 1}), 2);
  EXPECT_EQ(strands({4, 3, 1, {true, true}}), 4);
  EXPECT_EQ(strands({4, 3, 1, {true, false}}), 2);
  EXPECT_EQ(strands({4, 2, 1, {true, true}}), 2);
  EXPECT_EQ(strands({4, 3, 5, kRings}), 6);
  EXPECT_EQ(strands({4, 3, 5, {true, true}}), 3);
}

TEST(PortRings, PhasesBeginTogetherAfterTheLongestRing) {
  using Joins = std::vector<std::size_t>;
  const PortRings mesh({4, 3});
  EXPECT_EQ(mesh.steps(), 6);
  EXPECT_EQ(mesh.joins_of_all_gather(), Joins{3});
  // Phase 1 has x, y and z: 4 steps. So has each other phase.
  const PortRings torus({4, 3, 5, kRings});
  EXPECT_EQ(torus.steps(), 12);
  EXPECT_EQ(torus.joins_of_all_gather(), (Joins{4, 8}));
  EXPECT_EQ(torus.joins_of_reduce_scatter(), (Joins{4, 8}));
  EXPECT_EQ(torus.joins_of_all_reduce(), (Joins{4, 8, 12, 16, 20}));
  EXPECT_EQ(PortRings({7, 1}).joins_of_all_gather(), Joins{});
  EXPECT_EQ(PortRings({7, 1}).joins_of_all_reduce(), Joins{6});
  EXPECT_EQ(PortRings({1, 1}).steps(), 0);
}

TEST(PortRings, AMessageHasOneStrandOfOneBlock) {
  // 100 bytes are 13 words: 7 and 6, the last one of 4 bytes.
  const Schedule schedule = port_rings_all_gather({3, 2}, 100);
  for (const Step& step : schedule.steps) {
    for (const Message& m : step) EXPECT_EQ(m.bytes, m.strand == 0 ? 56u : 44u);
  }
}

/// "4x3 torus, strand 1, step 2: (0,0) -> (1,0)".
std::string shown(const Network& net, int step, const StrandMessage& m) {
  return to_string(net) + ", strand " + std::to_string(m.strand) + ", step " +
         std::to_string(step) + ": " + to_string(m.from) + " -> " + to_string(m.to);
}

TEST(PortRings, EveryPieceOfAnAllGatherComesOnceToEveryNode) {
  for (const Network& net : all_ports_networks(3)) {
    const PortRings rings(net);
    std::set<std::tuple<Node, int, std::uint64_t>> has;
    for (const Node n : all_nodes(net)) {
      for (int k = 0; k < rings.strands(); ++k) has.emplace(n, k, at(index_of(net, n)));
    }
    for (int s = 1; s <= rings.steps(); ++s) {
      std::set<std::tuple<Node, int, std::uint64_t>> brought;
      for (const StrandMessage& m : rings.all_gather(s)) {
        ASSERT_EQ(m.end, m.first + 1);
        ASSERT_TRUE(has.contains({m.from, m.strand, m.first})) << shown(net, s, m);
        ASSERT_FALSE(has.contains({m.to, m.strand, m.first})) << shown(net, s, m);
        ASSERT_TRUE(brought.emplace(m.to, m.strand, m.first).second) << shown(net, s, m);
      }
      has.merge(brought);
    }
    ASSERT_EQ(has.size(), at(net.nodes() * net.nodes() * rings.strands())) << to_string(net);
  }
}

TEST(PortRings, APieceIsSentOnInTheStepAfterItCame) {
  for (const Network& net : all_ports_networks(3)) {
    const PortRings rings(net);
    std::vector<int> begins{0};
    for (const std::size_t join : rings.joins_of_all_gather())
      begins.push_back(static_cast<int>(join));
    std::map<std::tuple<Node, int, std::uint64_t>, int> came;
    for (int s = 1; s <= rings.steps(); ++s) {
      const bool first = std::ranges::find(begins, s - 1) != begins.end();
      std::map<std::pair<Node, int>, std::uint64_t> last;
      for (const StrandMessage& m : rings.all_gather(s)) {
        if (!first) {
          const auto found = came.find({m.from, m.strand, m.first});
          ASSERT_TRUE(found != came.end() && found->second == s - 1) << shown(net, s, m);
        }
        came[{m.to, m.strand, m.first}] = s;
        const auto [before, alone] = last.try_emplace({m.from, m.strand}, m.first);
        ASSERT_TRUE(alone || before->second < m.first) << shown(net, s, m) << ": order of ranks";
        before->second = m.first;
      }
    }
  }
}

using Blocks = std::bitset<64>;  // of which nodes

TEST(PortRings, AReduceScatterBringsEveryBlockOnceToItsRank) {
  for (const Network& net : all_ports_networks(3)) {
    const PortRings rings(net);
    std::map<std::tuple<Node, int, std::uint64_t>, Blocks> partial;
    for (const Node n : all_nodes(net)) {
      for (int k = 0; k < rings.strands(); ++k) {
        for (int r = 0; r < net.nodes(); ++r) partial[{n, k, at(r)}].set(at(index_of(net, n)));
      }
    }
    for (int s = 1; s <= rings.steps(); ++s) {
      std::vector<std::pair<StrandMessage, Blocks>> brought;
      for (const StrandMessage& m : rings.reduce_scatter(s)) {
        brought.emplace_back(m, partial[{m.from, m.strand, m.first}]);
      }
      for (auto& [m, blocks] : brought) {
        Blocks& here = partial[{m.to, m.strand, m.first}];
        ASSERT_TRUE((here & blocks).none()) << shown(net, s, m) << ": a block twice";
        here |= blocks;
      }
    }
    for (const Node n : all_nodes(net)) {
      for (int k = 0; k < rings.strands(); ++k) {
        const auto& all = partial[{n, k, at(index_of(net, n))}];
        ASSERT_EQ(all.count(), at(net.nodes())) << to_string(net) << " " << to_string(n);
      }
    }
  }
}

TEST(PortRings, AnAllReduceCombinesEachPartInOnePlaceAndBringsItToAll) {
  for (const Network& net : all_ports_networks(3)) {
    const PortRings rings(net);
    using Where = std::tuple<Node, int, std::uint64_t>;
    std::map<Where, Blocks> partial;
    std::set<std::pair<int, std::uint64_t>> places;
    for (const Node n : all_nodes(net)) {
      for (int k = 0; k < rings.strands(); ++k) {
        places.emplace(k, rings.place(k, n));
        for (int part = 0; part < net.nodes(); ++part)
          partial[{n, k, at(part)}].set(at(index_of(net, n)));
      }
    }
    ASSERT_EQ(places.size(), at(rings.strands() * net.nodes())) << "a place is one node's";
    for (int s = 1; s <= 2 * rings.steps(); ++s) {
      std::vector<std::pair<Where, Blocks>> brought;
      for (const StrandMessage& m : rings.all_reduce(s)) {
        for (std::uint64_t part = m.first; part < m.end; ++part) {
          brought.emplace_back(Where{m.to, m.strand, part}, partial[{m.from, m.strand, part}]);
        }
      }
      for (auto& [where, blocks] : brought) {
        Blocks& here = partial[where];
        if (s <= rings.steps()) {
          ASSERT_TRUE((here & blocks).none()) << to_string(net) << ": a block twice, step " << s;
          here |= blocks;
        } else {
          ASSERT_EQ(blocks.count(), at(net.nodes())) << to_string(net) << ": not final, step " << s;
          here = blocks;
        }
      }
      if (s != rings.steps()) continue;
      for (const Node n : all_nodes(net)) {
        for (int k = 0; k < rings.strands(); ++k) {
          const auto& own = partial[{n, k, rings.place(k, n)}];
          ASSERT_EQ(own.count(), at(net.nodes())) << to_string(net) << " " << to_string(n);
        }
      }
    }
    for (const auto& [where, blocks] : partial) ASSERT_EQ(blocks.count(), at(net.nodes()));
  }
}

/// Pairs of messages of different strands on one channel in a step.
std::uint64_t conflicts_of_strands(const Network& net, const Schedule& schedule) {
  std::uint64_t n = 0;
  for (const StepContention& step : contention(net, schedule)) {
    n += static_cast<std::uint64_t>(std::ranges::count_if(
        step.conflicts, [](const Conflict& c) { return c.first.strand != c.second.strand; }));
  }
  return n;
}

TEST(PortRings, StrandsNeverMeetInAStep) {
  for (const Network& net : all_ports_networks(3)) {
    ASSERT_EQ(conflicts(net, port_rings_all_reduce(net, 100)), 0u) << to_string(net);
    if (net.nodes() > 40) continue;
    ASSERT_EQ(conflicts_of_strands(net, port_rings_all_gather(net, 8)), 0u) << to_string(net);
    ASSERT_EQ(conflicts_of_strands(net, port_rings_reduce_scatter(net, 8)), 0u) << to_string(net);
  }
}

TEST(PortRings, TwoNodesHaveMessagesOfOneStrandInAStep) {
  for (const Network& net : all_ports_networks(3)) {
    for (const Schedule& schedule :
         {port_rings_all_gather(net, 8), port_rings_reduce_scatter(net, 8),
          port_rings_all_reduce(net, 8)}) {
      for (const Step& step : schedule.steps) {
        std::map<std::pair<Node, Node>, int> strand;
        for (const Message& m : step) {
          ASSERT_EQ(strand.try_emplace({m.from, m.to}, m.strand).first->second, m.strand);
        }
      }
    }
  }
}

TEST(PortRings, ResultsAreTheSums) {
  for (const Network& net : all_ports_networks(3)) {
    const auto [blocks, sum] = blocks_and_sum(net, 76);
    ASSERT_EQ(port_rings_all_reduce_result(net, blocks, Operator::kSum, ElementType::kInt32), sum)
        << to_string(net);
    const std::size_t bytes = 20;
    const auto [sources, sums] = blocks_and_sum(net, bytes * at(net.nodes()));
    const auto results =
        port_rings_reduce_scatter_results(net, bytes, sources, Operator::kSum, ElementType::kInt32);
    std::vector<std::byte> all;
    for (const auto& result : results) all.insert(all.end(), result.begin(), result.end());
    ASSERT_EQ(all, sums) << to_string(net);
  }
}

TEST(PortRings, APartialResultIsTheLeftOperand) {
  // Maps x -> a x + b, the left one first. Block 0 of a line of three goes 2 -> 1 -> 0.
  const auto map = [](std::uint32_t a, std::uint32_t b) {
    std::vector<std::byte> bytes;
    for (const std::uint32_t word : {a, b}) {
      for (unsigned shift = 0; shift < 32; shift += 8) {
        bytes.push_back(static_cast<std::byte>(word >> shift & 0xFFU));
      }
    }
    return bytes;
  };
  std::vector<std::vector<std::byte>> sources(3, std::vector<std::byte>(24));
  std::ranges::copy(map(1, 1), sources[0].begin());
  std::ranges::copy(map(3, 0), sources[1].begin());
  std::ranges::copy(map(1, 5), sources[2].begin());
  const auto results = port_rings_reduce_scatter_results({3, 1}, 8, sources, Operator::kAffine,
                                                         ElementType::kUint32);
  EXPECT_EQ(results[0], map(3, 8));  // x + 1, then 3 x, then + 5
  // An all-reduce of one word: part 0, combined 1 -> 2 -> 0: 0 (2 (1)).
  const auto all = port_rings_all_reduce_result({3, 1}, {map(1, 1), map(3, 0), map(1, 5)},
                                                Operator::kAffine, ElementType::kUint32);
  EXPECT_EQ(all, map(3, 18));  // x + 1, then + 5, then 3 x
}

TEST(PortRings, SquaresBeyond4096NodesAreRefused) {
  EXPECT_THROW(port_rings_all_gather({65, 64}, 8), std::invalid_argument);
  EXPECT_THROW(port_rings_reduce_scatter({65, 64}, 8), std::invalid_argument);
}

}  // namespace
}  // namespace annelid::reference
