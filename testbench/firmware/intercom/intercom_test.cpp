// InterCom on fake NICs: the bytes at all nodes, and every message of every step against the
// reference's schedule. Parameter space: operation, factorization, template, order of the
// dimensions or none of them, number of processes, root, length, different lengths, operator,
// embedding, listed groups, order of events.
#include <gtest/gtest.h>

#include <random>

#include "reference/intercom/schedule.hpp"
#include "testbench/firmware/intercom/intercom_check.hpp"
#include "testbench/firmware/intercom/intercom_reference.hpp"

namespace annelid::firmware {
namespace {

using reg::Operation;

struct NamedOperation {
  const char* name;
  Operation operation;
  reference::intercom::Collective collective;
};
constexpr NamedOperation kOperationsOfIntercom[] = {
    {"Broadcast", Operation::kBroadcast, reference::intercom::Collective::kBroadcast},
    {"Scatter", Operation::kScatter, reference::intercom::Collective::kScatter},
    {"Gather", Operation::kGather, reference::intercom::Collective::kGather},
    {"AllGather", Operation::kAllGather, reference::intercom::Collective::kCollect},
    {"Reduce", Operation::kReduce, reference::intercom::Collective::kCombineToOne},
    {"AllReduce", Operation::kAllReduce, reference::intercom::Collective::kCombineToAll},
    {"ReduceScatter", Operation::kReduceScatter,
     reference::intercom::Collective::kDistributedCombine},
};

/// (step, from, to, bytes), in order.
using StepMessage = std::tuple<std::uint32_t, std::size_t, std::size_t, std::uint64_t>;

std::vector<StepMessage> in_steps(const Records& records) {
  std::vector<StepMessage> all;
  for (const FakeNetwork::Record& r : records) all.emplace_back(r.step, r.from, r.to, r.bytes);
  std::sort(all.begin(), all.end());
  return all;
}

bool has_blocks(Operation operation) {
  return operation != Operation::kBroadcast && operation != Operation::kReduce &&
         operation != Operation::kAllReduce;
}

std::vector<StepMessage> reference_messages(const NamedOperation& operation, const HybridCall& c) {
  namespace intercom = reference::intercom;
  const std::vector<int> sizes(c.hybrid.sizes.begin(), c.hybrid.sizes.end());
  const intercom::LogicalMesh mesh(
      sizes, c.hybrid.far_first ? intercom::Nearness::kFarFirst : intercom::Nearness::kNearFirst);
  std::vector<std::uint64_t> counts(has_blocks(c.operation) ? c.order.size() : 1,
                                    std::uint64_t{4} * c.count);
  for (std::size_t r = 0; r < c.lengths.size(); ++r) counts[r] = std::uint64_t{4} * c.lengths[r];
  const intercom::StagedSchedule schedule = intercom::schedule_of(
      {operation.collective, static_cast<int>(c.root), counts},
      {mesh, c.hybrid.is_long ? intercom::Template::kLong : intercom::Template::kShort});
  std::vector<StepMessage> all;
  for (std::size_t i = 0; i < schedule.steps.size(); ++i) {
    for (const intercom::Transfer& t : schedule.steps[i].transfers) {
      all.emplace_back(i + 1, t.from, t.to, t.length);
    }
  }
  std::sort(all.begin(), all.end());
  return all;
}

std::vector<std::size_t> ranks_in_line(std::uint32_t p) {
  return embedded({static_cast<int>(p), 1, 1}, Embedding::kRows);
}

class IntercomHybrids : public ::testing::TestWithParam<NamedOperation> {
 protected:
  void check(FakeNetwork& network, HybridCall c) {
    SCOPED_TRACE(::testing::Message()
                 << GetParam().name << ", p " << c.order.size() << ", " << text_of(c.hybrid)
                 << ", root " << c.root << ", count " << c.count << ", operator " << c.op);
    c.operation = GetParam().operation;
    const Records records = expect_hybrid(network, c);
    if (HasFailure()) return;
    expect_single_ported(records);
    EXPECT_EQ(in_steps(records), reference_messages(GetParam(), c));
  }

  /// So long that one tree is not the fastest; all blocks fit the memory of a fake NIC.
  [[nodiscard]] static std::uint32_t long_count() {
    return has_blocks(GetParam().operation) ? 900 : 9000;
  }

  /// All hybrids of p ranks, in all orders that the operator allows.
  void check_all(std::uint32_t p, std::uint32_t seed, const std::vector<std::uint32_t>& roots,
                 const std::vector<std::uint32_t>& counts) {
    FakeNetwork network({static_cast<int>(p), 1, 1}, seed);
    for (const TestHybrid& hybrid : hybrids_of(p)) {
      for (const std::uint32_t root : roots) {
        if (root != 0 && !has_root(GetParam().operation)) continue;
        for (const std::uint32_t count : counts) {
          for (const std::uint32_t op : {kSum, kAffineCode}) {
            const bool in_order = combines(GetParam().operation) && keeps_order(hybrid);
            if (op == kAffineCode && (!in_order || count % 2 != 0)) continue;
            check(network, {{}, hybrid, ranks_in_line(p), root, count, op});
            if (HasFailure()) return;
          }
        }
      }
    }
  }
};

TEST_P(IntercomHybrids, OfFewRanksLeaveTheRightBytesFromEveryRoot) {
  for (std::uint32_t p = 1; p <= 16; ++p) {
    std::vector<std::uint32_t> roots(p);
    for (std::uint32_t r = 0; r < p; ++r) roots[r] = r;
    check_all(p, p % 3, roots, {14});
    if (HasFailure()) return;
  }
}
TEST_P(IntercomHybrids, OfTwelveRanksLeaveTheRightBytesInBlocksOfAnyLength) {
  check_all(12, 1, {0, 7}, {0, 1, 2, 3, 25, 400});
}
TEST_P(IntercomHybrids, OfThirtyRanksLeaveTheRightBytes) { check_all(30, 2, {0, 13, 29}, {62}); }

// By the rule: none of these networks has a built-in table.
TEST_P(IntercomHybrids, AreChosenIfTheCallNamesNone) {
  struct {
    Size size;
    std::vector<int> extents;
  } const networks[] = {{{1, 1, 1}, {}},     {{7, 1, 1}, {7}},       {{28, 1, 1}, {28}},
                        {{5, 6, 1}, {5, 6}}, {{4, 3, 2}, {4, 3, 2}}, {{1, 12, 1}, {12}}};
  for (const auto& on : networks) {
    FakeNetwork network(on.size, 2);
    for (const std::uint32_t count : {0U, 2U, 300U, long_count()}) {
      TestHybrid hybrid = reference_choice(GetParam().operation, on.extents, 4 * count);
      hybrid.named = false;
      const std::vector<std::size_t> order = embedded(on.size, Embedding::kRows);
      const auto root = static_cast<std::uint32_t>(order.size() / 3);
      check(network, {{}, hybrid, order, has_root(GetParam().operation) ? root : 0U, count});
      if (HasFailure()) return;
    }
  }
}

TEST_P(IntercomHybrids, AreChosenForRowsLinesAndListedGroups) {
  FakeNetwork network({6, 4, 1}, 3);
  const auto root = has_root(GetParam().operation) ? 4U : 0U;
  const auto expect_choice = [&](const std::vector<std::size_t>& order, std::vector<int> extents,
                                 std::uint32_t parameter_2, std::uint32_t group) {
    for (const std::uint32_t count : {20U, long_count()}) {
      TestHybrid hybrid = reference_choice(GetParam().operation, extents, 4 * count);
      hybrid.named = false;
      check(network, {{}, hybrid, order, root, count, kSum, parameter_2, group});
    }
  };
  std::vector<std::size_t> rows = embedded({6, 4, 1}, Embedding::kRows);
  rows.resize(18);
  expect_choice(rows, {6, 3}, 18 << 8, 0);
  rows.resize(16);
  expect_choice(rows, {16}, 16 << 8, 0);
  expect_choice(embedded({6, 4, 1}, Embedding::kSnake), {24}, 1, 0);
  const std::vector<std::size_t> members = {7, 2, 11, 0, 5, 10, 3, 20};
  list_group(network, members);
  expect_choice(members, {8}, 0, kListedGroup);
}

TEST_P(IntercomHybrids, AreChosenBySubmeshesThatAreListed) {
  const auto root = has_root(GetParam().operation) ? 4U : 0U;
  struct {
    std::vector<std::size_t> members;
    std::vector<int> extents;
  } const groups[] = {
      {{8, 9, 10, 11, 14, 15, 16, 17}, {4, 2}},  // of 6 x 4: rows first
      {{8, 14, 9, 15, 10, 16, 11, 17}, {2, 4}},  // columns first
      {{8, 9, 10, 11, 14, 15, 17, 16}, {8}},
      {{1, 7, 13, 19}, {4}},
  };
  for (const auto& group : groups) {
    FakeNetwork network({6, 4, 1}, 3);
    list_group(network, group.members);
    if (root >= group.members.size()) continue;
    for (const std::uint32_t count : {20U, long_count()}) {
      TestHybrid hybrid = reference_choice(GetParam().operation, group.extents, 4 * count);
      hybrid.named = false;
      check(network, {{}, hybrid, group.members, root, count, kSum, 0, kListedGroup});
      if (HasFailure()) return;
    }
  }
}

TEST_P(IntercomHybrids, AreChosenBySubmeshesOfAPartition) {
  // 6 x 4 in two halves of 3 x 4, by columns: the key is x first, then y.
  FakeNetwork network({6, 4, 1}, 3);
  network.call_all([](std::size_t node) {
    const auto x = static_cast<std::uint32_t>(node % 6), y = static_cast<std::uint32_t>(node / 6);
    return TestCall{.operation = Operation::kPartition,
                    .target = 0x80000,
                    .tag = 1,
                    .scratch = 0x90000,
                    .parameter = {kListedGroup, x / 3, 4 * x + y}};
  });
  const std::vector<std::size_t> members = {0, 6, 12, 18, 1, 7, 13, 19, 2, 8, 14, 20};
  for (const std::uint32_t count : {20U, long_count()}) {
    TestHybrid hybrid = reference_choice(GetParam().operation, {4, 3}, 4 * count);
    hybrid.named = false;
    const std::uint32_t root = has_root(GetParam().operation) ? 5 : 0;
    check(network, {{}, hybrid, members, root, count, kSum, 0, kListedGroup});
  }
}

TEST_P(IntercomHybrids, KeepTheOrderIfTheyAreChosen) {
  if (!combines(GetParam().operation)) return;
  FakeNetwork network({6, 4, 1}, 3);
  TestHybrid hybrid = {{24}};
  hybrid.named = false;
  check(network,
        {{}, hybrid, embedded({6, 4, 1}, Embedding::kRows), 0, long_count(), kAffineCode, 0, 0});
}

TEST_P(IntercomHybrids, MayHaveDimensionsOfOneRank) {
  FakeNetwork network({6, 1, 1}, 1);
  for (const std::vector<std::uint32_t>& sizes :
       std::vector<std::vector<std::uint32_t>>{{1, 6}, {6, 1}, {2, 1, 3}, {1, 2, 1, 3, 1, 1, 1}}) {
    for (const bool is_long : {false, true}) {
      for (const bool far_first : {false, true}) {
        check(network, {{},
                        {sizes, is_long, far_first},
                        ranks_in_line(6),
                        has_root(GetParam().operation) ? 4U : 0U,
                        9});
        if (HasFailure()) return;
      }
    }
  }
}

TEST_P(IntercomHybrids, HaveUpToSevenDimensions) {
  FakeNetwork network({16, 8, 1}, 4);
  const std::vector<std::size_t> order = embedded({16, 8, 1}, Embedding::kRows);
  for (const bool is_long : {false, true}) {
    for (const bool far_first : {false, true}) {
      check(network, {{},
                      {{2, 2, 2, 2, 2, 2, 2}, is_long, far_first},
                      order,
                      has_root(GetParam().operation) ? 77U : 0U,
                      3});
    }
  }
}

TEST_P(IntercomHybrids, RunOnSomeRanksOfAnEmbedding) {
  for (const Size size : {Size{5, 4, 1}, Size{3, 3, 2}}) {
    FakeNetwork network(size, 1);
    for (const Embedding embedding : {Embedding::kRows, Embedding::kSnake, Embedding::kQuadrants}) {
      std::vector<std::size_t> order = embedded(size, embedding);
      order.resize(12);
      const std::uint32_t root = has_root(GetParam().operation) ? 5 : 0;
      for (const bool is_long : {false, true}) {
        check(network, {{},
                        {{3, 4}, is_long, false},
                        order,
                        root,
                        30,
                        kSum,
                        12U << 8 | static_cast<std::uint32_t>(embedding)});
        if (HasFailure()) return;
      }
    }
  }
}

TEST_P(IntercomHybrids, RunInListedGroups) {
  FakeNetwork network({4, 3, 1}, 3);
  const std::vector<std::size_t> members = {7, 2, 11, 0, 5, 10};
  list_group(network, members);
  for (const TestHybrid& hybrid : hybrids_of(6)) {
    check(
        network,
        {{}, hybrid, members, has_root(GetParam().operation) ? 4U : 0U, 30, kSum, 0, kListedGroup});
  }
}

std::vector<std::uint32_t> drawn_lengths(std::size_t p, std::uint32_t most, std::mt19937& random) {
  std::vector<std::uint32_t> lengths(p);
  for (std::uint32_t& length : lengths) length = random() % 3 == 0 ? 0 : random() % (most + 1);
  return lengths;
}

TEST_P(IntercomHybrids, MayHaveBlocksOfDifferentLengths) {
  if (!has_blocks(GetParam().operation)) return;
  std::mt19937 random(11);
  for (const std::uint32_t p : {1U, 2U, 5U, 6U, 12U, 16U}) {
    FakeNetwork network({static_cast<int>(p), 1, 1}, p % 3);
    for (const TestHybrid& hybrid : hybrids_of(p)) {
      for (const std::uint32_t most : {0U, 3U, 100U}) {
        const std::uint32_t root = has_root(GetParam().operation) ? random() % p : 0;
        check(network,
              {{}, hybrid, ranks_in_line(p), root, 0, kSum, 0, 0, drawn_lengths(p, most, random)});
        if (HasFailure()) return;
      }
      if (GetParam().operation != Operation::kReduceScatter || !keeps_order(hybrid)) continue;
      std::vector<std::uint32_t> even = drawn_lengths(p, 20, random);
      for (std::uint32_t& length : even) length *= 2;
      check(network, {{}, hybrid, ranks_in_line(p), 0, 0, kAffineCode, 0, 0, even});
      if (HasFailure()) return;
    }
  }
}

TEST_P(IntercomHybrids, OfDifferentLengthsAreChosenByTheMeanOfThem) {
  if (!has_blocks(GetParam().operation)) return;
  std::mt19937 random(5);
  FakeNetwork network({6, 4, 1}, 3);
  const std::uint32_t root = has_root(GetParam().operation) ? 7 : 0;
  for (const std::uint32_t most : {2U, 150U, 2000U}) {
    const std::vector<std::uint32_t> lengths = drawn_lengths(24, most, random);
    std::uint64_t sum = 0;
    for (const std::uint32_t length : lengths) sum += 4 * length;
    TestHybrid hybrid = reference_choice(GetParam().operation, {6, 4}, (sum + 23) / 24);
    hybrid.named = false;
    check(network,
          {{}, hybrid, embedded({6, 4, 1}, Embedding::kRows), root, 0, kSum, 0, 0, lengths});
    if (HasFailure()) return;
  }
  const std::vector<std::size_t> members = {7, 2, 11, 0, 5, 10};
  list_group(network, members);
  for (const TestHybrid& hybrid : hybrids_of(6)) {
    check(network, {{},
                    hybrid,
                    members,
                    root == 0 ? 0U : 4U,
                    0,
                    kSum,
                    0,
                    kListedGroup,
                    drawn_lengths(6, 40, random)});
    if (HasFailure()) return;
  }
  const std::vector<std::size_t> snake = embedded({6, 4, 1}, Embedding::kSnake);
  check(network, {{}, {{6, 4}}, snake, root, 0, kSum, 1, 0, drawn_lengths(24, 40, random)});
}

TEST_P(IntercomHybrids, RefuseLengthsThatDoNotFit) {
  TestNode node(Address{2, 1, 0}, {3, 2, 1});  // takes no part
  const Operation operation = GetParam().operation;
  const std::uint32_t lengths[] = {3, 0, 10, 7};
  node.bus.put(kLengths, lengths, sizeof lengths);
  TestCall good{.operation = operation,
                .algorithm = reg::Algorithm::kIntercom,
                .source = 0x1000,
                .target = 0x2000,
                .type = reg::Type::kUint32,
                .op = kSum,
                .scratch = 0x3000,
                .parameter = {kLengths, 0, 4 << 8},
                .flags = 8};
  if (!has_blocks(operation)) {
    EXPECT_EQ(answer_of(node, good), reg::CallResult::kBadArgument);
    good.flags = 12;
    EXPECT_EQ(answer_of(node, good), reg::CallResult::kBadArgument);
    EXPECT_TRUE(node.bus.queued.empty());
    return;
  }
  EXPECT_EQ(answer_of(node, good), reg::CallResult::kSuccess);
  const auto expect_bad = [&](const char* what, const std::function<void(TestCall&)>& change) {
    TestCall bad = good;
    change(bad);
    EXPECT_EQ(answer_of(node, bad), reg::CallResult::kBadArgument) << what;
  };
  expect_bad("COUNT", [](TestCall& c) { c.count = 1; });
  expect_bad("a list at no multiple of 4", [](TestCall& c) { c.parameter[0] = 0xD0002; });
  expect_bad("a list behind memory",
             [](TestCall& c) { c.parameter[0] = FakeBus::kMemoryBytes - 12; });
  expect_bad("a list in TARGET", [](TestCall& c) { c.target = kLengths; });
  expect_bad("a list in SCRATCH", [](TestCall& c) { c.scratch = kLengths - 8; });
  expect_bad("bits", [](TestCall& c) { c.flags = 24; });
  expect_bad("a template that is not named", [](TestCall& c) { c.flags = 9; });
  // 20 words: 80 bytes, with a block of 40, and 20 bytes for the begins.
  const std::uint32_t vectors = operation == Operation::kReduceScatter ? 3 : 1;
  const auto at_end = [](std::uint32_t bytes) { return FakeBus::kMemoryBytes - bytes; };
  const auto with_scratch = [&](std::uint32_t bytes) {
    TestCall call = good;
    call.scratch = at_end(bytes);
    return answer_of(node, call);
  };
  EXPECT_EQ(with_scratch(80 * vectors + 20), reg::CallResult::kSuccess);
  EXPECT_EQ(with_scratch(80 * vectors + 19), reg::CallResult::kBadArgument);
  const bool scatters = operation == Operation::kScatter || vectors == 3;
  expect_bad("SOURCE", [&](TestCall& c) { c.source = at_end(scatters ? 79 : 39); });
  expect_bad("TARGET", [&](TestCall& c) { c.target = at_end(scatters ? 39 : 79); });
  expect_bad("SOURCE in TARGET", [&](TestCall& c) { c.target = c.source + (scatters ? 79 : 39); });
  const std::uint32_t too_long[] = {reg::kMaxMessageBytes / 4, 0, 1, 0};
  node.bus.put(kLengths, too_long, sizeof too_long);
  EXPECT_EQ(answer_of(node, good), reg::CallResult::kBadArgument) << "17 MiB";
  const std::uint32_t wraps[] = {0x80000000, 0x80000000, 1, 0};
  node.bus.put(kLengths, wraps, sizeof wraps);
  EXPECT_EQ(answer_of(node, good), reg::CallResult::kBadArgument) << "more than 32 bits";
  EXPECT_TRUE(node.bus.queued.empty());
}

TEST_P(IntercomHybrids, RefuseWhatDoesNotFit) {
  // Node 5, which takes no part in a call of four ranks: what would be refused at others is here.
  TestNode node(Address{2, 1, 0}, {3, 2, 1});
  const Operation operation = GetParam().operation;
  const TestWords words = words_of({{2, 2}, true, false});
  const TestCall good{.operation = operation,
                      .algorithm = reg::Algorithm::kIntercom,
                      .source = 0x1000,
                      .target = 0x2000,
                      .count = 10,
                      .type = reg::Type::kUint32,
                      .op = kSum,
                      .scratch = 0x3000,
                      .parameter = {0, words.parameter_1, 4 << 8},
                      .flags = words.flags};
  EXPECT_EQ(answer_of(node, good), reg::CallResult::kSuccess);
  const auto expect_bad = [&](const char* what, const std::function<void(TestCall&)>& change) {
    TestCall bad = good;
    change(bad);
    EXPECT_EQ(answer_of(node, bad), reg::CallResult::kBadArgument) << what;
  };
  expect_bad("no factorization", [](TestCall& c) { c.parameter[1] = 3; });
  expect_bad("a size of 0", [](TestCall& c) { c.parameter[1] = 0; });
  expect_bad("sizes without widths", [](TestCall& c) { c.flags = 5; });
  expect_bad("more than the sizes", [](TestCall& c) { c.parameter[1] |= 1U << 20; });
  expect_bad("a width behind the last", [](TestCall& c) { c.flags |= 2U << 16; });
  expect_bad("a bit that is none", [](TestCall& c) { c.flags |= 16; });
  expect_bad("sizes that are not named", [](TestCall& c) { c.flags &= ~4U; });
  expect_bad("sizes of no flags", [](TestCall& c) { c.flags = 0; });
  expect_bad("a template that is not named", [](TestCall& c) {
    c.flags = 1;
    c.parameter[1] = 0;
  });
  TestCall open = good;
  open.flags = open.parameter[1] = 0;
  EXPECT_EQ(answer_of(node, open), reg::CallResult::kSuccess) << "a hybrid to be chosen";
  expect_bad("embedding", [](TestCall& c) { c.parameter[2] = 3; });
  expect_bad("ranks", [](TestCall& c) { c.parameter[2] = 7 << 8; });
  expect_bad("SOURCE", [](TestCall& c) { c.source = FakeBus::kMemoryBytes - 39; });
  expect_bad("COUNT", [](TestCall& c) { c.count = reg::kMaxMessageBytes / 4 + 1; });
  if (has_root(operation)) {
    expect_bad("no node", [](TestCall& c) { c.root = 6; });
    expect_bad("no member", [](TestCall& c) { c.root = 4; });
  }
  if (operation != Operation::kBroadcast) {
    expect_bad("TARGET", [](TestCall& c) { c.target = c.source + 36; });
    expect_bad("TARGET in SCRATCH", [](TestCall& c) { c.target = c.scratch; });
    expect_bad("SOURCE in SCRATCH", [](TestCall& c) { c.source = c.scratch; });
    // Blocks of 40 bytes: 8 of them, 3 vectors of 4, or a vector.
    const std::uint32_t scratch = operation == Operation::kReduceScatter ? 480
                                  : combines(operation)                  ? 320
                                                                         : 160;
    expect_bad("SCRATCH", [&](TestCall& c) { c.scratch = FakeBus::kMemoryBytes - scratch + 1; });
    TestCall at_end = good;
    at_end.scratch = FakeBus::kMemoryBytes - scratch;
    EXPECT_EQ(answer_of(node, at_end), reg::CallResult::kSuccess) << "SCRATCH at the end of memory";
  }
  if (combines(operation)) {
    expect_bad("operator", [](TestCall& c) { c.op = 8; });
    expect_bad("no operator", [](TestCall& c) { c.op = 0; });
    expect_bad("type", [](TestCall& c) { c.type = reg::Type::kBytes; });
    TestCall affine = good;
    affine.op = kAffineCode;
    EXPECT_EQ(answer_of(node, affine), reg::CallResult::kSuccess) << "pairs of neighbours";
    affine.flags |= 2;
    EXPECT_EQ(answer_of(node, affine), reg::CallResult::kBadArgument) << "far pairs";
    affine.flags = 5;
    affine.parameter[1] = 0;
    EXPECT_EQ(answer_of(node, affine), reg::CallResult::kBadArgument) << "a ring of four";
    affine.flags = 4;
    EXPECT_EQ(answer_of(node, affine), reg::CallResult::kSuccess) << "a tree of four";
  }
  EXPECT_TRUE(node.bus.queued.empty());
}

INSTANTIATE_TEST_SUITE_P(Operations, IntercomHybrids, ::testing::ValuesIn(kOperationsOfIntercom),
                         [](const auto& test) { return std::string(test.param.name); });

/// Figure 1 of the paper, as docs/internals/algorithms/intercom.md has it. A part has a word.
TEST(IntercomFigures, BroadcastToTwelveAsInFigureOne) {
  FakeNetwork network({12, 1, 1}, 1);
  const Records records = expect_hybrid(
      network, {Operation::kBroadcast, {{2, 2, 3}, false, false}, ranks_in_line(12), 0, 8});
  std::vector<StepMessage> expected = {{1, 0, 1, 16}, {2, 0, 2, 8}, {2, 1, 3, 8}};
  for (std::size_t i = 0; i < 4; ++i) {
    expected.emplace_back(3, i, i + 8, 8);
    expected.emplace_back(4, i, i + 4, 8);
  }
  for (std::size_t i = 0; i < 12; ++i) {
    expected.emplace_back(5, i, i ^ 2, 8);
    expected.emplace_back(6, i, i ^ 1, 16);
  }
  std::sort(expected.begin(), expected.end());
  EXPECT_EQ(in_steps(records), expected);
}

}  // namespace
}  // namespace annelid::firmware
