// The other algorithms on ranks on fake NICs: the bytes at all nodes, one send and one receive a
// step, how many steps and messages. Parameter space: algorithm, operation, number of processes,
// root, packets, length, operator, embedding, listed groups, order of events.
#include <gtest/gtest.h>

#include "testbench/firmware/support/ranked_check.hpp"
#include "testbench/firmware/support/rounded_log.hpp"

namespace annelid::firmware {
namespace {

using reg::Algorithm;
using reg::Operation;

/// An algorithm's operation, and what docs/internals/algorithms/by-rank.md says of it.
struct Way {
  const char* name;
  Operation operation;
  Algorithm algorithm;
  /// Whether operands need not commute.
  std::function<bool(std::uint32_t p, std::uint32_t root)> ordered;
  /// The last step, 0: no formula; and the messages.
  std::function<std::uint32_t(std::uint32_t p, std::uint32_t k, std::uint32_t root)> steps;
  std::function<std::uint32_t(std::uint32_t p, std::uint32_t k, std::uint32_t root)> messages;
  bool packets = true;  // PARAMETER_1
};

bool always(std::uint32_t, std::uint32_t) { return true; }
bool never(std::uint32_t, std::uint32_t) { return false; }
bool ends(std::uint32_t p, std::uint32_t root) { return root == 0 || root == p - 1; }
std::uint32_t unknown(std::uint32_t, std::uint32_t, std::uint32_t) { return 0; }
std::uint32_t line(std::uint32_t p, std::uint32_t k, std::uint32_t) {
  return p < 2 ? 0 : p + k - 2;
}
std::uint32_t tree(std::uint32_t p, std::uint32_t k, std::uint32_t) { return (p - 1) * k; }

bool first(std::uint32_t, std::uint32_t root) { return root == 0; }
std::uint32_t rounds(std::uint32_t p, std::uint32_t, std::uint32_t) { return log2_rounded_up(p); }
std::uint32_t whole(std::uint32_t p, std::uint32_t, std::uint32_t) { return p - 1; }
template <std::uint32_t (*f)(std::uint32_t, std::uint32_t, std::uint32_t)>
std::uint32_t twice(std::uint32_t p, std::uint32_t k, std::uint32_t root) {
  return 2 * f(p, k, root);
}
std::uint32_t doubling(std::uint32_t p, std::uint32_t, std::uint32_t) {
  std::uint32_t messages = 0;
  for (std::uint32_t d = 1; d < p; d *= 2) messages += p - d;
  return messages;
}
/// The paired processes, and who is left out.
std::uint32_t power(std::uint32_t p) { return (1U << log2_rounded_up(p + 1)) / 2; }
std::uint32_t folded(std::uint32_t p) { return p - power(p); }
std::uint32_t butterfly(std::uint32_t p, std::uint32_t, std::uint32_t root) {
  const bool root_left_out = root < 2 * folded(p) && root % 2 != 0;
  return power(p) * log2_rounded_up(power(p)) + folded(p) + (root_left_out ? 1 : 0);
}
template <std::uint32_t passes>
std::uint32_t butterfly_steps(std::uint32_t p, std::uint32_t, std::uint32_t) {
  return passes * log2_rounded_up(power(p)) + (folded(p) > 0 ? 2 : 0);
}

const std::vector<Way> kWays = {
    {"LinearPipeline", Operation::kBroadcast, Algorithm::kLinearPipeline, always, line, tree},
    {"LinearPipeline", Operation::kReduce, Algorithm::kLinearPipeline, ends, line, tree},
    {"LinearPipeline", Operation::kScan, Algorithm::kLinearPipeline, always, line, tree},
    {"LinearPipeline", Operation::kExscan, Algorithm::kLinearPipeline, always, line, tree},
    {"BinaryTree", Operation::kBroadcast, Algorithm::kBinaryTree, always, unknown, tree},
    {"BinaryTree", Operation::kReduce, Algorithm::kBinaryTree, ends, unknown, tree},
    {"BinaryTree", Operation::kAllReduce, Algorithm::kBinaryTree, always, unknown,
     [](std::uint32_t p, std::uint32_t k, std::uint32_t) { return 2 * (p - 1) * k; }},
    {"Couples", Operation::kBroadcast, Algorithm::kTwoTreeCouples, never, unknown, twice<tree>},
    {"Couples", Operation::kReduce, Algorithm::kTwoTreeCouples, never, unknown, twice<tree>},
    {"Couples", Operation::kScan, Algorithm::kTwoTreeCouples, always, unknown, {}},
    {"Couples", Operation::kExscan, Algorithm::kTwoTreeCouples, always, unknown, {}},
    {"Circulant", Operation::kBroadcast, Algorithm::kCirculant, never,
     [](std::uint32_t p, std::uint32_t k, std::uint32_t) {
       return p < 2 ? 0 : k - 1 + log2_rounded_up(p);
     },
     tree},
    {"Circulant", Operation::kReduce, Algorithm::kCirculant, never,
     [](std::uint32_t p, std::uint32_t k, std::uint32_t) {
       return p < 2 ? 0 : k - 1 + log2_rounded_up(p);
     },
     tree},
    {"DoublyPipelined", Operation::kScan, Algorithm::kDoublyPipelined, always, unknown, {}},
    {"DoublyPipelined", Operation::kExscan, Algorithm::kDoublyPipelined, always, unknown, {}},
    {"Binomial", Operation::kBroadcast, Algorithm::kBinomial, always, rounds, whole, false},
    {"Binomial", Operation::kReduce, Algorithm::kBinomial, first, rounds, whole, false},
    {"Binomial", Operation::kAllReduce, Algorithm::kBinomial, always, twice<rounds>, twice<whole>,
     false},
    {"ScatterAllgather", Operation::kBroadcast, Algorithm::kScatterAllgather, always,
     [](std::uint32_t p, std::uint32_t, std::uint32_t) { return log2_rounded_up(p) + p - 1; },
     [](std::uint32_t p, std::uint32_t, std::uint32_t) { return p == 1 ? 0 : (p - 1) * (p + 1); },
     false},
    {"SimultaneousBinomial", Operation::kScan, Algorithm::kSimultaneousBinomial, always, rounds,
     doubling, false},
    {"SimultaneousBinomial", Operation::kExscan, Algorithm::kSimultaneousBinomial, always, rounds,
     doubling, false},
    {"Butterfly", Operation::kReduce, Algorithm::kButterfly, always, unknown, butterfly, false},
    {"Butterfly", Operation::kAllReduce, Algorithm::kButterfly, always, butterfly_steps<1>,
     [](std::uint32_t p, std::uint32_t, std::uint32_t) { return butterfly(p, 0, 0) + folded(p); },
     false},
    {"Rabenseifner", Operation::kReduce, Algorithm::kRabenseifner, always, unknown,
     [](std::uint32_t p, std::uint32_t k, std::uint32_t root) {
       return butterfly(p, k, root) + power(p) - 1;
     },
     false},
    {"Rabenseifner", Operation::kAllReduce, Algorithm::kRabenseifner, always, butterfly_steps<2>,
     [](std::uint32_t p, std::uint32_t, std::uint32_t) {
       return 2 * power(p) * log2_rounded_up(power(p)) + 2 * folded(p);
     },
     false},
    // With k = 0: leaders_test.cpp has the others.
    {"Leaders", Operation::kAllReduce, Algorithm::kLeaders,
     [](std::uint32_t p, std::uint32_t) { return folded(p) == 0; }, rounds,
     [](std::uint32_t p, std::uint32_t, std::uint32_t) { return p * log2_rounded_up(p); }, false},
    {"Leaders", Operation::kScan, Algorithm::kLeaders, always, rounds, doubling, false},
    {"Leaders", Operation::kExscan, Algorithm::kLeaders, always, rounds, doubling, false},
    // PARAMETER_1 says which rounds halve, in place of packets.
    {"Elimination", Operation::kReduce, Algorithm::kEliminationButterfly, always, unknown, {}},
    {"Elimination", Operation::kAllReduce, Algorithm::kEliminationButterfly, always, unknown, {}},
    // Whatever it takes, which may be an algorithm that sends to several nodes at a time.
    {"Auto", Operation::kBroadcast, Algorithm::kAuto, always, unknown, {}, false},
    {"Auto", Operation::kReduce, Algorithm::kAuto, always, unknown, {}, false},
    {"Auto", Operation::kAllReduce, Algorithm::kAuto, always, unknown, {}, false},
    {"Auto", Operation::kScan, Algorithm::kAuto, always, unknown, {}, false},
    {"Auto", Operation::kExscan, Algorithm::kAuto, always, unknown, {}, false},
};

bool is_rooted(Operation operation) {
  return operation == Operation::kBroadcast || operation == Operation::kReduce;
}

class RankedAlgorithms : public ::testing::TestWithParam<std::size_t> {
 protected:
  const Way& way = kWays[GetParam()];

  Records check(FakeNetwork& network, const std::vector<std::size_t>& order, std::uint32_t root,
                std::uint32_t k, std::uint32_t count, std::uint32_t op,
                std::uint32_t parameter_2 = 0, std::uint32_t group = 0) {
    SCOPED_TRACE(::testing::Message()
                 << way.name << ", operation " << static_cast<int>(way.operation) << ", p "
                 << order.size() << ", k " << k << ", count " << count << ", root " << root
                 << ", operator " << op << ", PARAMETER_2 " << parameter_2);
    return expect_ranked(network, {.operation = way.operation,
                                   .algorithm = way.algorithm,
                                   .order = order,
                                   .root = root,
                                   .count = count,
                                   .op = op,
                                   .parameter_1 = k,
                                   .parameter_2 = parameter_2,
                                   .tag = 9,
                                   .group = group});
  }
  void check_all(std::uint32_t p, std::uint32_t seed, const std::vector<std::uint32_t>& roots,
                 const std::vector<std::uint32_t>& counts) {
    FakeNetwork network({static_cast<int>(p), 1, 1}, seed);
    const std::vector<std::size_t> order = embedded({static_cast<int>(p), 1, 1}, Embedding::kRows);
    for (const std::uint32_t root : roots) {
      if (root != 0 && !is_rooted(way.operation)) continue;
      for (const std::uint32_t k : {0U, 1U, 2U, 5U}) {
        if (k != 0 && !way.packets) continue;
        for (const std::uint32_t count : counts) {
          for (const std::uint32_t op : {kSum, kAffineCode}) {
            if (op == kAffineCode &&
                (way.operation == Operation::kBroadcast || !way.ordered(p, root)))
              continue;
            const Records records = check(network, order, root, k, count, op);
            if (HasFailure()) return;
            if (way.algorithm == Algorithm::kAuto) continue;
            const std::uint32_t last = expect_single_ported(records);
            if (HasFailure()) return;
            if (k == 0 && way.packets) continue;
            if (way.messages) {
              EXPECT_EQ(records.size(), way.messages(p, k, root)) << "p " << p;
            }
            if (way.steps(p, k, root) != 0) {
              EXPECT_EQ(last, way.steps(p, k, root)) << "p " << p;
            }
          }
        }
      }
    }
  }
};

TEST_P(RankedAlgorithms, LeaveTheRightBytes) {
  for (std::uint32_t p = 1; p <= 40; ++p) {
    check_all(p, p % 3, {0, p - 1, p / 3}, {62});
    if (HasFailure()) return;
  }
}
TEST_P(RankedAlgorithms, LeaveTheRightBytesForEveryRootOfFewProcesses) {
  for (std::uint32_t p = 1; p <= 9; ++p) {
    std::vector<std::uint32_t> roots(p);
    for (std::uint32_t r = 0; r < p; ++r) roots[r] = r;
    check_all(p, 3 + p, roots, {14});
    if (HasFailure()) return;
  }
}
TEST_P(RankedAlgorithms, LeaveTheRightBytesInBlocksOfAnyLength) {
  for (const std::uint32_t p : {2U, 7U, 8U, 12U}) check_all(p, 1, {0}, {0, 2, 4, 34, 400, 3000});
}
TEST_P(RankedAlgorithms, LeaveTheRightBytesAtManyProcesses) {
  for (const std::uint32_t p : {63U, 64U, 65U, 127U, 150U}) {
    check_all(p, 2, {is_rooted(way.operation) ? p / 2 : 0}, {62});
  }
}
TEST_P(RankedAlgorithms, LeaveTheRightBytesAtSomeRanksOfAnEmbedding) {
  for (const Size size : {Size{5, 4, 1}, Size{3, 3, 2}, Size{2, 3, 4}}) {
    FakeNetwork network(size, 1);
    for (const Embedding embedding : {Embedding::kRows, Embedding::kSnake, Embedding::kQuadrants}) {
      std::vector<std::size_t> order = embedded(size, embedding);
      for (const std::size_t p : {order.size(), order.size() - 5, std::size_t{3}}) {
        order.resize(p);
        const auto parameter_2 =
            static_cast<std::uint32_t>(p << 8) | static_cast<std::uint32_t>(embedding);
        const auto root = static_cast<std::uint32_t>(is_rooted(way.operation) ? p / 2 : 0);
        check(network, order, root, way.packets ? 3 : 0, 30, kSum, parameter_2);
        if (HasFailure()) return;
      }
    }
  }
}

TEST_P(RankedAlgorithms, LeaveTheRightBytesInListedGroups) {
  FakeNetwork network({4, 3, 1}, 3);
  const std::vector<std::size_t> members = {7, 2, 11, 0, 5, 10, 3};
  list_group(network, members);
  const std::uint32_t root = is_rooted(way.operation) ? 4 : 0;
  check(network, members, root, way.packets ? 3 : 0, 30, kSum, 0, kListedGroup);
  if (way.operation != Operation::kBroadcast && way.ordered(7, 0)) {
    check(network, members, 0, 0, 30, kAffineCode, 0, kListedGroup);
  }
}

TEST_P(RankedAlgorithms, RefuseWhatDoesNotFit) {
  // Node 5, which takes no part in a call of four ranks: what would be refused at others is here.
  TestNode node(Address{2, 1, 0}, {3, 2, 1});
  const bool combines = way.operation != Operation::kBroadcast;
  const TestCall good{.operation = way.operation,
                      .algorithm = way.algorithm,
                      .source = 0x100,
                      .target = 0x200,
                      .count = 10,
                      .type = reg::Type::kUint32,
                      .op = kSum,
                      .scratch = 0x300,
                      .parameter = {0, 0, 4 << 8}};
  EXPECT_EQ(answer_of(node, good), reg::CallResult::kSuccess);
  const auto expect_bad = [&](const char* what, const std::function<void(TestCall&)>& change) {
    TestCall bad = good;
    change(bad);
    EXPECT_EQ(answer_of(node, bad), reg::CallResult::kBadArgument) << way.name << ": " << what;
  };
  expect_bad("embedding", [](TestCall& c) { c.parameter[2] = 3; });
  expect_bad("ranks", [](TestCall& c) { c.parameter[2] = 7 << 8; });
  expect_bad("SOURCE", [](TestCall& c) { c.source = FakeBus::kMemoryBytes - 39; });
  if (way.packets) {
    expect_bad("packets", [](TestCall& c) { c.parameter[1] = 1 << 19; });
  }
  if (is_rooted(way.operation)) {
    expect_bad("no node", [](TestCall& c) { c.root = 6; });
    expect_bad("no member", [](TestCall& c) { c.root = 4; });
  }
  if (way.algorithm == Algorithm::kAuto) {
    expect_bad("PARAMETER_1", [](TestCall& c) { c.parameter[1] = 1; });
    expect_bad("no type", [](TestCall& c) { c.type = static_cast<reg::Type>(5); });
  }
  if (!combines) {
    expect_bad("triggers", [](TestCall& c) { c.parameter[0] = 1; });
  } else {
    expect_bad("operator", [](TestCall& c) { c.op = 8; });
    expect_bad("no operator", [](TestCall& c) { c.op = 0; });
    expect_bad("type", [](TestCall& c) { c.type = reg::Type::kBytes; });
    expect_bad("TARGET", [](TestCall& c) { c.target = c.source + 36; });
    expect_bad("TARGET in SCRATCH", [](TestCall& c) { c.target = c.scratch + 316; });
    expect_bad("SOURCE in SCRATCH", [](TestCall& c) { c.scratch = c.source - 316; });
    expect_bad("SCRATCH", [](TestCall& c) { c.scratch = FakeBus::kMemoryBytes - 319; });
    for (std::uint32_t root = 0; root < 4; ++root) {
      if (root != 0 && !is_rooted(way.operation)) continue;
      TestCall affine = good;
      affine.op = kAffineCode;
      affine.root = root;
      EXPECT_EQ(answer_of(node, affine),
                way.ordered(4, root) ? reg::CallResult::kSuccess : reg::CallResult::kBadArgument)
          << way.name << ", root " << root;
      affine.count = 9;
      EXPECT_EQ(answer_of(node, affine), reg::CallResult::kBadArgument) << "an odd COUNT";
      affine.count = 10;
      affine.type = reg::Type::kInt32;
      EXPECT_EQ(answer_of(node, affine), reg::CallResult::kBadArgument) << "of another type";
    }
  }
  EXPECT_TRUE(node.bus.queued.empty());
}

std::string name_of(const ::testing::TestParamInfo<std::size_t>& test) {
  const Way& way = kWays[test.param];
  switch (way.operation) {
    case Operation::kBroadcast:
      return std::string(way.name) + "Broadcast";
    case Operation::kReduce:
      return std::string(way.name) + "Reduce";
    case Operation::kAllReduce:
      return std::string(way.name) + "AllReduce";
    case Operation::kScan:
      return std::string(way.name) + "Scan";
    default:
      return std::string(way.name) + "Exscan";
  }
}
INSTANTIATE_TEST_SUITE_P(ByRank, RankedAlgorithms, ::testing::Range(std::size_t{0}, kWays.size()),
                         name_of);

}  // namespace
}  // namespace annelid::firmware
