// All-reduce, scan and exscan by leaders on fake NICs: the bytes at all nodes, the order in which
// operands are combined, every message with its step, the numbers of steps and messages. The tests
// play docs/internals/algorithms/trade-offs.md for all ranks at once; in the firmware each process
// finds its own messages. Parameter space: operation, number of processes, k, length, operator,
// order of events, listed groups, embedding.
#include <gtest/gtest.h>

#include "testbench/firmware/support/ranked_check.hpp"
#include "testbench/firmware/support/rounded_log.hpp"

namespace annelid::firmware {
namespace {

using reg::Algorithm;
using reg::Operation;

/// A message: step, ranks.
using Sent = std::tuple<std::uint32_t, std::size_t, std::size_t>;
using Operator = std::function<Words(const Words&, const Words&)>;

/// An operator that commutes and is not associative: its result shows the order of combining.
std::uint32_t mixed(std::uint32_t a, std::uint32_t b) {
  const std::uint32_t sum = a + b;
  return (sum ^ sum >> 15) * 2654435761U + (a ^ b);
}
Words mixed_words(const Words& a, const Words& b) {
  Words result(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) result[i] = mixed(a[i], b[i]);
  return result;
}
Operator operator_of(std::uint32_t op) {
  return [op](const Words& a, const Words& b) { return combined(a, b, op); };
}

/// An operation, played for all ranks.
struct Played {
  std::vector<Sent> messages;
  std::vector<Words> results;  // TARGET; none: it stays as it is
  std::uint32_t steps = 0;
};

std::uint32_t log2_rounded_down(std::uint32_t n) { return log2_rounded_up(n + 1) - 1; }
bool is_power_of_two(std::uint32_t n) { return (n & (n - 1)) == 0; }
std::uint32_t leaders_of(std::uint32_t p, std::uint32_t k) { return (p + (1U << k) - 1) >> k; }

/// The leaders' exchange, for x in place.
void play_exchange(std::vector<Words>& x, std::uint32_t k, const Operator& op, Played& played) {
  const auto g = static_cast<std::uint32_t>(x.size());
  const std::uint32_t steps = log2_rounded_up(g);
  const auto note = [&](std::uint32_t from, std::uint32_t to) {
    played.messages.emplace_back(played.steps, std::size_t{from} << k, std::size_t{to} << k);
  };
  if (is_power_of_two(g)) {
    for (std::uint32_t i = 1; i <= steps; ++i) {
      ++played.steps;
      const std::vector<Words> before = x;
      for (std::uint32_t j = 0; j < g; ++j) {
        const std::uint32_t other = j ^ 1U << (i - 1);
        note(j, other);
        x[j] = op(before[std::min(j, other)], before[std::max(j, other)]);
      }
    }
    return;
  }
  std::vector<Words> window(g);
  std::uint32_t w = 0;
  for (std::uint32_t i = 1; i <= steps; ++i) {
    ++played.steps;
    const bool own = ((g - 1) >> (steps - i) & 1) != 0;
    const std::uint32_t u = w + (own ? 1 : 0);
    std::vector<Words> message(g);
    for (std::uint32_t j = 0; j < g; ++j) {
      note(j, (j + g - u) % g);
      message[(j + g - u) % g] = !own ? window[j] : w == 0 ? x[j] : op(x[j], window[j]);
    }
    for (std::uint32_t j = 0; j < g; ++j)
      window[j] = w == 0 ? message[j] : op(window[j], message[j]);
    w += u;
  }
  EXPECT_EQ(w, g - 1);
  for (std::uint32_t j = 0; j < g; ++j) x[j] = op(x[j], window[j]);
}

Played play_all_reduce(std::uint32_t p, std::uint32_t k, std::vector<Words> partial,
                       const Operator& op) {
  Played played;
  k = std::min(k, log2_rounded_up(p));
  for (std::uint32_t i = 1; i <= k; ++i) {
    ++played.steps;
    for (std::uint32_t r = 0; r < p; ++r) {
      if (r % (1U << i) != 1U << (i - 1)) continue;
      const std::uint32_t to = r - (1U << (i - 1));
      played.messages.emplace_back(played.steps, r, to);
      partial[to] = op(partial[to], partial[r]);
    }
  }
  std::vector<Words> x;
  for (std::uint32_t r = 0; r < p; r += 1U << k) x.push_back(partial[r]);
  play_exchange(x, k, op, played);
  for (std::uint32_t i = k; i >= 1; --i) {
    ++played.steps;
    for (std::uint32_t r = 0; r < p; r += 1U << i) {
      const std::uint32_t to = r + (1U << (i - 1));
      if (to < p) played.messages.emplace_back(played.steps, r, to);
    }
  }
  for (std::uint32_t r = 0; r < p; ++r) played.results.push_back(x[r >> k]);
  return played;
}

Played play_scan(std::uint32_t p, std::uint32_t k, std::vector<Words> partial, const Operator& op,
                 bool exclusive) {
  Played played;
  std::vector<Words> arrived(p);
  k = std::min(k, log2_rounded_down(p));
  const auto step = [&](const std::vector<std::pair<std::uint32_t, std::uint32_t>>& messages) {
    ++played.steps;
    const std::vector<Words> before = partial;
    for (const auto& [from, to] : messages) {
      played.messages.emplace_back(played.steps, from, to);
      partial[to] = op(before[from], partial[to]);
      arrived[to] = arrived[to].empty() ? before[from] : op(before[from], arrived[to]);
    }
  };
  std::vector<std::pair<std::uint32_t, std::uint32_t>> messages;
  const auto add = [&](std::uint32_t from, std::uint32_t by) {
    if (from + by < p) messages.emplace_back(from, from + by);
  };
  for (std::uint32_t i = 1; i <= k; ++i, messages.clear()) {
    for (std::uint32_t r = 0; r < p; ++r)
      if ((r + 1) % (1U << i) == 1U << (i - 1)) add(r, 1U << (i - 1));
    step(messages);
  }
  for (std::uint32_t d = 1; d < p >> k; d *= 2, messages.clear()) {
    for (std::uint32_t r = (1U << k) - 1; r < p; r += 1U << k) add(r, d << k);
    step(messages);
  }
  for (std::uint32_t i = k; i >= 1; --i, messages.clear()) {
    if (3U << (i - 1) > p) continue;
    for (std::uint32_t r = 0; r < p; ++r)
      if ((r + 1) % (1U << i) == 0) add(r, 1U << (i - 1));
    step(messages);
  }
  played.results = exclusive ? arrived : partial;
  return played;
}

struct LeadersCall {
  Operation operation{};
  std::uint32_t k = 0, count = 2;
  std::uint32_t op = kSum;  // of the call
  std::vector<std::size_t> order = {};
  std::uint32_t parameter_2 = 0, group = 0;
};

/// Plays the call with `op`; then every byte and every message is right.
void expect_leaders(FakeNetwork& network, const LeadersCall& c, const Operator& op) {
  const auto p = static_cast<std::uint32_t>(c.order.size());
  SCOPED_TRACE(::testing::Message()
               << "operation " << static_cast<int>(c.operation) << ", p " << p << ", k " << c.k
               << ", count " << c.count << ", operator " << c.op);
  std::map<std::size_t, std::size_t> rank_of;
  std::vector<Words> blocks;
  for (std::size_t r = 0; r < p; ++r) {
    rank_of[c.order[r]] = r;
    blocks.push_back(own_words(r, c.count));
  }
  const Played played = c.operation == Operation::kAllReduce
                            ? play_all_reduce(p, c.k, blocks, op)
                            : play_scan(p, c.k, blocks, op, c.operation == Operation::kExscan);
  const std::uint32_t bytes = 4 * c.count;
  const auto of_rank = [&](const std::vector<Words>& words, std::size_t node) {
    return rank_of.contains(node) ? bytes_of(words[rank_of.at(node)]) : Bytes{};
  };
  MemoryEffect effect{.source = bytes,
                      .target = bytes,
                      .scratch = 8 * ((bytes + 7) / 8 * 8),
                      .before = [&](std::size_t node) { return of_rank(blocks, node); },
                      .after = [&](std::size_t node) { return of_rank(played.results, node); }};
  if (c.group != 0) effect.called = [&](std::size_t node) { return rank_of.contains(node); };
  const Records records = expect_operation(network,
                                           {.operation = c.operation,
                                            .algorithm = Algorithm::kLeaders,
                                            .group = c.group,
                                            .count = c.count,
                                            .type = reg::Type::kUint32,
                                            .op = c.op,
                                            .tag = 5,
                                            .parameter = {0, c.k, c.parameter_2}},
                                           effect);
  if (::testing::Test::HasFailure()) return;
  std::vector<Sent> sent, expected = played.messages;
  for (const FakeNetwork::Record& r : records) {
    sent.emplace_back(r.step, rank_of.at(r.from), rank_of.at(r.to));
    EXPECT_EQ(r.bytes, bytes);
  }
  std::sort(sent.begin(), sent.end());
  std::sort(expected.begin(), expected.end());
  ASSERT_EQ(sent, expected);
  EXPECT_EQ(p == 1 ? 0 : expect_single_ported(records), played.steps);
}

std::vector<std::size_t> all_in_line(std::uint32_t p) {
  return embedded({static_cast<int>(p), 1, 1}, Embedding::kRows);
}

class Leaders : public ::testing::TestWithParam<Operation> {
 protected:
  static bool keeps_order(std::uint32_t p, std::uint32_t k) {
    return GetParam() != Operation::kAllReduce ||
           is_power_of_two(leaders_of(p, std::min(k, log2_rounded_up(p))));
  }
  static void check_mixed(FakeNetwork& network, LeadersCall c) {
    c.operation = GetParam();
    if (c.order.empty()) c.order = all_in_line(static_cast<std::uint32_t>(network.nodes()));
    network.sum = mixed;
    expect_leaders(network, c, mixed_words);
    network.sum = std::plus<>{};
  }
  static void check(FakeNetwork& network, LeadersCall c) {
    check_mixed(network, c);
    if (HasFailure()) return;
    c.operation = GetParam();
    if (c.order.empty()) c.order = all_in_line(static_cast<std::uint32_t>(network.nodes()));
    expect_leaders(network, c, operator_of(kSum));
    if (c.count % 2 != 0 || !keeps_order(static_cast<std::uint32_t>(c.order.size()), c.k)) return;
    c.op = kAffineCode;
    expect_leaders(network, c, operator_of(kAffineCode));
  }
};
INSTANTIATE_TEST_SUITE_P(Operations, Leaders,
                         ::testing::Values(Operation::kAllReduce, Operation::kScan,
                                           Operation::kExscan),
                         [](const auto& test) {
                           return test.param == Operation::kAllReduce ? "AllReduce"
                                  : test.param == Operation::kScan    ? "Scan"
                                                                      : "Exscan";
                         });

TEST_P(Leaders, OfFewRanksCombineInTheOrderOfThePage) {
  for (std::uint32_t p = 1; p <= 26; ++p) {
    FakeNetwork network({static_cast<int>(p), 1, 1}, p % 3);
    for (std::uint32_t k = 0; k <= log2_rounded_up(p) + 1; ++k) check(network, {.k = k});
    if (HasFailure()) return;
  }
}
TEST_P(Leaders, OfManyRanksCombineInTheOrderOfThePage) {
  for (std::uint32_t p = 27; p <= 131; ++p) {
    FakeNetwork network({static_cast<int>(p), 1, 1}, p < 40 ? 1 : 0);
    check_mixed(network, {.k = p % 7});
    if (HasFailure()) return;
  }
}
TEST_P(Leaders, OfEveryKCombineInTheOrderOfThePage) {
  for (const std::uint32_t p : {64U, 87U, 130U}) {
    FakeNetwork network({static_cast<int>(p), 1, 1});
    for (std::uint32_t k = 0; k <= log2_rounded_up(p); ++k) check_mixed(network, {.k = k});
  }
}
TEST_P(Leaders, CombineBlocksOfAnyLength) {
  for (const std::uint32_t p : {2U, 7U, 12U}) {
    FakeNetwork network({static_cast<int>(p), 1, 1}, 3);
    for (const std::uint32_t count : {0U, 1U, 3U, 34U, 3000U}) {
      for (std::uint32_t k = 0; k <= 2; ++k) check(network, {.k = k, .count = count});
      if (HasFailure()) return;
    }
  }
}
TEST_P(Leaders, TakeANumberAboveTheMostForTheMost) {
  FakeNetwork network({11, 1, 1}, 1);
  for (const std::uint32_t k : {5U, 31U, 32U, 0xFFFFFFFFU}) check(network, {.k = k});
}
TEST_P(Leaders, RunInListedGroups) {
  FakeNetwork network({4, 3, 1}, 3);
  const std::vector<std::size_t> members = {7, 2, 11, 0, 5, 10, 3};
  list_group(network, members);
  for (std::uint32_t k = 0; k <= 3; ++k)
    check(network, {.k = k, .order = members, .group = kListedGroup});
}
TEST_P(Leaders, RunOnSomeRanksOfAnEmbedding) {
  FakeNetwork network({5, 4, 1}, 1);
  for (const Embedding embedding : {Embedding::kSnake, Embedding::kQuadrants}) {
    std::vector<std::size_t> order = embedded({5, 4, 1}, embedding);
    order.resize(13);
    for (std::uint32_t k = 0; k <= 2; ++k) {
      check(network, {.k = k,
                      .order = order,
                      .parameter_2 = 13U << 8 | static_cast<std::uint32_t>(embedding)});
    }
  }
}
TEST_P(Leaders, TakeOperandsThatDoNotCommuteWhereTheOrderIsKept) {
  for (const int p : {1, 4, 12, 13}) {
    TestNode node(Address{0, 0, 0}, {p, 2, 1});  // twice as many nodes
    const auto ranks = static_cast<std::uint32_t>(p);
    for (std::uint32_t k = 0; k <= 5; ++k) {
      const auto answer = answer_of(node, {.operation = GetParam(),
                                           .algorithm = Algorithm::kLeaders,
                                           .source = 0x100,
                                           .target = 0x200,
                                           .count = 2,
                                           .type = reg::Type::kUint32,
                                           .op = kAffineCode,
                                           .scratch = 0x300,
                                           .parameter = {0, k, ranks << 8 | 3 * (k == 5)}});
      if (k == 5) {
        EXPECT_EQ(answer, reg::CallResult::kBadArgument) << "an embedding that is none";
      } else if (!keeps_order(ranks, k)) {
        EXPECT_EQ(answer, reg::CallResult::kBadArgument) << "p " << p << ", k " << k;
      } else {
        EXPECT_NE(answer, reg::CallResult::kBadArgument) << "p " << p << ", k " << k;
      }
    }
  }
}

/// Steps and messages of a call.
struct Counted {
  std::uint32_t steps = 0;
  std::size_t messages = 0;
};
Counted count_messages(Operation operation, std::uint32_t p, std::uint32_t k) {
  FakeNetwork network({static_cast<int>(p), 1, 1});
  const Records records = expect_ranked(network, {.operation = operation,
                                                  .algorithm = Algorithm::kLeaders,
                                                  .order = all_in_line(p),
                                                  .count = 2,
                                                  .parameter_1 = k,
                                                  .tag = 1});
  return {expect_single_ported(records), records.size()};
}

TEST(LeadersAllReduce, TakesOneStepMoreForEachK) {
  for (const std::uint32_t p : {1U, 2U, 3U, 8U, 23U, 64U, 65U, 100U}) {
    const std::uint32_t rounds = log2_rounded_up(p);
    for (std::uint32_t k = 0; k <= rounds; ++k) {
      EXPECT_EQ(count_messages(Operation::kAllReduce, p, k).steps, rounds + k) << "p " << p;
    }
  }
}
TEST(LeadersAllReduce, SendsAsManyBytesAsThePaperSays) {
  for (std::uint32_t d = 0; d <= 5; ++d) {
    for (std::uint32_t k = 0; k + d <= 6; ++k) {
      const std::uint32_t g = 1U << d;
      EXPECT_EQ(count_messages(Operation::kAllReduce, g << k, k).messages, g * (d + (2U << k) - 2))
          << "2^" << d << " leaders, k " << k;
    }
  }
}
TEST(LeadersScan, HasMessagesBetweenThoseOfDoublingAndThoseOfATree) {
  for (const std::uint32_t p : {2U, 3U, 8U, 23U, 64U, 100U}) {
    std::size_t doubling = 0, before = 0;
    for (std::uint32_t d = 1; d < p; d *= 2) doubling += p - d;
    for (std::uint32_t k = 0; k <= log2_rounded_down(p); ++k) {
      const std::size_t messages = count_messages(Operation::kScan, p, k).messages;
      EXPECT_EQ(count_messages(Operation::kExscan, p, k).messages, messages);
      if (k == 0) {
        EXPECT_EQ(messages, doubling) << "p " << p;
      } else {
        EXPECT_LE(messages, before) << "p " << p << ", k " << k;
      }
      before = messages;
    }
    EXPECT_LE(before, 2 * (p - 1)) << "p " << p;
  }
}

}  // namespace
}  // namespace annelid::firmware
