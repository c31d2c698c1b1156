// Broadcast by scatter and collect (Tsai 1997, 5.3; Barnett and others 1994, 4): parts, steps,
// bytes, contention. State space: every source of small networks; payloads of 0 to 1000 bytes on
// one; sampled sources of 32x32 and 16x16x15.
#include "reference/rings/scatter_collect.hpp"

#include "reference/trees/halving.hpp"
#include "testbench/reference/schedule_checks.hpp"

namespace annelid::reference {
namespace {

class ScatterCollect : public ::testing::TestWithParam<LogicalRing> {};

TEST_P(ScatterCollect, BringsAllPartsToAllNodesFromEverySource) {
  for (const Network& net : kSmallNetworks) {
    const auto parts = static_cast<std::uint64_t>(net.nodes());
    for (Node root : all_nodes(net)) {
      expect_all_parts_everywhere(net, parts, scatter_collect_parts(net, root, GetParam()),
                                  [&](Node n, std::uint64_t) { return n == root; });
    }
  }
}

TEST_P(ScatterCollect, TakesLog2PlusSizeMinusOneStepsADimensionWithoutContention) {
  for (const Network& net : kSmallNetworks) {
    int steps = 0;
    for (int size : net.size()) steps += ceil_log(2, size) + size - 1;
    for (Node root : all_nodes(net)) {
      const Schedule schedule = scatter_collect_broadcast(net, root, 1000, GetParam());
      ASSERT_EQ(static_cast<int>(schedule.steps.size()), steps);
      ASSERT_EQ(conflicts(net, schedule), 0u) << to_string(net) << " " << to_string(root);
      ASSERT_LE(most_sends(net, schedule), 1);
    }
  }
}

TEST_P(ScatterCollect, BringsAllPartsToAllNodesOfLargeNetworksFromSampledSources) {
  for (const Network& net : {Network{32, 32}, Network{16, 16, 15}}) {
    for (Node root : sampled_nodes(net, 1)) {
      const Schedule schedule = scatter_collect_broadcast(net, root, 65536, GetParam());
      EXPECT_EQ(conflicts(net, schedule), 0u) << to_string(net) << " " << to_string(root);
    }
  }
}

TEST_P(ScatterCollect, AfterTheScatterEachNodeHasItsOwnPart) {
  const Network net{5, 3};
  PartSchedule scatter = scatter_collect_parts(net, {2, 1}, GetParam());
  scatter.resize(3 + 2);
  std::vector<std::set<std::uint64_t>> has(15);
  for (const auto& step : scatter) {
    for (const PartMessage& m : step) {
      for (std::uint64_t p = m.first; p < m.end; ++p) {
        has[static_cast<std::size_t>(place_of(net, m.to))].insert(p);
      }
    }
  }
  for (std::uint64_t p = 0; p < 15; ++p) {
    if (node_at_place(net, static_cast<int>(p)) != Node{2, 1}) {
      EXPECT_TRUE(has[p].contains(p)) << p;
    }
  }
}

TEST_P(ScatterCollect, BytesOfTheCollectAddUpToTheBlockTimesAllOthers) {
  const Network net{4, 5};
  for (std::uint64_t bytes : {0u, 1u, 7u, 8u, 64u, 159u, 160u, 161u, 1000u}) {
    std::uint64_t collected = 0;
    const Parts parts(bytes, 20);
    for (const Step& step : schedule_of(collect_parts(net, GetParam()), parts).steps) {
      for (const Message& m : step) collected += m.bytes;
    }
    EXPECT_EQ(collected, 19 * bytes) << bytes;
  }
}

INSTANTIATE_TEST_SUITE_P(Rings, ScatterCollect,
                         ::testing::Values(LogicalRing::kPlain, LogicalRing::kFolded),
                         [](const auto& test) {
                           return test.param == LogicalRing::kPlain ? "Plain" : "Folded";
                         });

int longest(const Network& net, const PartSchedule& schedule) {
  int most = 0;
  for (const auto& step : schedule) {
    for (const PartMessage& m : step) most = std::max(most, distance(net, m.from, m.to));
  }
  return most;
}

TEST(CollectRings, FoldedOnesHaveTwoHopsAtMostPlainOnesTheWholeWayBack) {
  EXPECT_EQ(longest({9, 8}, collect_parts({9, 8}, LogicalRing::kFolded)), 2);
  EXPECT_EQ(longest({9, 8}, collect_parts({9, 8}, LogicalRing::kPlain)), 8);
  const Network torus{9, 8, 1, {true, true, false}};
  EXPECT_EQ(longest(torus, collect_parts(torus, LogicalRing::kFolded)), 1);
}

TEST(Parts, FirstOnesAreAWordLongerAndNoneIsCutWithinAWord) {
  const Parts parts(30, 3);  // 4 words, the last of 6 bytes: 2, 1, 1
  EXPECT_EQ(parts.begin(0), 0u);
  EXPECT_EQ(parts.begin(1), 16u);
  EXPECT_EQ(parts.begin(2), 24u);
  EXPECT_EQ(parts.begin(3), 30u);
  const Parts few(9, 4);
  EXPECT_EQ(few.bytes(0, 1), 8u);
  EXPECT_EQ(few.bytes(1, 2), 1u);
  EXPECT_EQ(few.bytes(2, 4), 0u);
}

TEST(Halving, MessagesOfARingGoUpByAtMostHalfOfIt) {
  for (int size = 1; size <= 40; ++size) {
    for (int holder = 0; holder < size; ++holder) {
      for (const auto& step : halved_ring(size, holder)) {
        for (const Halving& h : step) ASSERT_LE(2 * ((h.to - h.from + size) % size), size);
      }
    }
  }
}

TEST(Halving, LinesAndRingsHalveIntoSegmentsThatTheirHoldersAreIn) {
  for (int size = 1; size <= 40; ++size) {
    for (int holder = 0; holder < size; ++holder) {
      for (const Halvings& steps : {halved_line(size, holder), halved_ring(size, holder)}) {
        ASSERT_EQ(static_cast<int>(steps.size()), ceil_log(2, size));
        std::set<int> has{holder};
        for (const auto& step : steps) {
          std::set<int> reached;
          for (const Halving& h : step) {
            ASSERT_TRUE(has.contains(h.from));
            ASSERT_LT((h.to - h.first + size) % size, h.length);
            ASSERT_FALSE(has.contains(h.to));
            reached.insert(h.to);
          }
          has.merge(reached);
        }
        ASSERT_EQ(static_cast<int>(has.size()), size);
      }
    }
  }
}

}  // namespace
}  // namespace annelid::reference
