// The operations that are not one tree, on fake NICs: the bytes at all nodes, the messages,
// whatever the order of events. Parameter space: operation, algorithm, size of the network (one
// node, lines, planes, three dimensions), bytes of a block, order of events, groups.
#include <gtest/gtest.h>

#include "testbench/firmware/operation_check.hpp"

namespace annelid::firmware {
namespace {

using reg::Algorithm;
using reg::CallResult;
using reg::Operation;

const std::vector<Size> kSizes = {{1, 1, 1}, {2, 1, 1}, {1, 3, 1}, {5, 1, 1}, {2, 2, 1},
                                  {3, 2, 1}, {4, 4, 1}, {2, 2, 2}, {1, 3, 4}, {5, 3, 1}};
const std::vector<std::uint32_t> kBytes = {0, 1, 7, 8, 64, 1000};

/// Every size of network and block, each with an order of events of its own.
void for_each_network(const std::function<void(FakeNetwork&, Size, std::uint32_t bytes)>& check) {
  std::uint32_t seed = 0;  // 0 is round robin
  for (const Size size : kSizes) {
    for (std::uint32_t round = 0; round < 3; ++round) {
      FakeNetwork network(size, seed++);
      for (const std::uint32_t bytes : kBytes) {
        SCOPED_TRACE(::testing::Message() << size.x << " x " << size.y << " x " << size.z << ", "
                                          << bytes << " bytes, seed " << seed - 1);
        check(network, size, bytes);
        if (::testing::Test::HasFailure()) return;
      }
    }
  }
}

TEST(AllToAll, EveryNodeHasTheBlocksThatTheOthersHadForIt) {
  for (const Algorithm algorithm : {Algorithm::kDirect, Algorithm::kToken}) {
    for_each_network([&](FakeNetwork& network, Size, std::uint32_t bytes) {
      const std::size_t n = network.nodes();
      const auto all = static_cast<std::uint32_t>(n) * bytes;
      const Records sent = expect_operation(
          network,
          {.operation = Operation::kAllToAll, .algorithm = algorithm, .count = bytes, .tag = 3},
          {.source = all,
           .target = all,
           .before =
               [&](std::size_t node) {
                 Bytes blocks;
                 for (std::size_t to = 0; to < n; ++to) append_block(blocks, node, to, bytes);
                 return blocks;
               },
           .after =
               [&](std::size_t node) {
                 Bytes blocks;
                 for (std::size_t from = 0; from < n; ++from)
                   append_block(blocks, from, node, bytes);
                 return blocks;
               }});
      Messages expected;
      for (std::size_t from = 0; from < n; ++from) {
        for (std::size_t to = 0; to < n; ++to) {
          if (from != to) expected.push_back({from, to, bytes});
        }
      }
      EXPECT_EQ(sorted_messages(sent), expected);
    });
  }
}

TEST(AllToAll, ByTokenOneMessageIsUnderWayAtATimeInTheOrderOfThePaper) {
  FakeNetwork network({3, 2, 1}, 7);
  network.call_all([](std::size_t) {
    return TestCall{.operation = Operation::kAllToAll,
                    .algorithm = Algorithm::kToken,
                    .target = 0x1000,
                    .count = 100,
                    .tag = 1};
  });
  std::vector<std::pair<std::size_t, std::size_t>> order, expected;
  for (const auto& r : network.records) {
    if (r.from != r.to) order.emplace_back(r.from, r.to);
  }
  // "First node 0 sends to nodes P-1, P-2, ..., 1. Next, node 1 sends to nodes 0, P-1, ..., 2."
  for (std::size_t from = 0; from < 6; ++from) {
    for (std::size_t i = 1; i < 6; ++i) expected.emplace_back(from, (from + 6 - i) % 6);
  }
  EXPECT_EQ(order, expected);
}

TEST(AllToAll, FortyNodesKeepNoMoreUnderWayThanTheirArenaHolds) {
  for (const Algorithm algorithm : {Algorithm::kDirect, Algorithm::kToken}) {
    FakeNetwork network({7, 6, 1}, 5);
    network.call_all([&](std::size_t) {
      return TestCall{.operation = Operation::kAllToAll,
                      .algorithm = algorithm,
                      .target = 0x1000,
                      .count = 8,
                      .tag = 1};
    });
    EXPECT_EQ(network.records.size(), 42U * 42U);
  }
}

/// Every node has its mirror image's block in TARGET. Gives the messages.
Records expect_transposed(FakeNetwork& network, std::size_t side, Algorithm algorithm,
                          std::uint32_t bytes, std::uint32_t scratch) {
  const auto block = [&](std::size_t of) {
    Bytes result;
    append_block(result, of, 0, bytes);
    return result;
  };
  return expect_operation(
      network, {.operation = Operation::kTranspose, .algorithm = algorithm, .count = bytes},
      {.source = bytes,
       .target = bytes,
       .scratch = scratch,
       .before = block,
       .after = [&](std::size_t node) { return block(node % side * side + node / side); }});
}

TEST(Transpose, DirectlyGivesEveryNodeTheBlockOfItsMirrorImage) {
  std::uint32_t seed = 0;
  for (const std::size_t side : {1U, 2U, 3U, 4U, 5U, 8U}) {
    const int n = static_cast<int>(side);
    FakeNetwork network({n, n, 1}, seed++);
    for (const std::uint32_t bytes : kBytes) {
      const Records sent = expect_transposed(network, side, Algorithm::kDirect, bytes, 0);
      EXPECT_EQ(sent.size(), side * side - side);
      if (n <= 2) continue;
      // "Only two of the messages do not have to compete": counted in pairs, as each finds a
      // channel.
      EXPECT_GT(step_facts(sent, {n, n, 1}).contending, 0U);
    }
  }
}

TEST(Transpose, ByDominatingNodesTakesKStepsWithoutContention) {
  std::uint32_t seed = 0;
  for (std::uint32_t k = 0; k <= 5; ++k) {
    const std::size_t side = std::size_t{1} << k;
    const int n = static_cast<int>(side);
    FakeNetwork network({n, n, 1}, k < 4 ? seed++ : 0);
    for (const std::uint32_t bytes : kBytes) {
      if (k >= 4 && bytes != 7) continue;
      std::uint32_t area = bytes;
      for (std::uint32_t i = 0; i < k / 2; ++i) area *= 5;
      area = (area + 7) / 8 * 8;
      EXPECT_LE(2 * area, (side * side + 1) * ((bytes + 7) / 8 * 8) + 8 * side * side);
      const Records sent = expect_transposed(network, side, Algorithm::kEdn, bytes, 2 * area);
      const StepFacts facts = step_facts(sent, {n, n, 1});
      EXPECT_EQ(facts.steps, k);
      EXPECT_EQ(facts.contending, 0U) << "stepwise contention, k " << k;
      if (k == 2) {
        EXPECT_EQ(sent.size(), 24U);
      }
      if (k == 4) {
        EXPECT_EQ(sent.size(), 2U * (192 + 12 * 4));
      }
    }
  }
}

TEST(Barrier, NobodyLeavesBeforeEverybodyHasCome) {
  std::uint32_t seed = 1;
  for (const Size size : kSizes) {
    FakeNetwork network(size, seed++);
    const std::size_t n = network.nodes();
    const TestCall call{.operation = Operation::kBarrier, .algorithm = Algorithm::kDissemination};
    for (std::size_t late = 0; late < n; ++late) {
      for (std::size_t i = 0; i < n; ++i) {
        if (i != late) network.bus(i).call(call);
      }
      network.run();
      for (std::size_t i = 0; i < n; ++i) EXPECT_EQ(network.bus(i).finished.size(), late);
      network.bus(late).call(call);
      network.run();
      for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(network.bus(i).finished.size(), late + 1);
    }
    std::size_t steps = 0;
    while (std::size_t{1} << steps < n) ++steps;
    EXPECT_EQ(network.records.size(), n * n * steps);
    for (const auto& r : network.records) EXPECT_EQ(r.bytes, 0U);
    EXPECT_EQ(network.unmatched(), 0U);
  }
}

TEST(AllGather, EveryNodeHasTheBlocksOfAllByRank) {
  for (const Algorithm algorithm : {Algorithm::kRing, Algorithm::kDissemination}) {
    for_each_network([&](FakeNetwork& network, Size, std::uint32_t bytes) {
      const std::size_t n = network.nodes();
      const auto all = static_cast<std::uint32_t>(n) * bytes;
      const Records sent = expect_operation(
          network,
          {.operation = Operation::kAllGather, .algorithm = algorithm, .count = bytes, .tag = 3},
          {.source = bytes,
           .target = all,
           .scratch = algorithm == Algorithm::kDissemination ? all : 0,
           .before =
               [&](std::size_t node) {
                 Bytes block;
                 append_block(block, node, 0, bytes);
                 return block;
               },
           .after =
               [&](std::size_t) {
                 Bytes blocks;
                 for (std::size_t from = 0; from < n; ++from) append_block(blocks, from, 0, bytes);
                 return blocks;
               }});
      Messages expected;
      if (algorithm == Algorithm::kRing) {
        for (std::size_t i = 0; i < n * (n - 1); ++i) {
          expected.push_back({i / (n - 1), (i / (n - 1) + 1) % n, bytes});
        }
      } else {
        for (std::size_t from = 0; from < n; ++from) {
          for (std::size_t have = 1; have < n; have *= 2) {
            const auto blocks = static_cast<std::uint32_t>(std::min(have, n - have));
            expected.push_back({from, (from + n - have) % n, blocks * bytes});
          }
        }
      }
      std::sort(expected.begin(), expected.end());
      EXPECT_EQ(sorted_messages(sent), expected);
    });
  }
}

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

/// "The lower half gets the first ceil(length/2) places ..." (docs/algorithms.md, "Halving a
/// line"): visits every message, (from, to, first and end of the half that it goes to).
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

/// Every node has the sum in TARGET. Gives the messages.
Records expect_sum(FakeNetwork& network, Algorithm algorithm, std::uint32_t bytes,
                   std::uint32_t scratch) {
  const std::size_t n = network.nodes();
  const std::uint32_t count = bytes / 4;
  const auto words = [&](const std::function<std::uint32_t(std::uint32_t)>& element) {
    Bytes result;
    for (std::uint32_t e = 0; e < count; ++e) {
      for (int i = 0; i < 4; ++i) result.push_back(static_cast<std::uint8_t>(element(e) >> 8 * i));
    }
    return result;
  };
  const auto element = [](std::size_t node, std::uint32_t e) {
    return static_cast<std::uint32_t>((node + 1) * 2654435761U * (e + 3));
  };
  return expect_operation(network,
                          {.operation = Operation::kAllReduce,
                           .algorithm = algorithm,
                           .count = count,
                           .type = reg::Type::kUint32,
                           .op = static_cast<std::uint32_t>(reg::Operator::kSum)},
                          {.source = 4 * count,
                           .target = 4 * count,
                           .scratch = scratch,
                           .before =
                               [&](std::size_t node) {
                                 return words([&](std::uint32_t e) { return element(node, e); });
                               },
                           .after =
                               [&](std::size_t) {
                                 return words([&](std::uint32_t e) {
                                   std::uint32_t sum = 0;
                                   for (std::size_t node = 0; node < n; ++node)
                                     sum += element(node, e);
                                   return sum;
                                 });
                               }});
}

constexpr std::uint32_t whole_words(std::uint32_t bytes) { return (bytes + 3) / 4 * 4; }

TEST(AllReduce, AlongRingsGivesEveryNodeTheSum) {
  for_each_network([&](FakeNetwork& network, Size size, std::uint32_t bytes) {
    const std::uint32_t words = whole_words(bytes);
    const Records sent = expect_sum(network, Algorithm::kRing, words, words);
    const auto around = static_cast<std::uint32_t>(size.x + size.y + size.z - 3);
    EXPECT_EQ(sent.size(), 2 * network.nodes() * around);
    const StepFacts facts = step_facts(sent, size);
    EXPECT_EQ(facts.steps, 2 * around);
    EXPECT_EQ(facts.contending, 0U) << "stepwise contention";
  });
}

TEST(AllReduce, AlongTreesGivesEveryNodeTheSum) {
  for_each_network([&](FakeNetwork& network, Size size, std::uint32_t bytes) {
    const std::size_t n = network.nodes();
    const std::uint32_t words = whole_words(bytes);
    for (const Algorithm algorithm : {Algorithm::kRecursiveDoubling, Algorithm::kEdn}) {
      if (algorithm == Algorithm::kEdn && size != Size{4, 4, 1}) continue;
      const auto scratch = static_cast<std::uint32_t>(n + 1) * ((words + 7) / 8 * 8);
      const Records sent = expect_sum(network, algorithm, words, scratch);
      EXPECT_EQ(sent.size(), 2 * (n - 1));
      const StepFacts facts = step_facts(sent, size);
      std::uint32_t steps = 0;
      for (std::size_t reached = 1; reached < n; reached *= 2) steps += 2;
      EXPECT_EQ(facts.steps, algorithm == Algorithm::kEdn ? 6 : steps);
      EXPECT_EQ(facts.contending, 0U) << "stepwise contention";
    }
  });
}

TEST(Operations, RefuseWhatDoesNotFit) {
  TestNode node(at(0, 0), {3, 2, 1});
  const auto answer = [&](Operation operation, Algorithm algorithm, TestCall call) {
    call.operation = operation;
    call.algorithm = algorithm;
    const std::uint32_t ticket = node.bus.call(call);
    node.firmware->run();
    return node.bus.results.contains(ticket) ? static_cast<CallResult>(node.bus.results[ticket])
                                             : CallResult{999};
  };
  EXPECT_EQ(answer(Operation::kTranspose, Algorithm::kDirect, {.target = 64, .count = 8}),
            CallResult::kDoesNotFit);
  constexpr std::uint32_t kEnd = FakeBus::kMemoryBytes;
  for (const Algorithm algorithm : {Algorithm::kDirect, Algorithm::kToken}) {
    const auto all_to_all = [&](const TestCall& c) {
      return answer(Operation::kAllToAll, algorithm, c);
    };
    EXPECT_EQ(all_to_all({.target = 47, .count = 8}), CallResult::kBadArgument) << "they overlap";
    EXPECT_EQ(all_to_all({.source = 47, .count = 8}), CallResult::kBadArgument) << "they overlap";
    EXPECT_EQ(all_to_all({.target = kEnd - 47, .count = 8}), CallResult::kBadArgument);
    EXPECT_EQ(all_to_all({.source = kEnd - 47, .count = 8}), CallResult::kBadArgument);
    EXPECT_EQ(all_to_all({.source = 0x80000000, .count = 0x20000000, .type = reg::Type::kInt64}),
              CallResult::kBadArgument);
  }
  for (const Algorithm algorithm :
       {Algorithm::kScatterCollect, Algorithm::kMstBucket, Algorithm::kFibonacciTree}) {
    const auto broadcast = [&](const TestCall& c) {
      return answer(Operation::kBroadcast, algorithm, c);
    };
    EXPECT_EQ(broadcast({.root = 6, .count = 8}), CallResult::kBadArgument);
    EXPECT_EQ(broadcast({.count = 8, .parameter = {1}}), CallResult::kBadArgument) << "no triggers";
    EXPECT_EQ(broadcast({.source = kEnd - 7, .count = 8}), CallResult::kBadArgument);
    if (algorithm == Algorithm::kFibonacciTree) {
      EXPECT_EQ(broadcast({.count = 8, .parameter = {0, 65}}), CallResult::kBadArgument);
    }
  }
  const TestCall sum{.target = 64,
                     .count = 2,
                     .type = reg::Type::kInt32,
                     .op = static_cast<std::uint32_t>(reg::Operator::kSum),
                     .scratch = 128};
  const auto expect_bad_sum = [&](const std::function<void(TestCall&)>& change) {
    TestCall bad = sum;
    change(bad);
    EXPECT_EQ(answer(Operation::kAllReduce, Algorithm::kRing, bad), CallResult::kBadArgument);
  };
  expect_bad_sum([](TestCall& c) { c.op = 0; });
  expect_bad_sum([](TestCall& c) { c.op = 8; });
  expect_bad_sum([](TestCall& c) { c.type = reg::Type::kBytes; });
  expect_bad_sum([](TestCall& c) { c.scratch = 71; });
  expect_bad_sum([](TestCall& c) { c.scratch = kEnd; });
  for (const Algorithm algorithm : {Algorithm::kRing, Algorithm::kDissemination}) {
    const auto gather = [&](const TestCall& c) {
      return answer(Operation::kAllGather, algorithm, c);
    };
    EXPECT_EQ(gather({.target = 7, .count = 8}), CallResult::kBadArgument);
    EXPECT_EQ(gather({.target = kEnd - 47, .count = 8}), CallResult::kBadArgument);
  }
  EXPECT_EQ(answer(Operation::kAllGather, Algorithm::kDissemination,
                   {.target = 64, .count = 8, .scratch = kEnd - 47}),
            CallResult::kBadArgument);
  EXPECT_TRUE(node.bus.queued.empty());
}

}  // namespace
}  // namespace annelid::firmware
