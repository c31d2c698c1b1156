// What reduce, gather and scatter leave in node memory, whatever the order of events, and the order
// in which a reduction combines. Rationale: the plans are checked on their own; here are the
// players. Parameter space: algorithm, size, rings, root (all on small networks), bytes of a block
// (0, odd ones, such that the core copies and such that the NIC does), seed of the event order.
// Every byte of every node is compared: what an operation may not touch must be as it was.
#include "firmware/collectives/trees/tree_players.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

#include "testbench/firmware/support/fake_network.hpp"

namespace annelid::firmware {
namespace {

using reg::Algorithm;
using reg::CallResult;
using reg::Operation;

struct Case {
  Algorithm algorithm;
  Size size;
  std::uint32_t rings = 0;
};
const Case kCases[] = {
    {Algorithm::kRecursiveDoubling, {1, 1, 1}},
    {Algorithm::kRecursiveDoubling, {5, 3, 1}},
    {Algorithm::kRecursiveDoubling, {2, 3, 4}},
    {Algorithm::kEdn, {4, 4, 1}},
    {Algorithm::kEdn, {8, 8, 1}},
    {Algorithm::kEdn, {4, 4, 1}, 3},
    {Algorithm::kEdn, {5, 10, 1}},
    {Algorithm::kEdn, {4, 4, 5}},
    {Algorithm::kEdn, {2, 2, 2}, 7},
    {Algorithm::kEdnOptimal, {7, 2, 1}},
    {Algorithm::kEdnOptimal, {4, 2, 3}},
    {Algorithm::kSingleLevel, {4, 8, 1}},
    {Algorithm::kDimensional, {3, 4, 2}},
    {Algorithm::kCyclicDoubling, {5, 3, 1}, 2},
    {Algorithm::kUTorus, {4, 6, 1}, 3},
};
const Case kLargeCases[] = {
    {Algorithm::kRecursiveDoubling, {16, 9, 1}},
    {Algorithm::kEdn, {16, 16, 1}},
    {Algorithm::kEdnOptimal, {13, 17, 1}},
};

std::uint32_t seeded(std::uint32_t a, std::uint32_t b) {
  std::uint32_t x = a * 0x9E3779B9U + b * 0x85EBCA6BU + 1;
  x ^= x >> 15;
  return x * 0x2C1B3C6DU ^ x >> 7;
}

/// Where a test call's buffers are: apart from each other, at odd places if the bytes allow it.
struct Layout {
  Operation operation;
  std::uint32_t block, nodes;

  [[nodiscard]] std::uint32_t all() const { return block * nodes; }
  [[nodiscard]] std::uint32_t source_bytes() const {
    return operation == Operation::kScatter ? all() : block;
  }
  [[nodiscard]] std::uint32_t target_bytes() const {
    return operation == Operation::kGather ? all() : block;
  }
  [[nodiscard]] std::uint32_t source() const { return 64 + (block % 4 == 0 ? 4 : 1); }
  [[nodiscard]] std::uint32_t target() const { return source() + source_bytes() + 24; }
  [[nodiscard]] std::uint32_t scratch() const { return (target() + target_bytes() + 24 + 7) & ~7U; }
  [[nodiscard]] std::uint32_t scratch_bytes() const {
    return (nodes + 1) * ((block + 7) & ~7U) + 8 * nodes;
  }
  [[nodiscard]] std::uint32_t end() const { return scratch() + scratch_bytes() + 64; }
};

/// Makes the call at all nodes and compares all bytes of all nodes, but those of SCRATCH.
void expect_operation(FakeNetwork& network, Operation operation, Algorithm algorithm,
                      std::uint32_t root, std::uint32_t block) {
  SCOPED_TRACE("operation " + std::to_string(static_cast<int>(operation)) + ", algorithm " +
               std::to_string(static_cast<int>(algorithm)) + ", " +
               std::to_string(network.nodes()) + " nodes, root " + std::to_string(root) + ", " +
               std::to_string(block) + " bytes");
  const auto nodes = static_cast<std::uint32_t>(network.nodes());
  const Layout layout{operation, block, nodes};
  std::vector<std::vector<std::uint8_t>> expected(nodes);
  for (std::uint32_t n = 0; n < nodes; ++n) {
    for (std::uint32_t i = 0; i < layout.end(); ++i)
      expected[n].push_back(static_cast<std::uint8_t>(seeded(n + root, i + block)));
    network.bus(n).put(0, expected[n].data(), layout.end());
  }
  const auto before = expected;
  const auto source = [&](std::uint32_t n) { return before[n].data() + layout.source(); };
  const auto target = [&](std::uint32_t n) { return expected[n].data() + layout.target(); };
  if (operation == Operation::kReduce) {
    for (std::uint32_t i = 0; i < block; i += 4) {
      std::uint32_t sum = 0;
      for (std::uint32_t n = 0; n < nodes; ++n) {
        std::uint32_t value = 0;
        std::memcpy(&value, source(n) + i, 4);
        sum += value;
      }
      std::memcpy(target(root) + i, &sum, 4);
    }
  }
  for (std::uint32_t n = 0; n < nodes && block > 0; ++n) {
    if (operation == Operation::kGather) std::memcpy(target(root) + n * block, source(n), block);
    if (operation == Operation::kScatter) std::memcpy(target(n), source(root) + n * block, block);
  }
  const std::size_t messages = network.records.size();
  network.call_all([&](std::size_t) {
    TestCall call{.operation = operation,
                  .algorithm = algorithm,
                  .root = root,
                  .source = layout.source(),
                  .target = layout.target(),
                  .count = block,
                  .tag = root,
                  .scratch = layout.scratch()};
    if (operation == Operation::kReduce) {
      call.count = block / 4;
      call.type = reg::Type::kUint32;
      call.op = static_cast<std::uint32_t>(reg::Operator::kSum);
    }
    return call;
  });
  const auto sent =
      std::count_if(network.records.begin() + static_cast<long>(messages), network.records.end(),
                    [](const FakeNetwork::Record& r) { return r.from != r.to; });
  EXPECT_EQ(sent, nodes - 1);
  EXPECT_EQ(network.unmatched(), 0U);
  for (std::uint32_t n = 0; n < nodes; ++n) {
    std::vector<std::uint8_t> memory(layout.end());
    std::memcpy(memory.data(), network.bus(n).at(0, layout.end()), layout.end());
    for (std::uint32_t i = 0; i < layout.scratch_bytes(); ++i)
      memory[layout.scratch() + i] = expected[n][layout.scratch() + i];
    ASSERT_TRUE(memory == expected[n]) << "memory of node " << n;
  }
}

constexpr Operation kOperations[] = {Operation::kReduce, Operation::kGather, Operation::kScatter};

TEST(TreePlayers, LeaveTheRightBytesForEveryRootAndSizeOfABlock) {
  for (const Case& c : kCases) {
    FakeNetwork network(c.size, 0, 0, {}, c.rings);
    const std::uint32_t stride = network.nodes() > 24 ? 7 : 1;
    for (std::uint32_t root = 0; root < network.nodes(); root += stride) {
      for (const Operation operation : kOperations) {
        const bool whole = operation == Operation::kReduce;
        for (const std::uint32_t block : {0U, whole ? 4U : 1U, whole ? 12U : 7U, 8U, 132U}) {
          expect_operation(network, operation, c.algorithm, root, block);
          if (HasFatalFailure() || HasFailure()) return;
        }
      }
    }
  }
}

TEST(TreePlayers, LeaveTheRightBytesInAnyOrderOfEvents) {
  for (const Case& c : kCases) {
    for (std::uint32_t seed = 1; seed <= 3; ++seed) {
      FakeNetwork network(c.size, seed, 64, {}, c.rings);
      for (std::uint32_t i = 0; i < 4; ++i) {
        const auto root = static_cast<std::uint32_t>(seeded(seed, i) % network.nodes());
        for (const Operation operation : kOperations) {
          expect_operation(network, operation, c.algorithm, root, i % 2 == 0 ? 40 : 200);
          if (HasFailure()) return;
        }
      }
    }
  }
}

TEST(TreePlayers, LeaveTheRightBytesOnLargerNetworks) {
  for (const Case& c : kLargeCases) {
    FakeNetwork network(c.size, 0, 0, {}, c.rings);
    for (const std::uint32_t root : {0U, 77U}) {
      for (const Operation operation : kOperations) {
        expect_operation(network, operation, c.algorithm, root, 24);
        if (HasFailure()) return;
      }
    }
  }
}

TEST(TreePlayers, AReductionPostsItsReceivesInTheOrderInWhichItCombines) {
  // All of one node, from the root of a 16 x 9 recursive doubling: one step's at a time. And EDN,
  // whose steps have several: ascending (z, y, x) in the network, though the tree was built in its
  // transpose.
  const Size size{16, 16, 1};
  const Address root = at(10, 3);
  const Topology topology(root, size);
  for (const Algorithm algorithm : {Algorithm::kEdn, Algorithm::kRecursiveDoubling}) {
    FakeNetwork network(size);
    expect_operation(network, Operation::kReduce, algorithm, topology.pid(root), 16);
    std::size_t several = 0;
    for (std::size_t n = 0; n < network.nodes(); ++n) {
      std::uint32_t step = 0, word = 0, receives = 0;
      for (const FakeBus::Descriptor& d : network.bus(n).queued) {
        if (!d.receive || d.combine == 0) continue;
        // A child's own message says its step.
        const std::size_t child = index_of(d.peer, size);
        std::uint32_t sent = 0;
        for (const FakeBus::Descriptor& s : network.bus(child).queued)
          sent = s.receive ? sent : s.step;
        if (receives > 0) {
          EXPECT_LT(std::tuple(step, word), std::tuple(sent, d.peer.word()));
          several += step == sent ? 1 : 0;
        }
        step = sent;
        word = d.peer.word();
        ++receives;
      }
    }
    EXPECT_EQ(several > 100, algorithm == Algorithm::kEdn);
  }
}

TEST(TreePlayers, RefuseWhatTheyCannotDo) {
  TestNode node(at(0, 0), {4, 4, 1});
  const auto answer = [&](const TestCall& call) {
    const std::uint32_t ticket = node.bus.call(call);
    node.firmware->run();
    return node.bus.results.contains(ticket) ? static_cast<CallResult>(node.bus.results[ticket])
                                             : CallResult{999};
  };
  const TestCall reduce{.operation = Operation::kReduce,
                        .algorithm = Algorithm::kEdn,
                        .target = 4096,
                        .count = 3,
                        .type = reg::Type::kInt32,
                        .op = 1,
                        .scratch = 8192};
  const auto expect_bad = [&](TestCall bad, auto change) {
    change(bad);
    EXPECT_EQ(answer(bad), CallResult::kBadArgument);
  };
  expect_bad(reduce, [](TestCall& c) { c.op = 0; });
  expect_bad(reduce, [](TestCall& c) { c.op = 8; });
  expect_bad(reduce, [](TestCall& c) { c.type = reg::Type::kBytes; });
  expect_bad(reduce, [](TestCall& c) { c.root = 16; });
  expect_bad(reduce, [](TestCall& c) { c.target = FakeBus::kMemoryBytes - 11; });
  expect_bad(reduce, [](TestCall& c) { c.scratch = FakeBus::kMemoryBytes - 9 * 16 + 1; });
  TestCall gather = reduce;
  gather.operation = Operation::kGather;
  expect_bad(gather, [](TestCall& c) { c.target = FakeBus::kMemoryBytes - 16 * 12 + 1; });
  expect_bad(gather, [](TestCall& c) { c.scratch = FakeBus::kMemoryBytes - 16 * 16; });
  expect_bad(gather, [](TestCall& c) { c.count = reg::kMaxMessageBytes / 64 + 1; });
  expect_bad(gather, [](TestCall& c) { c.count = 0xFFFFFFFF; });
  TestCall scatter = gather;
  scatter.operation = Operation::kScatter;
  expect_bad(scatter, [](TestCall& c) { c.source = FakeBus::kMemoryBytes - 16 * 12 + 1; });
  TestCall unknown = scatter;
  unknown.algorithm = Algorithm::kToken;
  EXPECT_EQ(answer(unknown), CallResult::kUnknownAlgorithm);
  EXPECT_TRUE(node.bus.queued.empty());
}

}  // namespace
}  // namespace annelid::firmware
