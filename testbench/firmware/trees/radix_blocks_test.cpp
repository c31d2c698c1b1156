// Scatter and gather by radix on fake NICs: the bytes at all nodes, each message with its step and
// its blocks, what is refused. The tests go through places and steps for all ranks at once, as
// docs/internals/algorithms/trade-offs.md does; in the firmware each process finds its own
// messages. Parameter space: operation, ranks, radix, root, bytes of a block, order of events,
// listed groups, embedding.
#include <gtest/gtest.h>

#include <cstring>

#include "testbench/firmware/support/operation_check.hpp"
#include "testbench/firmware/support/ranked_check.hpp"
#include "testbench/firmware/support/rounded_log.hpp"

namespace annelid::firmware {
namespace {

using reg::Algorithm;
using reg::CallResult;
using reg::Operation;

/// A message: step, relative ranks, and those whose blocks it holds.
struct BlocksSent {
  std::uint32_t step = 0, from = 0, to = 0;
  std::uint32_t first = 0, blocks = 0;
  Bytes bytes = {};
  auto operator<=>(const BlocksSent&) const = default;
};
std::ostream& operator<<(std::ostream& out, const BlocksSent& m) {
  return out << "step " << m.step << ": " << m.from << " to " << m.to << ", " << m.blocks
             << " blocks from " << m.first << ", " << m.bytes.size() << " bytes";
}

/// The blocks of a scatter, place by place.
std::vector<BlocksSent> scatter_of_page(std::uint32_t p, std::uint32_t radix) {
  std::vector<std::uint64_t> powers = {1};
  while (powers.back() < p) powers.push_back(powers.back() * radix);
  std::vector<BlocksSent> all;
  std::uint32_t step = 0;
  for (std::size_t x = powers.size() - 1; x-- > 0;) {
    for (std::uint64_t z = 1; z < radix && z * powers[x] < p; ++z) {
      ++step;
      for (std::uint64_t r = 0; r < p; r += powers[x + 1]) {
        const auto to = static_cast<std::uint32_t>(r + z * powers[x]);
        if (to >= p) continue;
        const auto end = std::min<std::uint64_t>(p, r + (z + 1) * powers[x]);
        all.push_back(
            {step, static_cast<std::uint32_t>(r), to, to, static_cast<std::uint32_t>(end) - to});
      }
    }
  }
  return all;
}
std::vector<BlocksSent> messages_of_page(Operation operation, std::uint32_t p,
                                         std::uint32_t radix) {
  std::vector<BlocksSent> all = scatter_of_page(p, radix);
  if (operation == Operation::kScatter || all.empty()) return all;
  const std::uint32_t steps = all.back().step;
  for (BlocksSent& m : all) {
    m.step = steps + 1 - m.step;
    std::swap(m.from, m.to);
  }
  return all;
}

struct RadixBlocksCall {
  std::uint32_t radix = 0, root = 0, bytes = 8;
  std::vector<std::size_t> order = {};
  std::uint32_t parameter_2 = 0, group = 0;
};

class RadixBlocks : public ::testing::TestWithParam<Operation> {
 protected:
  static bool gathers() { return GetParam() == Operation::kGather; }

  /// All processes call; then every byte and every message is right. Gives the messages.
  static std::vector<BlocksSent> check(FakeNetwork& network, RadixBlocksCall c) {
    if (c.order.empty())
      c.order = embedded({static_cast<int>(network.nodes()), 1, 1}, Embedding::kRows);
    const auto p = static_cast<std::uint32_t>(c.order.size());
    SCOPED_TRACE(::testing::Message() << p << " ranks, PARAMETER_1 " << c.radix << ", root "
                                      << c.root << ", " << c.bytes << " bytes");
    std::map<std::size_t, std::uint32_t> rank_of;
    for (std::uint32_t r = 0; r < p; ++r) rank_of[c.order[r]] = r;
    const auto relative = [&](std::size_t node) { return (rank_of.at(node) + p - c.root) % p; };
    // The block of a rank, whoever has it.
    const auto block_of = [&](Bytes& to_end, std::uint32_t rank) {
      append_block(to_end, rank, 0, c.bytes);
    };
    const auto one = [&](std::size_t node) {
      Bytes bytes;
      if (rank_of.contains(node)) block_of(bytes, rank_of.at(node));
      return bytes;
    };
    const auto all_at_root = [&](std::size_t node) {
      Bytes bytes;
      if (node != c.order[c.root]) return bytes;
      for (std::uint32_t r = 0; r < p; ++r) block_of(bytes, r);
      return bytes;
    };
    std::vector<BlocksSent> found;
    network.on_delivery = [&](const FakeNetwork::Record& r, const std::vector<std::byte>& sent) {
      if (r.from == r.to) return;
      BlocksSent m{r.step, relative(r.from), relative(r.to), 0, 0, Bytes(sent.size())};
      if (!sent.empty()) std::memcpy(m.bytes.data(), sent.data(), sent.size());
      found.push_back(std::move(m));
    };
    const std::uint32_t one_block = c.bytes, all_blocks = p * c.bytes;
    const auto source = [&](std::size_t node) { return gathers() ? one(node) : all_at_root(node); };
    const auto target = [&](std::size_t node) { return gathers() ? all_at_root(node) : one(node); };
    MemoryEffect effect{.source = gathers() ? one_block : all_blocks,
                        .target = gathers() ? all_blocks : one_block,
                        .scratch = p * ((c.bytes + 7) / 8 * 8),
                        .before = source,
                        .after = target};
    if (c.group != 0) effect.called = [&](std::size_t node) { return rank_of.contains(node); };
    const Records records = expect_operation(
        network,
        {.operation = GetParam(),
         .algorithm = Algorithm::kRadix,
         .group = c.group,
         .root = c.group != 0 ? c.root : static_cast<std::uint32_t>(c.order[c.root]),
         .count = c.bytes,
         .tag = 3,
         .parameter = {0, c.radix, c.parameter_2}},
        effect);
    network.on_delivery = {};
    const std::uint32_t radix = c.radix == 0 ? 2 : c.radix;
    std::vector<BlocksSent> expected = messages_of_page(GetParam(), p, radix);
    for (BlocksSent& m : expected) {
      for (std::uint32_t i = 0; i < m.blocks; ++i) block_of(m.bytes, (m.first + i + c.root) % p);
      m.first = m.blocks = 0;
    }
    std::sort(found.begin(), found.end());
    std::sort(expected.begin(), expected.end());
    EXPECT_EQ(found, expected);
    expect_single_ported(records);
    return found;
  }
};
INSTANTIATE_TEST_SUITE_P(Operations, RadixBlocks,
                         ::testing::Values(Operation::kScatter, Operation::kGather),
                         [](const auto& test) {
                           return test.param == Operation::kScatter ? "Scatter" : "Gather";
                         });

TEST_P(RadixBlocks, OfFewRanksGoAsThePageSaysForEveryRadixAndRoot) {
  for (std::uint32_t p = 1; p <= 13; ++p) {
    FakeNetwork network({static_cast<int>(p), 1, 1}, p % 3);
    for (std::uint32_t radix = 0; radix <= p + 1; ++radix) {
      if (radix == 1) continue;
      for (std::uint32_t root = 0; root < p; ++root)
        check(network, {.radix = radix, .root = root, .bytes = 3});
      if (HasFailure()) return;
    }
  }
}
TEST_P(RadixBlocks, OfManyRanksGoAsThePageSays) {
  for (std::uint32_t p = 14; p <= 130; ++p) {
    FakeNetwork network({static_cast<int>(p), 1, 1}, p < 30 ? p : 0);
    for (const std::uint32_t radix : {2U, 3U + p % 9, p / 2, 0xFFFFFFFFU})
      check(network, {.radix = radix, .root = p * radix % 29 % p, .bytes = 8});
    if (HasFailure()) return;
  }
}
TEST_P(RadixBlocks, MayHaveAnyLength) {
  FakeNetwork network({11, 1, 1}, 5);
  for (const std::uint32_t bytes : {0U, 1U, 12U, 64U, 127U, 128U, 129U, 1000U}) {
    for (const std::uint32_t root : {0U, 3U, 10U}) {
      for (const std::uint32_t radix : {2U, 3U, 11U})
        check(network, {.radix = radix, .root = root, .bytes = bytes});
    }
  }
}
TEST_P(RadixBlocks, GoToListedGroups) {
  FakeNetwork network({4, 3, 1}, 3);
  const std::vector<std::size_t> members = {7, 2, 11, 0, 5, 10, 3};
  list_group(network, members);
  for (const std::uint32_t radix : {0U, 3U, 7U}) {
    for (std::uint32_t root = 0; root < 7; ++root) {
      check(network, {.radix = radix, .root = root, .order = members, .group = kListedGroup});
    }
  }
}
TEST_P(RadixBlocks, GoToSomeRanksOfAnEmbedding) {
  FakeNetwork network({5, 4, 1}, 1);
  for (const Embedding embedding : {Embedding::kSnake, Embedding::kQuadrants}) {
    std::vector<std::size_t> order = embedded({5, 4, 1}, embedding);
    order.resize(13);
    for (const std::uint32_t radix : {2U, 4U}) {
      check(network, {.radix = radix,
                      .root = 9,
                      .order = order,
                      .parameter_2 = 13U << 8 | static_cast<std::uint32_t>(embedding)});
    }
  }
}

TEST_P(RadixBlocks, TakeTheStepsAndTheBytesOfThePaper) {
  constexpr std::uint32_t kBytes = 8;
  const auto expect_measures = [&](std::uint32_t p, std::uint32_t radix, std::uint32_t steps,
                                   std::uint32_t blocks) {
    FakeNetwork network({static_cast<int>(p), 1, 1});
    std::uint32_t last = 0;
    std::size_t bytes = 0;
    for (const BlocksSent& m : check(network, {.radix = radix, .root = p / 3, .bytes = kBytes})) {
      last = std::max(last, m.step);
      bytes += m.bytes.size();
    }
    EXPECT_EQ(last, steps) << "p " << p << ", radix " << radix;
    if (blocks == 0) return;
    EXPECT_EQ(bytes, std::size_t{blocks} * kBytes) << "p " << p << ", radix " << radix;
  };
  for (std::uint32_t d = 1; d <= 7; ++d) expect_measures(1U << d, 2, d, (1U << d) * d / 2);
  for (const std::uint32_t p : {3U, 5U, 17U, 63U, 65U, 100U}) {
    expect_measures(p, 2, log2_rounded_up(p), 0);
    expect_measures(p, p, p - 1, p - 1);
  }
  // (R - 1)·log_R p steps, and p·b·(R - 1)/R·log_R p bytes.
  expect_measures(27, 3, 6, 54);
  expect_measures(81, 3, 8, 216);
  expect_measures(64, 4, 9, 144);
  expect_measures(125, 5, 12, 300);
  expect_measures(121, 11, 20, 220);
}

TEST_P(RadixBlocks, RefuseWhatDoesNotFit) {
  // Node 5, which takes no part in a call of four ranks: what would be refused at others is here.
  TestNode node(Address{2, 1, 0}, {3, 2, 1});
  const TestCall good{.operation = GetParam(),
                      .algorithm = Algorithm::kRadix,
                      .source = 0x100,
                      .target = 0x200,
                      .count = 9,
                      .tag = 1,
                      .scratch = 0x300,
                      .parameter = {0, 5, 4 << 8}};
  EXPECT_EQ(answer_of(node, good), CallResult::kSuccess);
  constexpr std::uint32_t kEnd = FakeBus::kMemoryBytes;
  const auto expect_bad = [&](const char* why, const std::function<void(TestCall&)>& change) {
    TestCall bad = good;
    change(bad);
    EXPECT_EQ(answer_of(node, bad), CallResult::kBadArgument) << why;
  };
  const std::uint32_t source = gathers() ? 9 : 36, target = gathers() ? 36 : 9;
  expect_bad("radix 1", [](TestCall& c) { c.parameter[1] = 1; });
  expect_bad("embedding", [](TestCall& c) { c.parameter[2] = 3; });
  expect_bad("ranks", [](TestCall& c) { c.parameter[2] = 7 << 8; });
  expect_bad("no node", [](TestCall& c) { c.root = 6; });
  expect_bad("no member", [](TestCall& c) { c.root = 4; });
  expect_bad("SOURCE before TARGET", [&](TestCall& c) { c.source = 0x200 - source + 1; });
  expect_bad("SOURCE after TARGET", [&](TestCall& c) { c.source = 0x200 + target - 1; });
  expect_bad("SOURCE in SCRATCH", [](TestCall& c) { c.source = 0x300 + 63; });
  expect_bad("TARGET in SCRATCH", [](TestCall& c) { c.target = 0x300 + 63; });
  expect_bad("TARGET before SCRATCH", [&](TestCall& c) { c.target = 0x300 - target + 1; });
  expect_bad("SOURCE", [&](TestCall& c) { c.source = kEnd - source + 1; });
  expect_bad("TARGET", [&](TestCall& c) { c.target = kEnd - target + 1; });
  expect_bad("SCRATCH", [](TestCall& c) { c.scratch = kEnd - 63; });
  expect_bad("blocks of 16 MiB together", [](TestCall& c) { c.count = (16U << 20) / 4 + 1; });
  expect_bad("no message", [](TestCall& c) { c.count = 0x80000000; });
  TestCall at_end = good;
  at_end.scratch = kEnd - 64;
  EXPECT_EQ(answer_of(node, at_end), CallResult::kSuccess) << "SCRATCH at the end of memory";
  EXPECT_TRUE(node.bus.queued.empty());

  TestNode alone(Address{0, 0, 0}, {1, 1, 1});
  TestCall one = good;
  one.parameter = {0, 1, 0};
  EXPECT_EQ(answer_of(alone, one), CallResult::kBadArgument) << "radix 1 of one node";
  EXPECT_TRUE(alone.bus.queued.empty());
}

}  // namespace
}  // namespace annelid::firmware
