// Broadcasts in parts, scatter and collect, and of packets, along Fibonacci trees, on fake NICs:
// the bytes at all nodes, the messages, whatever the order of events. Parameter space: algorithm,
// size of the network, bytes, root, packets, groups.
#include <gtest/gtest.h>

#include <cmath>

#include "testbench/firmware/support/operation_check.hpp"

namespace annelid::firmware {
namespace {

using reg::Algorithm;
using reg::Operation;

/// Part `i` of `bytes` in `parts`: words of eight bytes, the first parts the longer ones.
std::uint32_t part_bytes(std::uint32_t bytes, std::size_t parts, std::size_t i) {
  std::vector<std::uint32_t> words(parts);
  for (std::uint32_t w = 0; w < (bytes + 7) / 8; ++w) ++words[w % parts];
  std::uint32_t begin = 0;
  for (std::size_t p = 0; p < i; ++p) begin += 8 * words[p];
  return std::min(bytes, begin + 8 * words[i]) - std::min(bytes, begin);
}

MemoryEffect broadcast_effect(std::size_t root, std::uint32_t bytes) {
  const auto block = [bytes](std::size_t of) {
    return [of, bytes](std::size_t node) {
      Bytes result;
      append_block(result, of == ~std::size_t{0} ? node : of, 0, bytes);
      return result;
    };
  };
  return {.source = bytes, .before = block(~std::size_t{0}), .source_after = block(root)};
}

/// "The lower half gets the first ceil(length/2) places ..."
/// (docs/internals/algorithms/operations.md, "Halving a line"): visits every message, (from, to,
/// first and end of the half that it goes to).
void halve(std::size_t first, std::size_t end, std::size_t holder,
           const std::function<void(std::size_t, std::size_t, std::size_t, std::size_t)>& visit) {
  if (end - first < 2) return;
  const std::size_t upper = first + (end - first + 1) / 2;
  const bool in_lower = holder < upper;
  const std::size_t to = in_lower ? upper : upper - 1;
  visit(holder, to, in_lower ? upper : first, in_lower ? end : upper);
  halve(first, upper, in_lower ? holder : to, visit);
  halve(upper, end, in_lower ? to : holder, visit);
}

/// The scatter's messages over the network as a whole, in any order.
Messages expected_scatter(Size size, Address root, std::uint32_t bytes) {
  const auto n = nodes_of(size).size();
  const auto x_size = static_cast<std::size_t>(size.x), y_size = static_cast<std::size_t>(size.y),
             z_size = static_cast<std::size_t>(size.z);
  Messages messages;
  const auto node = [&](std::size_t x, std::size_t y, std::size_t z) {
    return (z * y_size + y) * x_size + x;
  };
  const auto add = [&](std::size_t from, std::size_t to, std::size_t first, std::size_t end) {
    std::uint32_t length = 0;
    for (std::size_t part = first; part < end; ++part) length += part_bytes(bytes, n, part);
    messages.push_back({from, to, length});
  };
  halve(0, x_size, root.x, [&](auto from, auto to, auto first, auto end) {
    add(node(from, root.y, root.z), node(to, root.y, root.z), first * y_size * z_size,
        end * y_size * z_size);
  });
  for (std::size_t x = 0; x < x_size; ++x) {
    const std::size_t column = x * y_size * z_size;
    halve(0, y_size, root.y, [&](auto from, auto to, auto first, auto end) {
      add(node(x, from, root.z), node(x, to, root.z), column + first * z_size,
          column + end * z_size);
    });
    for (std::size_t y = 0; y < y_size; ++y) {
      halve(0, z_size, root.z, [&](auto from, auto to, auto first, auto end) {
        add(node(x, y, from), node(x, y, to), column + y * z_size + first,
            column + y * z_size + end);
      });
    }
  }
  std::sort(messages.begin(), messages.end());
  return messages;
}

TEST(ScatterCollect, EveryNodeHasTheBlockOfTheRoot) {
  for (const Algorithm algorithm : {Algorithm::kScatterCollect, Algorithm::kMstBucket}) {
    for_each_network([&](FakeNetwork& network, Size size, std::uint32_t bytes) {
      const std::size_t n = network.nodes(), root = (bytes + 7 * n) % n;
      const Records sent = expect_operation(network,
                                            {.operation = Operation::kBroadcast,
                                             .algorithm = algorithm,
                                             .root = static_cast<std::uint32_t>(root),
                                             .count = bytes,
                                             .tag = 3},
                                            broadcast_effect(root, bytes));
      const auto around = static_cast<std::size_t>(size.x + size.y + size.z - 3);
      EXPECT_EQ(sent.size(), n - 1 + n * around);
      const StepFacts facts = step_facts(sent, size);
      std::uint32_t steps = 0;
      for (const int length : {size.x, size.y, size.z}) {
        for (int reached = 1; reached < length; reached *= 2) ++steps;
        steps += static_cast<std::uint32_t>(length - 1);
      }
      EXPECT_EQ(facts.steps, steps);
      EXPECT_LE(facts.most_sends, 1U);
      EXPECT_EQ(facts.contending, 0U) << "stepwise contention";
      Records scattered = sent;
      std::erase_if(scattered,
                    [&](const FakeNetwork::Record& r) { return r.step > steps - around; });
      EXPECT_EQ(sorted_messages(scattered), expected_scatter(size, nodes_of(size)[root], bytes));
    });
  }
}

TEST(ScatterCollect, CollectsInAMeshInRingsOfAtMostTwoHopsAndInATorusInItsOwn) {
  for (const std::uint32_t rings : {0U, 1U, 2U, 3U}) {
    const Size size{7, 6, 1};
    FakeNetwork network(size, 1, 64, {}, rings);
    const Records sent = expect_operation(network,
                                          {.operation = Operation::kBroadcast,
                                           .algorithm = Algorithm::kScatterCollect,
                                           .root = 17,
                                           .count = 999},
                                          broadcast_effect(17, 999));
    for (const FakeNetwork::Record& r : sent) {
      if (r.step <= 6) continue;  // 3 + 3 steps of the scatter
      const Address from = nodes_of(size)[r.from], to = nodes_of(size)[r.to];
      const bool along_x = from.y == to.y;
      const int side = along_x ? size.x : size.y;
      const int by = along_x ? to.x - from.x : to.y - from.y;
      if ((rings & (along_x ? 1U : 2U)) != 0) {
        EXPECT_EQ((by + side) % side, 1);
      } else {
        EXPECT_LE(std::abs(by), 2);
      }
    }
  }
}

/// N(t, k) as the dissertation has it, and the smallest t for n nodes.
std::uint64_t reached(std::uint32_t t, std::uint32_t k) {
  std::vector<std::uint64_t> n;
  for (std::uint32_t i = 0; i <= t; ++i) n.push_back(i < k ? 1 : n[i - k] + n[i - 1]);
  return n[t];
}
std::uint32_t fibonacci_steps(std::size_t nodes, std::uint32_t k) {
  std::uint32_t t = 0;
  while (reached(t, k) < nodes) ++t;
  return t;
}

TEST(FibonacciTree, EveryNodeHasAllPacketsAfterTheStepsOfTheRecursion) {
  for (const std::uint32_t k : {1U, 2U, 3U, 7U, 20U, 64U}) {
    for_each_network([&](FakeNetwork& network, Size size, std::uint32_t bytes) {
      const std::size_t n = network.nodes(), root = (bytes + k) % n;
      const Records sent = expect_operation(network,
                                            {.operation = Operation::kBroadcast,
                                             .algorithm = Algorithm::kFibonacciTree,
                                             .root = static_cast<std::uint32_t>(root),
                                             .count = bytes,
                                             .parameter = {0, k}},
                                            broadcast_effect(root, bytes));
      ASSERT_EQ(sent.size(), k * (n - 1));
      const StepFacts facts = step_facts(sent, size);
      EXPECT_EQ(facts.steps, n == 1 ? 0 : fibonacci_steps(n, k));
      EXPECT_LE(facts.most_sends, 1U);
      EXPECT_EQ(facts.contending, 0U) << "stepwise contention";
      // All nodes but the root get each packet once.
      std::map<std::size_t, std::vector<std::uint32_t>> received;
      for (const FakeNetwork::Record& m : sent) received[m.to].push_back(m.bytes);
      std::vector<std::uint32_t> packets;
      for (std::uint32_t i = 0; i < k; ++i) packets.push_back(part_bytes(bytes, k, i));
      std::sort(packets.begin(), packets.end());
      EXPECT_EQ(received.size(), n - 1);
      EXPECT_FALSE(received.contains(root));
      for (auto& [node, lengths] : received) {
        std::sort(lengths.begin(), lengths.end());
        EXPECT_EQ(lengths, packets);
      }
    });
  }
}

TEST(FibonacciTree, AThousandNodesTakeTheStepsOfTheDissertation) {
  const Size size{32, 32, 1};
  FakeNetwork network(size);
  for (const auto& [k, steps] : {std::pair{1U, 10U}, std::pair{18U, 67U}}) {
    const Records sent = expect_operation(network,
                                          {.operation = Operation::kBroadcast,
                                           .algorithm = Algorithm::kFibonacciTree,
                                           .root = 333,
                                           .count = 500,
                                           .parameter = {0, k}},
                                          broadcast_effect(333, 500));
    const StepFacts facts = step_facts(sent, size);
    EXPECT_EQ(facts.steps, steps);
    EXPECT_EQ(facts.contending, 0U);
  }
}

TEST(FibonacciTree, ChoosesPacketsOf512BytesUpTo16) {
  FakeNetwork network({2, 1, 1});
  for (const auto& [bytes, packets] :
       {std::pair{0U, 1U}, {1U, 1U}, {512U, 1U}, {513U, 2U}, {7680U, 15U}, {100000U, 16U}}) {
    const std::size_t before = network.records.size();
    network.call_all([&, bytes = bytes](std::size_t) {
      return TestCall{.operation = Operation::kBroadcast,
                      .algorithm = Algorithm::kFibonacciTree,
                      .count = bytes};
    });
    EXPECT_EQ(network.records.size() - before, packets);
  }
}

}  // namespace
}  // namespace annelid::firmware
