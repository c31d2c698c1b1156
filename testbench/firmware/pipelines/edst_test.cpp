// Edge-disjoint spanning trees of a hypercube on fake NICs: the bytes at all nodes, and each
// message. The test sends every packet through its own tree; the firmware looks for what a process
// sends in each step. Parameter space: processes, packets, root, length, order of events, groups.
#include <gtest/gtest.h>

#include "testbench/firmware/support/ranked_check.hpp"
#include "testbench/firmware/support/rounded_log.hpp"

namespace annelid::firmware {
namespace {

using reg::Algorithm;
using reg::CallResult;
using reg::Operation;

/// (step from 1, relative sender, dimension)
using Hops = std::set<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>>;

/// The broadcast on 2^d processes in k packets: docs/internals/algorithms/edst.md, "Why it works".
Hops defined_hops(std::uint32_t d, std::uint32_t k) {
  Hops hops;
  for (std::uint32_t q = 0; d > 0 && q < k; ++q) {
    std::set<std::uint32_t> have = {0};
    for (std::uint32_t t = q; t < k + d - 1; ++t) {
      const std::uint32_t bit = 1U << t % d;
      std::set<std::uint32_t> next = have;
      for (const std::uint32_t r : have) {
        // The root sends a packet once; the last one, over every dimension.
        if ((r == 0 && t > q && q + 1 < k) || have.contains(r ^ bit)) continue;
        // Below the source, a packet goes up from bit j; the last step takes it away.
        hops.emplace(t + 1, r, t % d);
        next.insert(r ^ bit);
      }
      have = next;
    }
    EXPECT_EQ(have.size(), 1U << d) << "packet " << q;
  }
  return hops;
}

/// One call on the first 2^d nodes; every byte and every message is right.
void expect_edst(FakeNetwork& network, Operation operation, std::uint32_t d, std::uint32_t k,
                 std::uint32_t root, std::uint32_t count = 62) {
  const std::uint32_t p = 1U << d;
  SCOPED_TRACE(::testing::Message() << "operation " << static_cast<int>(operation) << ", d " << d
                                    << ", k " << k << ", root " << root << ", count " << count);
  std::vector<std::size_t> order(p);
  for (std::uint32_t r = 0; r < p; ++r) order[r] = r;
  const Records records = expect_ranked(network, {.operation = operation,
                                                  .algorithm = Algorithm::kEdst,
                                                  .order = order,
                                                  .root = root,
                                                  .count = count,
                                                  .parameter_1 = k,
                                                  .parameter_2 = p << 8,
                                                  .tag = 9});
  const std::uint32_t last = expect_single_ported(records);
  if (k == 0) return;
  EXPECT_EQ(last, d == 0 ? 0 : k + d - 1);
  Hops hops;
  for (const FakeNetwork::Record& r : records) {
    const bool reduces = operation == Operation::kReduce;
    const auto from = static_cast<std::uint32_t>(reduces ? r.to : r.from);
    const auto to = static_cast<std::uint32_t>(reduces ? r.from : r.to);
    const std::uint32_t relative = (from + p - root) % p, across = relative ^ ((to + p - root) % p);
    ASSERT_EQ(across & (across - 1), 0U);
    hops.emplace(reduces ? last + 1 - r.step : r.step, relative, log2_rounded_up(across));
  }
  EXPECT_EQ(hops.size(), records.size());
  EXPECT_EQ(records.size(), (p - 1) * k);
  EXPECT_EQ(hops, defined_hops(d, k));
}

class Edst : public ::testing::TestWithParam<Operation> {};

TEST_P(Edst, SendsEachPacketThroughItsTree) {
  for (std::uint32_t d = 0; d <= 5; ++d) {
    FakeNetwork network({1 << d, 1, 1}, d % 3);
    for (std::uint32_t k = 0; k <= 2 * d + 2; ++k) {
      expect_edst(network, GetParam(), d, k, k % (1U << d));
      if (HasFailure()) return;
    }
  }
}
TEST_P(Edst, SendsEachPacketThroughItsTreeFromEveryRoot) {
  for (std::uint32_t d = 1; d <= 4; ++d) {
    FakeNetwork network({1 << d, 1, 1}, 3 + d);
    for (std::uint32_t root = 0; root < 1U << d; ++root) {
      expect_edst(network, GetParam(), d, 2 + root % (d + 1), root);
      if (HasFailure()) return;
    }
  }
}
TEST_P(Edst, SendsEachPacketThroughItsTreeAtManyProcesses) {
  for (const std::uint32_t d : {6U, 7U}) {
    FakeNetwork network({1 << d, 1, 1}, 2);
    expect_edst(network, GetParam(), d, 9, 5);
  }
}
TEST_P(Edst, LeavesTheRightBytesInBlocksOfAnyLength) {
  FakeNetwork network({20, 1, 1}, 1);  // 16 take part
  for (const std::uint32_t count : {0U, 1U, 2U, 5U, 34U, 3000U}) {
    for (const std::uint32_t k : {0U, 7U}) expect_edst(network, GetParam(), 4, k, 3, count);
  }
}
TEST_P(Edst, LeavesTheRightBytesInAListedGroup) {
  FakeNetwork network({4, 3, 1}, 3);
  const std::vector<std::size_t> members = {7, 2, 11, 0, 5, 10, 3, 1};
  list_group(network, members);
  expect_ranked(network, {.operation = GetParam(),
                          .algorithm = Algorithm::kEdst,
                          .order = members,
                          .root = 4,
                          .count = 30,
                          .parameter_1 = 3,
                          .tag = 9,
                          .group = kListedGroup});
}

TEST_P(Edst, RefusesWhatDoesNotFit) {
  TestNode node(Address{2, 1, 0}, {3, 2, 1});  // node 5: it takes no part in what is right
  const TestCall good{.operation = GetParam(),
                      .algorithm = Algorithm::kEdst,
                      .source = 0x100,
                      .target = 0x200,
                      .count = 10,
                      .type = reg::Type::kUint32,
                      .op = kSum,
                      .scratch = 0x300,
                      .parameter = {0, 0, 4 << 8}};
  EXPECT_EQ(answer_of(node, good), CallResult::kSuccess);
  for (const std::uint32_t size : {0U, 3U, 5U, 6U}) {  // 0: all six
    TestCall other = good;
    other.parameter[2] = size << 8;
    EXPECT_EQ(answer_of(node, other), CallResult::kDoesNotFit) << size;
  }
  const auto expect_bad = [&](const char* what, const std::function<void(TestCall&)>& change) {
    TestCall bad = good;
    change(bad);
    EXPECT_EQ(answer_of(node, bad), CallResult::kBadArgument) << what;
  };
  expect_bad("packets", [](TestCall& c) { c.parameter[1] = 1 << 16; });
  expect_bad("no member", [](TestCall& c) { c.root = 4; });
  expect_bad("SOURCE", [](TestCall& c) { c.source = FakeBus::kMemoryBytes - 39; });
  if (GetParam() == Operation::kReduce) {
    expect_bad("an operator that needs the order", [](TestCall& c) { c.op = kAffineCode; });
    expect_bad("SCRATCH", [](TestCall& c) { c.scratch = FakeBus::kMemoryBytes - 319; });
  }
  EXPECT_TRUE(node.bus.queued.empty());
}

INSTANTIATE_TEST_SUITE_P(Of, Edst, ::testing::Values(Operation::kBroadcast, Operation::kReduce),
                         [](const auto& test) {
                           return test.param == Operation::kBroadcast ? "Broadcast" : "Reduce";
                         });

}  // namespace
}  // namespace annelid::firmware
