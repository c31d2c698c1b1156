// Shift and one-sided synchronization on fake NICs: the bytes at all nodes, each message with its
// step, what is refused. The tests walk along rows and cycles of ranks, as
// docs/internals/algorithms/shift.md does; in the firmware each process finds its own position.
// Parameter space: algorithm, ranks, steps up and down, cyclic or with ends, bytes of a block,
// order of events, listed groups, embedding.
#include <gtest/gtest.h>

#include "testbench/firmware/support/operation_check.hpp"
#include "testbench/firmware/support/ranked_check.hpp"

namespace annelid::firmware {
namespace {

using reg::Algorithm;
using reg::CallResult;
using reg::Operation;

/// step, sender, receiver
using Sends = std::vector<std::array<std::size_t, 3>>;

/// Whom each rank sends to; itself, if it copies; nobody, if the block goes nowhere.
constexpr std::size_t kNowhere = ~std::size_t{0};
std::vector<std::size_t> receivers(std::size_t p, std::int64_t steps, bool ends) {
  const auto size = static_cast<std::int64_t>(p);
  std::vector<std::size_t> to(p, kNowhere);
  for (std::int64_t r = 0; r < size; ++r) {
    std::int64_t other = r + steps;
    if (!ends) other = ((other % size) + size) % size;
    if (other >= 0 && other < size) {
      to[static_cast<std::size_t>(r)] = static_cast<std::size_t>(other);
    }
  }
  return to;
}

/// The messages of the page, row by row.
Sends sends_of_page(const std::vector<std::size_t>& to, bool pairs) {
  Sends sends;
  std::vector<bool> is_receiver(to.size()), seen(to.size());
  for (const std::size_t other : to) {
    if (other != kNowhere) is_receiver[other] = true;
  }
  const auto walk = [&](std::size_t first) {
    std::vector<std::size_t> row;
    for (std::size_t r = first; r != kNowhere && !seen[r]; r = to[r]) {
      seen[r] = true;
      row.push_back(r);
    }
    if (row.size() == 1) return;
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (to[row[i]] == kNowhere) continue;
      const bool last_of_odd = to[row[i]] == row.front() && row.size() % 2 == 1;
      sends.push_back({!pairs ? 1 : last_of_odd ? 3 : 1 + i % 2, row[i], to[row[i]]});
    }
  };
  for (std::size_t r = 0; r < to.size(); ++r) {
    if (!is_receiver[r]) walk(r);
  }
  for (std::size_t r = 0; r < to.size(); ++r) {
    if (!seen[r]) walk(r);  // a cycle, from its lowest rank on
  }
  std::ranges::sort(sends);
  return sends;
}

struct ShiftCase {
  std::int64_t steps = 0;
  bool ends = false;
  std::uint32_t bytes = 8;
  std::vector<std::size_t> order = {};  ///< empty: all nodes in rows
  std::uint32_t parameter_2 = 0, group = 0;
};

class Shift : public ::testing::TestWithParam<Algorithm> {
 protected:
  Sends check(FakeNetwork& network, ShiftCase c) {
    SCOPED_TRACE(::testing::Message() << c.steps << (c.ends ? " with ends, " : " cyclic, ")
                                      << c.order.size() << " ranks, " << c.bytes << " bytes");
    if (c.order.empty()) {
      for (std::size_t i = 0; i < network.nodes(); ++i) c.order.push_back(i);
    }
    std::map<std::size_t, std::size_t> rank_of;
    for (std::size_t r = 0; r < c.order.size(); ++r) rank_of[c.order[r]] = r;
    const auto to = receivers(c.order.size(), c.steps, c.ends);
    const auto block = [&](std::size_t of) {
      Bytes bytes;
      append_block(bytes, of, 0, c.bytes);
      return bytes;
    };
    MemoryEffect effect{.source = c.bytes, .target = c.bytes, .before = block};
    effect.after = [&](std::size_t node) {
      if (!rank_of.contains(node)) return Bytes{};
      const auto from = std::ranges::find(to, rank_of.at(node));
      return from == to.end() ? Bytes{}
                              : block(c.order[static_cast<std::size_t>(from - to.begin())]);
    };
    if (c.group != 0) effect.called = [&](std::size_t node) { return rank_of.contains(node); };
    const Records sent = expect_operation(
        network,
        {.operation = Operation::kShift,
         .algorithm = GetParam(),
         .group = c.group,
         .count = c.bytes,
         .tag = 2,
         .parameter = {c.ends ? 1U : 0U, static_cast<std::uint32_t>(c.steps), c.parameter_2}},
        effect);
    Sends sends;
    for (const auto& r : sent) sends.push_back({r.step, rank_of.at(r.from), rank_of.at(r.to)});
    std::ranges::sort(sends);
    EXPECT_EQ(sends, sends_of_page(to, GetParam() == Algorithm::kEvenOdd));
    return sends;
  }
};

INSTANTIATE_TEST_SUITE_P(Algorithms, Shift,
                         ::testing::Values(Algorithm::kSendReceive, Algorithm::kEvenOdd),
                         [](const auto& tested) {
                           return tested.param == Algorithm::kEvenOdd ? "EvenOdd" : "SendReceive";
                         });

TEST_P(Shift, OfFewRanksGoesByAnyNumberOfSteps) {
  for (int p = 1; p <= 14; ++p) {
    FakeNetwork network({p, 1, 1}, static_cast<std::uint32_t>(p), 0);
    for (std::int64_t steps = -2 * p - 1; steps <= 2 * p + 1; ++steps) {
      for (const bool ends : {false, true}) check(network, {.steps = steps, .ends = ends});
      if (HasFailure()) return;
    }
  }
}
TEST_P(Shift, OfManyRanksGoesByAnyNumberOfSteps) {
  for (int p = 15; p <= 130; p += 5) {
    FakeNetwork network({p, 1, 1}, 0);
    for (const std::int64_t steps :
         {std::int64_t{1}, std::int64_t{-1}, std::int64_t{p / 2}, std::int64_t{-p / 3},
          std::int64_t{6}, std::int64_t{p} * 1000 + 4, std::int64_t{0x7FFFFFFF},
          -std::int64_t{0x80000000}}) {
      for (const bool ends : {false, true}) check(network, {.steps = steps, .ends = ends});
      if (HasFailure()) return;
    }
  }
}
TEST_P(Shift, MayHaveAnyLengthAndOrderOfEvents) {
  for (std::uint32_t seed = 0; seed < 20; ++seed) {
    FakeNetwork network({7, 1, 1}, seed, seed % 2 == 0 ? 0 : 64);
    for (const std::uint32_t bytes : {0U, 1U, 12U, 64U, 129U, 1000U}) {
      for (const std::int64_t steps : {1, -2, 7}) {
        for (const bool ends : {false, true})
          check(network, {.steps = steps, .ends = ends, .bytes = bytes});
      }
    }
  }
}
TEST_P(Shift, GoesAlongTheRanksOfAGroupAndOfAnEmbedding) {
  FakeNetwork network({5, 4, 1}, 3);
  const std::vector<std::size_t> members = {7, 2, 11, 0, 5, 10, 3};
  list_group(network, members);
  for (const std::int64_t steps : {1, -3, 7, 12}) {
    for (const bool ends : {false, true}) {
      check(network, {.steps = steps, .ends = ends, .order = members, .group = kListedGroup});
      for (const Embedding embedding : {Embedding::kSnake, Embedding::kQuadrants}) {
        std::vector<std::size_t> order = embedded({5, 4, 1}, embedding);
        order.resize(13);
        check(network, {.steps = steps,
                        .ends = ends,
                        .order = order,
                        .parameter_2 = 13U << 8 | static_cast<std::uint32_t>(embedding)});
      }
    }
  }
}

TEST_P(Shift, RefusesWhatDoesNotFit) {
  TestNode node(Address{2, 1, 0}, {3, 2, 1});  // takes no part in a call of four ranks
  const TestCall good{.operation = Operation::kShift,
                      .algorithm = GetParam(),
                      .source = 0x100,
                      .target = 0x200,
                      .count = 9,
                      .tag = 1,
                      .parameter = {1, 5, 4 << 8}};
  EXPECT_EQ(answer_of(node, good), CallResult::kSuccess);
  const auto expect_bad = [&](const char* why, const std::function<void(TestCall&)>& change) {
    TestCall bad = good;
    change(bad);
    EXPECT_EQ(answer_of(node, bad), CallResult::kBadArgument) << why;
  };
  expect_bad("PARAMETER_0", [](TestCall& c) { c.parameter[0] = 2; });
  expect_bad("embedding", [](TestCall& c) { c.parameter[2] = 3; });
  expect_bad("ranks", [](TestCall& c) { c.parameter[2] = 7 << 8; });
  expect_bad("SOURCE in TARGET", [](TestCall& c) { c.source = 0x208; });
  expect_bad("TARGET", [](TestCall& c) { c.target = FakeBus::kMemoryBytes - 8; });
  expect_bad("no message", [](TestCall& c) { c.count = 0x80000000; });
  EXPECT_TRUE(node.bus.queued.empty());
}

/// The messages of SYNC_IN, or of SYNC_OUT, step by step, by relative rank.
Sends synchronization_of_page(Operation operation, std::size_t p) {
  std::size_t steps = 0;
  while ((std::size_t{1} << steps) < p) ++steps;
  Sends sends;
  for (std::size_t i = 1; i <= steps; ++i) {
    for (std::size_t r = 0; r < p; ++r) {
      const std::size_t half = std::size_t{1} << (steps - i), below = std::size_t{1} << (i - 1);
      if (operation == Operation::kSyncOut && r % (2 * half) == 0 && r + half < p) {
        sends.push_back({i, r, r + half});
      }
      if (operation == Operation::kSyncIn && r % (2 * below) == below) {
        sends.push_back({i, r, r - below});
      }
    }
  }
  std::ranges::sort(sends);
  return sends;
}

class OneSided : public ::testing::TestWithParam<Operation> {
 protected:
  [[nodiscard]] TestCall call(std::uint32_t root) const {
    return {.operation = GetParam(), .algorithm = Algorithm::kBinomial, .root = root, .tag = 2};
  }
};

INSTANTIATE_TEST_SUITE_P(Operations, OneSided,
                         ::testing::Values(Operation::kSyncIn, Operation::kSyncOut),
                         [](const auto& tested) {
                           return tested.param == Operation::kSyncIn ? "SyncIn" : "SyncOut";
                         });

TEST_P(OneSided, SendsAsThePageSays) {
  for (std::uint32_t p = 1; p <= 130; p += p < 34 ? 1 : 16) {
    FakeNetwork network({static_cast<int>(p), 1, 1}, p < 40 ? p : 0);
    for (const std::uint32_t root : {0U, p / 2, p - 1}) {
      const Records sent =
          expect_operation(network, call(root), {.before = [](std::size_t) { return Bytes{}; }});
      Sends sends;
      for (const auto& r : sent) {
        EXPECT_EQ(r.bytes, 0U);
        sends.push_back({r.step, (r.from + p - root) % p, (r.to + p - root) % p});
      }
      std::ranges::sort(sends);
      ASSERT_EQ(sends, synchronization_of_page(GetParam(), p)) << p << " ranks, root " << root;
    }
  }
}

TEST_P(OneSided, EndsWhenItMay) {
  constexpr std::uint32_t kNodes = 11;
  for (std::uint32_t root = 0; root < kNodes; ++root) {
    for (std::uint32_t late = 0; late < kNodes; ++late) {
      FakeNetwork network({static_cast<int>(kNodes), 1, 1}, late + 1);
      std::vector<std::uint32_t> tickets(kNodes);
      for (std::uint32_t node = 0; node < kNodes; ++node) {
        if (node != late) tickets[node] = network.bus(node).call(call(root));
      }
      network.run();
      const auto ended = [&](std::uint32_t node) {
        return network.bus(node).results.contains(tickets[node]);
      };
      if (GetParam() == Operation::kSyncIn && late != root) {
        EXPECT_FALSE(ended(root)) << "node " << late << " is late";
      }
      for (std::uint32_t node = 0; node < kNodes; ++node) {
        if (GetParam() == Operation::kSyncOut && late == root && node != late) {
          EXPECT_FALSE(ended(node)) << "node " << node << " of root " << root;
        }
      }
      tickets[late] = network.bus(late).call(call(root));
      network.run();
      for (std::uint32_t node = 0; node < kNodes; ++node) {
        EXPECT_EQ(network.result(node, tickets[node]), CallResult::kSuccess);
      }
    }
  }
}

TEST_P(OneSided, RefusesRootsThatTakeNoPart) {
  TestNode node(Address{2, 1, 0}, {3, 2, 1});
  TestCall bad = call(6);
  EXPECT_EQ(answer_of(node, bad), CallResult::kBadArgument) << "no node";
  bad = call(4);
  bad.parameter[2] = 4 << 8;
  EXPECT_EQ(answer_of(node, bad), CallResult::kBadArgument) << "no member";
  bad.parameter[2] = 7 << 8;
  EXPECT_EQ(answer_of(node, bad), CallResult::kBadArgument) << "ranks";
  EXPECT_TRUE(node.bus.queued.empty());
}

}  // namespace
}  // namespace annelid::firmware
