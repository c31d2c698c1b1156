// Fibonacci tree with k packets (Tsai 1997, 5.3). State space: every source of six networks with
// k = 1, 2, 3, 5, 8; all N from 1 to 300 on a line with k = 1 .. 20; sampled sources of 32x32 and
// 256x256.
#include "reference/trees/fibonacci_tree.hpp"

#include <utility>

#include "testbench/reference/schedule_checks.hpp"

namespace annelid::reference {
namespace {

/// Every packet reaches every node once, from a node that has it; at most one send per node and
/// step; t(N, k) steps.
void expect_pipelined(const Network& net, Node root, int k) {
  const PartSchedule sent = fibonacci_packets_sent(net, root, k);
  ASSERT_EQ(static_cast<int>(sent.size()),
            fibonacci_steps(static_cast<std::uint64_t>(net.nodes()), k));
  expect_all_parts_everywhere(net, static_cast<std::uint64_t>(k), sent,
                              [&](Node n, std::uint64_t) { return n == root; });
  std::size_t messages = 0;
  for (const auto& step : sent) {
    std::set<Node> senders, receivers;
    for (const PartMessage& m : step) {
      ASSERT_TRUE(senders.insert(m.from).second);
      ASSERT_TRUE(receivers.insert(m.to).second);
      ASSERT_EQ(m.end, m.first + 1);
    }
    messages += step.size();
  }
  ASSERT_EQ(messages, static_cast<std::size_t>(net.nodes() - 1) * static_cast<std::size_t>(k));
}

TEST(FibonacciTree, DeliversEveryPacketOnceToEveryNodeFromEverySource) {
  for (const Network& net : {Network{1, 1}, Network{2, 1}, Network{5, 4}, Network{8, 8},
                             Network{3, 4, 5}, Network{6, 6, 1, {true, true, false}}}) {
    for (int k : {1, 2, 3, 5, 8}) {
      for (Node root : all_nodes(net)) expect_pipelined(net, root, k);
    }
  }
}

TEST(FibonacciTree, AnyNumberOfNodesIsCutOutOfTheTree) {
  for (int n = 1; n <= 256; n += n < 40 ? 1 : 9) {
    for (int k = 1; k <= 20; ++k) expect_pipelined({n, 1}, {n / 2, 0}, k);
  }
}

TEST(FibonacciTree, MeshesSeeNoStepwiseContention) {
  for (const Network& net : {Network{5, 4}, Network{8, 8}, Network{3, 4, 5}}) {
    for (std::uint32_t k : {1u, 2u, 5u}) {
      for (Node root : all_nodes(net)) {
        ASSERT_EQ(conflicts(net, fibonacci_broadcast(net, root, 64, k)), 0u)
            << to_string(net) << " " << to_string(root) << " k " << k;
      }
    }
  }
  for (Node root : sampled_nodes({32, 32}, 8)) {
    EXPECT_EQ(conflicts({32, 32}, fibonacci_broadcast({32, 32}, root, 1000, 4)), 0u);
  }
}

TEST(FibonacciTree, HasTheStepCountsOfTheText) {
  EXPECT_EQ(fibonacci_steps(1024, 1), 10);
  EXPECT_EQ(fibonacci_steps(1024, 18), 67);
  EXPECT_EQ(fibonacci_steps(1, 5), 0);
  EXPECT_EQ(fibonacci_steps(2, 5), 5);
}

TEST(FibonacciTree, NodesFollowTheRecursion) {
  for (int k = 1; k <= 20; ++k) {
    for (int t = 0; t <= 60; ++t) {
      const std::uint64_t expected =
          t < k ? 1 : fibonacci_nodes(t - k, k) + fibonacci_nodes(t - 1, k);
      ASSERT_EQ(fibonacci_nodes(t, k), expected) << t << " " << k;
    }
  }
  // k = 2: the Fibonacci numbers.
  const std::vector<std::uint64_t> numbers{1, 1, 2, 3, 5, 8, 13, 21, 34};
  for (std::size_t t = 0; t < numbers.size(); ++t) {
    EXPECT_EQ(fibonacci_nodes(static_cast<int>(t), 2), numbers[t]);
  }
  EXPECT_THROW(fibonacci_nodes(63, 1), std::overflow_error);
}

TEST(FibonacciTree, PacketsAreThePartsOfTheMessage) {
  const Schedule s = fibonacci_broadcast({2, 1}, {0, 0}, 21, 4);  // words of 8, 8, 5 and none
  ASSERT_EQ(s.steps.size(), 4u);
  const std::vector<std::uint64_t> bytes{8, 8, 5, 0};
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(s.steps[i], (Step{{{0, 0}, {1, 0}, bytes[i]}})) << i;
  }
}

TEST(FibonacciTree, TheDefaultNumberOfPacketsFollowsTheLength) {
  const std::vector<std::pair<std::uint64_t, int>> defaults{{0, 1},    {512, 1},   {513, 2},
                                                            {1000, 2}, {8192, 16}, {65536, 16}};
  for (auto [bytes, k] : defaults) EXPECT_EQ(fibonacci_packets(0, bytes), k) << bytes;
  EXPECT_EQ(fibonacci_packets(64, 0), 64);
  EXPECT_THROW(fibonacci_packets(65, 0), std::invalid_argument);
}

TEST(FibonacciTree, KeepsItsStepsOn65536Nodes) {
  for (Node root : sampled_nodes({256, 256}, 1)) {
    const Schedule s = fibonacci_broadcast({256, 256}, root, 4096, 8);
    EXPECT_EQ(static_cast<int>(s.steps.size()), fibonacci_steps(65536, 8));
    EXPECT_EQ(s.messages(), 65535u * 8u);
  }
}

TEST(FibonacciTreeExample, ThreeNodesPassOnTwoPackets) {
  // t(3, 2) = 3: the root keeps one of the first two nodes' places; node 1 passes on to node 2.
  const Schedule s = fibonacci_broadcast({3, 1}, {0, 0}, 16, 2);
  ASSERT_EQ(s.steps.size(), 3u);
  EXPECT_EQ(s.steps[0], (Step{{{0, 0}, {1, 0}, 8}}));
  EXPECT_EQ(s.steps[1].size(), 2u);
}

}  // namespace
}  // namespace annelid::reference
