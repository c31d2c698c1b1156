// Prepared calls: every operation by every algorithm, recorded as lists, which an independent
// player plays in any order that lists.md allows; all bytes of memory afterwards. Parameter space:
// operation, algorithm, network, root, length, group, order of events.
#include <gtest/gtest.h>

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
      for (const std::uint32_t count : {0U, 1U, 5U, 50U, 333U}) {
        SCOPED_TRACE(::testing::Message()
                     << name(way) << ", " << network.size.x << " x " << network.size.y << " x "
                     << network.size.z << ", rings " << network.rings << ", " << count
                     << " words, seed " << seed);
        PreparedCase c{.size = network.size, .rings = network.rings};
        c.count = count;
        c.root = ++seed % nodes;
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

}  // namespace
}  // namespace annelid::firmware
