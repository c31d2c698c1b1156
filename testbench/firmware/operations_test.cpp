// All-to-all, transposition, barrier, all-gather, on fake NICs: the bytes at all nodes, the
// messages, whatever the order of events; what every operation refuses. Parameter space: operation,
// algorithm, size of the network (one node, lines, planes, three dimensions), bytes of a block,
// order of events, groups.
#include <gtest/gtest.h>

#include "testbench/firmware/support/operation_check.hpp"

namespace annelid::firmware {
namespace {

using reg::Algorithm;
using reg::CallResult;
using reg::Operation;

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
