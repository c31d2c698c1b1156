// The bounds of throughput: closed forms, and the linear programs whose results are in
// throughput.txt (scripts/throughput-bounds). Combs reach the bound of the all-reduce.
#include "reference/bounds/throughput.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <sstream>
#include <string>

#include "reference/combs/comb_trees.hpp"
#include "testbench/reference/combs/comb_networks.hpp"

namespace annelid::reference {
namespace {

Network torus(Network net) {
  for (std::size_t d = 0; d < 3; ++d) net.ring[d] = net.size()[d] > 1;
  return net;
}

TEST(ThroughputBounds, AllReduceOfAPlaneIsTheFormulaOfItsSides) {
  for (int m = 2; m <= 32; ++m) {
    for (int n = 2; n <= 32; ++n) {
      ASSERT_DOUBLE_EQ(all_reduce_bound({m, n}), (2.0 * m * n - m - n) / (m * n - 1));
    }
    ASSERT_DOUBLE_EQ(all_reduce_bound({m, m}), 2.0 * m / (m + 1));
    ASSERT_DOUBLE_EQ(all_reduce_bound({m, 1}), 1);
  }
}

TEST(ThroughputBounds, AllReduceOfACubeAndOfTori) {
  for (int n = 2; n <= 16; ++n) {
    const double side = n;
    ASSERT_DOUBLE_EQ(all_reduce_bound({n, n, n}), 3 / (1 + 1 / side + 1 / (side * side)));
    if (n == 2) continue;
    const double nodes = side * side;
    ASSERT_DOUBLE_EQ(all_reduce_bound(torus({n, n})), 2 * nodes / (nodes - 1));
    ASSERT_DOUBLE_EQ(all_reduce_bound(torus({n, 1})), side / (side - 1));
    ASSERT_DOUBLE_EQ(all_reduce_bound(torus({n, n, n})), 3 * nodes * side / (nodes * side - 1));
  }
}

TEST(ThroughputBounds, ReduceScatterThenAllGatherWaitsForTheCorner) {
  for (int n = 2; n <= 16; ++n) {
    const double nodes = n * n;
    ASSERT_DOUBLE_EQ(all_gather_bound({n, n}), 2 * nodes / (nodes - 1));
    ASSERT_DOUBLE_EQ(reduce_scatter_all_gather_bound({n, n}), nodes / (nodes - 1));
  }
  EXPECT_DOUBLE_EQ(all_gather_bound(torus({8, 8})), 256.0 / 63);
  EXPECT_DOUBLE_EQ(all_gather_bound({4, 4, 4}), 192.0 / 63);
}

TEST(ThroughputBounds, BroadcastAndReduceHaveTheChannelsOfOneNode) {
  EXPECT_DOUBLE_EQ(broadcast_bound({9, 1}), 1);
  EXPECT_DOUBLE_EQ(broadcast_bound({8, 8}), 2);
  EXPECT_DOUBLE_EQ(broadcast_bound({8, 8, 4}), 3);
  EXPECT_DOUBLE_EQ(broadcast_bound(torus({8, 8})), 4);
  EXPECT_DOUBLE_EQ(broadcast_bound(torus({4, 4, 4})), 6);
  EXPECT_DOUBLE_EQ(broadcast_bound({8, 8, 1, {true, false}}), 3);
  EXPECT_DOUBLE_EQ(broadcast_bound(torus({8, 2})), 3) << "a ring of two is a line";
}

TEST(ThroughputBounds, ChannelsAreThoseOfEachDirection) {
  EXPECT_EQ(channel_count({2, 1}), 2u);
  EXPECT_EQ(channel_count({8, 8}), 224u);
  EXPECT_EQ(channel_count(torus({8, 8})), 256u);
  EXPECT_EQ(channel_count({8, 4, 1, {true, false}}), 64u + 48u);
  EXPECT_EQ(channel_count(torus({8, 2})), 32u + 16u);
}

TEST(ThroughputBounds, NetworksWithoutChannelsAreRefused) {
  EXPECT_THROW(all_reduce_bound({1, 1}), std::invalid_argument);
  EXPECT_THROW(broadcast_bound({8, 8, 1, {}, true}), std::invalid_argument);
  EXPECT_THROW(all_gather_bound({300, 1}), std::invalid_argument);
}

TEST(ThroughputBounds, CombsReachThatOfTheAllReduce) {
  for (const Network& net : comb_networks()) {
    if (net.nodes() == 1) continue;
    const std::vector<CombTree> trees = comb_trees(net);
    // A channel carries N - 1 of the links' parts of the vector: CombTrees.AllChannels...
    const double rate = static_cast<double>(links_of(trees)) / (net.nodes() - 1);
    ASSERT_DOUBLE_EQ(rate, all_reduce_bound(net)) << to_string(net);
  }
}

/// "4x4-torus", "3x3x2".
Network network_of(const std::string& name) {
  std::istringstream text(name);
  Network net;
  char by = 0;
  text >> net.x;
  if (text.peek() == 'x') text >> by >> net.y;
  if (text.peek() == 'x') text >> by >> net.z;
  return name.ends_with("-torus") ? torus(net) : net;
}

TEST(ThroughputBounds, LinearProgramsReachThem) {
  std::ifstream file(ANNELID_SOURCE_DIR "/testbench/reference/bounds/throughput.txt");
  ASSERT_TRUE(file.is_open());
  std::set<std::string> compared;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("#")) continue;
    std::istringstream words(line);
    std::string name, operation;
    double rate = 0;
    ASSERT_TRUE(words >> name >> operation >> rate) << line;
    const Network net = network_of(name);
    const double bound = operation == "broadcast"    ? broadcast_bound(net)
                         : operation == "all-gather" ? all_gather_bound(net)
                         : operation == "all-reduce" ? all_reduce_bound(net)
                                                     : 0;
    EXPECT_NEAR(rate, bound, 1e-6) << line;
    EXPECT_TRUE(compared.insert(name + " " + operation).second) << line;
  }
  for (const std::string name : {"3x3", "4x4", "4x2", "5x5", "4x4-torus"}) {
    for (const std::string operation : {"broadcast", "all-gather", "all-reduce"}) {
      EXPECT_TRUE(compared.contains(name + " " + operation)) << name << " " << operation;
    }
  }
}

}  // namespace
}  // namespace annelid::reference
