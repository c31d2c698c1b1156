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

using Messages = std::vector<ScheduledMessage>;

TEST(AllToAll, EveryNodeHasTheBlocksThatTheOthersHadForIt) {
  for (const Algorithm algorithm : {Algorithm::kDirect, Algorithm::kToken}) {
    for_each_network([&](FakeNetwork& network, Size, std::uint32_t bytes) {
      const std::size_t n = network.nodes();
      const auto all = static_cast<std::uint32_t>(n) * bytes;
      const Messages sent = expect_operation(
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
      EXPECT_EQ(sent, expected);
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

TEST(Transpose, DirectlyGivesEveryNodeTheBlockOfItsMirrorImage) {
  std::uint32_t seed = 0;
  for (const int n : {1, 2, 3, 4, 5, 8}) {
    FakeNetwork network({n, n, 1}, seed++);
    for (const std::uint32_t bytes : kBytes) {
      const auto side = static_cast<std::size_t>(n);
      const auto mirrored = [&](std::size_t node) { return node % side * side + node / side; };
      const Messages sent = expect_operation(
          network,
          {.operation = Operation::kTranspose, .algorithm = Algorithm::kDirect, .count = bytes},
          {.source = bytes,
           .target = bytes,
           .before =
               [&](std::size_t node) {
                 Bytes block;
                 append_block(block, node, 0, bytes);
                 return block;
               },
           .after =
               [&](std::size_t node) {
                 Bytes block;
                 append_block(block, mirrored(node), 0, bytes);
                 return block;
               }});
      EXPECT_EQ(sent.size(), side * side - side);
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
  for (const Algorithm algorithm : {Algorithm::kDirect, Algorithm::kToken}) {
    constexpr std::uint32_t kEnd = FakeBus::kMemoryBytes;
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
  EXPECT_TRUE(node.bus.queued.empty());
}

}  // namespace
}  // namespace annelid::firmware
