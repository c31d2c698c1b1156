// Prepared calls: every operation by every algorithm, recorded as lists, which an independent
// player plays in any order that lists.md allows; all bytes of memory afterwards. Parameter space:
// operation, algorithm, network, root, length, group, order of events.
#include <gtest/gtest.h>

#include <array>
#include <map>
#include <set>

#include "testbench/firmware/support/prepared_check.hpp"

namespace annelid::firmware {
namespace {

using reg::Algorithm;
using reg::CallResult;
using reg::Operation;

std::vector<PreparedWay> all_ways() {
  std::vector<PreparedWay> ways = {
#define TREE(algorithm, name)
#define COLLECTIVE(operation, algorithm, name) {operation, algorithm},
#include "firmware/collectives/table.inc"
#undef COLLECTIVE
#undef TREE
  };
  std::set<Algorithm> trees;
#define COLLECTIVE(operation, algorithm, name)
#define TREE(algorithm, name) trees.insert(algorithm);
#include "firmware/collectives/table.inc"
#undef COLLECTIVE
#undef TREE
  for (const Algorithm tree : trees) {
    for (const Operation operation : {Operation::kBroadcast, Operation::kReduce, Operation::kGather,
                                      Operation::kScatter, Operation::kAllReduce}) {
      ways.push_back({operation, tree});
    }
  }
  std::erase_if(ways, [](const PreparedWay& way) {
    return way.algorithm == Algorithm::kNone;  // messages and groups
  });
  return ways;
}

std::string name(const PreparedWay& way) {
  return "operation " + std::to_string(static_cast<int>(way.operation)) + ", algorithm " +
         std::to_string(static_cast<int>(way.algorithm));
}

struct Network {
  Size size;
  std::uint32_t rings;
};
const std::vector<Network> kNetworks = {{{1, 1, 1}, 0}, {{2, 1, 1}, 0}, {{5, 1, 1}, 1},
                                        {{4, 4, 1}, 0}, {{4, 4, 1}, 3}, {{3, 2, 1}, 0},
                                        {{2, 2, 2}, 0}, {{3, 3, 2}, 7}};

TEST(PreparedCalls, OfEveryAlgorithmDoTheSameOnEveryNetwork) {
  std::map<std::string, std::uint32_t> fitting;
  std::uint32_t seed = 0;
  for (const PreparedWay& way : all_ways()) {
    fitting[name(way)] += 0;
    for (const Network& network : kNetworks) {
      const auto nodes =
          static_cast<std::uint32_t>(network.size.x * network.size.y * network.size.z);
      for (std::uint32_t i = 0; i < 2; ++i) {
        constexpr std::array<std::uint32_t, 5> kCounts = {0, 333, 1, 50, 5};
        const std::uint32_t count = kCounts[++seed % kCounts.size()];
        SCOPED_TRACE(::testing::Message()
                     << name(way) << ", " << network.size.x << " x " << network.size.y << " x "
                     << network.size.z << ", rings " << network.rings << ", " << count
                     << " words, seed " << seed);
        PreparedCase c{.size = network.size, .rings = network.rings};
        c.count = count;
        c.root = seed % nodes;
        c.seed = seed;
        if (way.operation == Operation::kShift) c.parameter = {0, seed % 3};
        const CallResult result = expect_prepared(way, c);
        if (result == CallResult::kSuccess) {
          ++fitting[name(way)];
        } else {
          EXPECT_EQ(result, CallResult::kDoesNotFit);
        }
        if (HasFailure()) return;
      }
    }
  }
  for (const auto& [way, fits] : fitting) EXPECT_GT(fits, 0U) << way;
}

/// Tries a way that must fit.
void expect_success(const PreparedWay& way, const PreparedCase& c) {
  SCOPED_TRACE(::testing::Message()
               << name(way) << ", " << c.size.x << " x " << c.size.y << " x " << c.size.z
               << ", rings " << c.rings << ", root " << c.root << ", " << c.count
               << " words, parameters " << c.parameter[0] << " and " << c.parameter[1] << ", flags "
               << c.flags << ", seed " << c.seed);
  EXPECT_EQ(expect_prepared(way, c), CallResult::kSuccess);
}

TEST(PreparedCalls, OfPipelinesAndHybridsHaveAnyParameter) {
  std::uint32_t seed = 0;
  const auto check = [&](Operation operation, Algorithm algorithm, std::uint32_t parameter_0,
                         std::uint32_t parameter_1, std::uint32_t flags = 0) {
    for (const std::uint32_t count : {3U, 61U}) {
      PreparedCase c{.size = {3, 4, 1}};
      c.root = ++seed % 12;
      c.count = count;
      c.parameter = {parameter_0, parameter_1};
      c.flags = flags;
      c.seed = seed;
      expect_success({operation, algorithm}, c);
    }
  };
  for (const std::uint32_t packets : {2U, 5U, 17U, 64U}) {
    check(Operation::kBroadcast, Algorithm::kLinearPipeline, 0, packets);
    check(Operation::kBroadcast, Algorithm::kTwoTree, 0, packets);
    check(Operation::kBroadcast, Algorithm::kCirculant, 0, packets);
    check(Operation::kBroadcast, Algorithm::kDisjointTrees, 0, packets);
    check(Operation::kBroadcast, Algorithm::kFibonacciTree, 0, packets);
    check(Operation::kReduce, Algorithm::kTwoTreeShifted, 0, packets);
    check(Operation::kReduce, Algorithm::kCirculant, 0, packets);
    check(Operation::kReduce, Algorithm::kDisjointTrees, 0, packets);
    check(Operation::kAllReduce, Algorithm::kBinaryTree, 0, packets);
    check(Operation::kScan, Algorithm::kDoublyPipelined, 0, packets);
    check(Operation::kScan, Algorithm::kTwoTreeCouples, 0, packets);
    check(Operation::kExscan, Algorithm::kLinearPipeline, 0, packets);
  }
  for (const std::uint32_t radix : {2U, 3U, 4U, 12U}) {
    check(Operation::kAllToAll, Algorithm::kRadix, 0, radix);
    check(Operation::kScatter, Algorithm::kRadix, 0, radix);
    check(Operation::kGather, Algorithm::kRadix, 0, radix);
  }
  for (const std::uint32_t k : {0U, 1U, 2U, 3U}) {
    check(Operation::kAllReduce, Algorithm::kLeaders, 0, k);
    check(Operation::kScan, Algorithm::kLeaders, 0, k);
  }
  for (const Operation operation :
       {Operation::kBroadcast, Operation::kReduce, Operation::kAllReduce, Operation::kScatter,
        Operation::kGather, Operation::kAllGather, Operation::kReduceScatter}) {
    // 12 ranks in one dimension, 3 x 4, and 2 x 2 x 3, by both templates and orders.
    for (const std::uint32_t flags : {4U, 5U}) check(operation, Algorithm::kIntercom, 0, 0, flags);
    for (const std::uint32_t flags : {0x204U, 0x205U, 0x206U, 0x207U}) {
      check(operation, Algorithm::kIntercom, 0, 3, flags);
    }
    check(operation, Algorithm::kIntercom, 0, 0b1010, 0x2204);
  }
  check(Operation::kBroadcast, Algorithm::kRecursiveDoubling, 1, 0);  // by the core
}

TEST(PreparedCalls, OfGroupsDoTheSame) {
  std::uint32_t seed = 100;
  for (const PreparedWay& way : {PreparedWay{Operation::kBroadcast, Algorithm::kBinomial},
                                 PreparedWay{Operation::kBroadcast, Algorithm::kRecursiveDoubling},
                                 PreparedWay{Operation::kBroadcast, Algorithm::kScatterAllgather},
                                 PreparedWay{Operation::kReduce, Algorithm::kButterfly},
                                 PreparedWay{Operation::kAllReduce, Algorithm::kRabenseifner},
                                 PreparedWay{Operation::kAllReduce, Algorithm::kRing},
                                 PreparedWay{Operation::kScan, Algorithm::kSimultaneousBinomial},
                                 PreparedWay{Operation::kGather, Algorithm::kRecursiveDoubling},
                                 PreparedWay{Operation::kScatter, Algorithm::kIntercom},
                                 PreparedWay{Operation::kAllGather, Algorithm::kDissemination},
                                 PreparedWay{Operation::kAllToAll, Algorithm::kDirect},
                                 PreparedWay{Operation::kBarrier, Algorithm::kDissemination}}) {
    for (const std::vector<std::size_t>& members :
         {std::vector<std::size_t>{4}, {7, 2, 11}, {5, 1, 9, 0, 3, 10, 8}}) {
      PreparedCase c{.size = {4, 3, 1}};
      c.members = members;
      c.root = ++seed % static_cast<std::uint32_t>(members.size());
      c.count = 21;
      c.seed = seed;
      expect_success(way, c);
    }
  }
}

TEST(PreparedCalls, OfManyNodesDoTheSame) {
  for (const PreparedWay& way : {PreparedWay{Operation::kBroadcast, Algorithm::kEdn},
                                 PreparedWay{Operation::kAllToAll, Algorithm::kDirect},
                                 PreparedWay{Operation::kAllToAll, Algorithm::kToken},
                                 PreparedWay{Operation::kAllGather, Algorithm::kPortRings},
                                 PreparedWay{Operation::kBroadcast, Algorithm::kScatterAllgather},
                                 PreparedWay{Operation::kTranspose, Algorithm::kEdn},
                                 PreparedWay{Operation::kReduce, Algorithm::kEdnOptimal}}) {
    PreparedCase c{.size = {8, 8, 1}};
    c.root = 10;
    c.count = 40;
    expect_success(way, c);
  }
}

TEST(PreparedCalls, ByAutoDoTheSame) {
  std::uint32_t seed = 0;
  for (const Operation operation :
       {Operation::kBroadcast, Operation::kReduce, Operation::kAllReduce, Operation::kScan,
        Operation::kGather, Operation::kScatter, Operation::kAllGather, Operation::kAllToAll,
        Operation::kBarrier, Operation::kReduceScatter}) {
    for (const std::uint32_t count : {1U, 400U}) {
      PreparedCase c{.size = {4, 4, 1}};
      c.count = count;
      c.seed = ++seed;
      expect_success({operation, Algorithm::kAuto}, c);
    }
  }
}

/// Every node sends to the next one and receives from the one before.
TEST(PreparedCalls, OfMessagesDoTheSame) {
  constexpr std::uint32_t kBytes = 100, kNodes = 6;
  for (const bool at_once : {true, false}) {
    PreparedNetwork network({3, 2, 1}, 9);
    for (std::uint32_t i = 0; i < kNodes; ++i) {
      std::vector<std::uint8_t> bytes(kBytes, static_cast<std::uint8_t>(i + 1));
      network.bus(i).put(0x100, bytes.data(), kBytes);
    }
    network.call_all([&](std::size_t node) {
      const auto i = static_cast<std::uint32_t>(node);
      const std::uint32_t next = (i + 1) % kNodes, before = (i + kNodes - 1) % kNodes;
      TestCall call{.operation = Operation::kSendReceive,
                    .root = next,
                    .source = 0x100,
                    .target = 0x200,
                    .count = kBytes,
                    .tag = 3,
                    .scratch = 0x200,
                    .parameter = {before}};
      if (!at_once) {  // pairs
        call.operation = i % 2 == 0 ? Operation::kSend : Operation::kReceive;
        call.root = i % 2 == 0 ? next : before;
        call.parameter = {};
      }
      return call;
    });
    for (std::uint32_t i = 0; i < kNodes; ++i) {
      const std::uint32_t from = !at_once && i % 2 == 0 ? 0 : (i + kNodes - 1) % kNodes + 1;
      for (std::uint32_t at = 0; at < kBytes; ++at) {
        ASSERT_EQ(network.bus(i).get<std::uint8_t>(0x200 + at), from) << "node " << i;
      }
    }
  }
}

}  // namespace
}  // namespace annelid::firmware
