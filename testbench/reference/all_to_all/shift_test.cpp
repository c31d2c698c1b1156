// Shift, sync-in and sync-out of shift.md. State space: 1 .. 40 ranks, shifts by -90 .. 90 and by
// the longest ones, cyclic and with ends; listed groups; the page's examples; every root.
#include "reference/all_to_all/shift.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>
#include <set>
#include <vector>

#include "reference/groups/one_sided.hpp"
#include "reference/operations.hpp"

namespace annelid::reference {
namespace {

using Pairs = std::vector<std::set<std::pair<int, int>>>;

constexpr std::array<std::uint32_t, 2> kEnds = {0, 1};

Request request(int ranks, std::int64_t steps, std::uint32_t ends) {
  Request r{{ranks, 1}, {}, 12};
  r.parameter = static_cast<std::uint32_t>(static_cast<std::int32_t>(steps));
  r.parameter_0 = ends;
  return r;
}

/// Sender and receiver of the messages of each step; on a line, x is the rank.
Pairs pairs(const Schedule& schedule) {
  Pairs steps;
  for (const Step& step : schedule.steps) {
    std::set<std::pair<int, int>>& in = steps.emplace_back();
    for (const Message& m : step) in.insert({m.from.x, m.to.x});
    EXPECT_EQ(in.size(), step.size());
  }
  return steps;
}

/// The pairs of ranks that a message must join, from the table of shift.md.
std::set<std::pair<int, int>> required(int ranks, std::int64_t steps, bool with_ends) {
  std::set<std::pair<int, int>> messages;
  for (std::int64_t rank = 0; rank < ranks; ++rank) {
    std::int64_t to = rank + steps;
    if (with_ends) {
      if (to < 0 || to >= ranks) continue;
    } else {
      while (to < 0) to += ranks;
      while (to >= ranks) to -= ranks;
    }
    if (to != rank) messages.insert({static_cast<int>(rank), static_cast<int>(to)});
  }
  return messages;
}

template <typename Visit>
void each_shift(Visit visit) {
  for (int p = 1; p <= 40; ++p) {
    for (int s = -90; s <= 90; ++s) {
      for (const std::uint32_t ends : kEnds) {
        SCOPED_TRACE(testing::Message() << "p " << p << ", s " << s << ", PARAMETER_0 " << ends);
        visit(p, s, ends);
        if (testing::Test::HasFatalFailure()) return;
      }
    }
  }
}

TEST(Shift, BySendReceiveSendsEveryBlockInOneStep) {
  each_shift([](int p, int s, std::uint32_t ends) {
    const Pairs steps = pairs(shift_by_send_receive(request(p, s, ends)));
    const auto messages = required(p, s, ends == 1);
    ASSERT_EQ(steps.size(), messages.empty() ? 0u : 1u);
    if (!messages.empty()) {
      ASSERT_EQ(steps[0], messages);
    }
  });
}

TEST(Shift, ByEvenAndOddSendsTheSameAndNoRankSendsAndReceivesInAStep) {
  each_shift([](int p, int s, std::uint32_t ends) {
    std::set<std::pair<int, int>> all;
    for (const auto& step : pairs(shift_by_even_odd(request(p, s, ends)))) {
      ASSERT_FALSE(step.empty());
      std::set<int> busy;
      for (const auto& [from, to] : step) {
        ASSERT_TRUE(busy.insert(from).second);
        ASSERT_TRUE(busy.insert(to).second);
        ASSERT_TRUE(all.insert({from, to}).second);
      }
    }
    ASSERT_EQ(all, required(p, s, ends == 1));
  });
}

TEST(Shift, ByEvenAndOddTakesTheStepsOfItsPage) {
  each_shift([](int p, int s, std::uint32_t ends) {
    const std::size_t steps = shift_by_even_odd(request(p, s, ends)).steps.size();
    const int length = p / std::gcd(p, s);  // of a cycle
    if (ends == 0) {
      ASSERT_EQ(steps, s % p == 0 ? 0u : length % 2 == 0 ? 2u : 3u);
    } else {
      const int far = std::abs(s);
      ASSERT_EQ(steps, far >= p || s == 0 ? 0u : 2 * far >= p ? 1u : 2u);
    }
  });
}

TEST(Shift, ByEvenAndOddIsTheExamplesOfItsPage) {
  struct Example {
    int p, s;
    std::uint32_t ends;
    Pairs steps;
  };
  const std::vector<Example> examples = {
      {4, 1, 0, {{{0, 1}, {2, 3}}, {{1, 2}, {3, 0}}}},
      {5, 1, 0, {{{0, 1}, {2, 3}}, {{1, 2}, {3, 4}}, {{4, 0}}}},
      {5, -1, 0, {{{0, 4}, {3, 2}}, {{4, 3}, {2, 1}}, {{1, 0}}}},
      {6, 2, 0, {{{0, 2}, {1, 3}}, {{2, 4}, {3, 5}}, {{4, 0}, {5, 1}}}},
      {6, 3, 0, {{{0, 3}, {1, 4}, {2, 5}}, {{3, 0}, {4, 1}, {5, 2}}}},
      {8, -11, 0, {{{0, 5}, {2, 7}, {4, 1}, {6, 3}}, {{5, 2}, {7, 4}, {1, 6}, {3, 0}}}},
      {5, 1, 1, {{{0, 1}, {2, 3}}, {{1, 2}, {3, 4}}}},
      {7, 3, 1, {{{0, 3}, {1, 4}, {2, 5}}, {{3, 6}}}},
      {5, -2, 1, {{{4, 2}, {3, 1}}, {{2, 0}}}},
      {5, 4, 1, {{{0, 4}}}},
  };
  for (const Example& e : examples) {
    EXPECT_EQ(pairs(shift_by_even_odd(request(e.p, e.s, e.ends))), e.steps)
        << "p " << e.p << ", s " << e.s << ", PARAMETER_0 " << e.ends;
  }
}

TEST(Shift, BringsTheBlockOfTheRankSoManyStepsBefore) {
  each_shift([](int p, int s, std::uint32_t ends) {
    Inputs in{Operation::kShift, {p, 1}, {}, 2, {}};
    const Request r = request(p, s, ends);
    in.parameter = r.parameter;
    in.parameter_0 = r.parameter_0;
    for (int rank = 0; rank < p; ++rank) {
      ASSERT_EQ(source_bytes(in, {rank}), 2u);
      in.source.push_back({static_cast<std::byte>(rank), std::byte{7}});
    }
    for (int rank = 0; rank < p; ++rank) {
      const int from = rank - s;
      const bool comes = ends == 0 || (from >= 0 && from < p);
      ASSERT_EQ(target_bytes(in, {rank}), comes ? 2u : 0u);
      const Bytes target = target_after(in, {}, {rank});
      ASSERT_EQ(target.size(), comes ? 2u : 0u);
      if (comes) {
        ASSERT_EQ(static_cast<int>(target[0]), (from + 100 * p) % p);
      }
    }
  });
}

TEST(Shift, GoesAsFarAs32BitsSay) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
  for (const std::int64_t s : {kMost, -kMost, -kMost - 1}) {
    for (const int p : {1, 2, 3, 7, 40}) {
      const std::int64_t rest = (s % p + p) % p;
      EXPECT_EQ(pairs(shift_by_even_odd(request(p, s, 0))),
                pairs(shift_by_even_odd(request(p, rest, 0))));
      EXPECT_TRUE(shift_by_send_receive(request(p, s, 1)).steps.empty());
      Inputs in{Operation::kShift, {p, 1}, {}, 0, std::vector<Bytes>(static_cast<std::size_t>(p))};
      in.bytes = 1;
      in.parameter = static_cast<std::uint32_t>(static_cast<std::int32_t>(s));
      EXPECT_EQ(target_bytes(in, {0}), 1u);
      in.parameter_0 = 1;
      EXPECT_EQ(target_bytes(in, {0}), 0u);
    }
  }
}

TEST(Shift, OfAListedGroupGoesByItsRanks) {
  Request r = request(4, 1, 1);
  r.network = {3, 3};
  r.ranks.listed = std::make_shared<NodeList>(std::vector<Node>{{2, 2}, {0, 1}, {1, 0}});
  for (const auto shift : {shift_by_send_receive, shift_by_even_odd}) {
    std::set<std::pair<Node, Node>> messages;
    for (const Step& step : shift(r).steps) {
      for (const Message& m : step) messages.insert({m.from, m.to});
    }
    const std::set<std::pair<Node, Node>> expected = {{{2, 2}, {0, 1}}, {{0, 1}, {1, 0}}};
    EXPECT_EQ(messages, expected);
  }
}

TEST(Shift, RefusesAnotherPARAMETER0) {
  EXPECT_THROW((void)shift_by_send_receive(request(4, 1, 2)), std::invalid_argument);
  EXPECT_THROW((void)shift_by_even_odd(request(4, 1, 2)), std::invalid_argument);
}

/// Who knows of whom, if a message tells all that its sender knew before the step.
std::vector<std::set<int>> known(int ranks, const Schedule& schedule) {
  std::vector<std::set<int>> knows(static_cast<std::size_t>(ranks));
  for (int r = 0; r < ranks; ++r) knows[static_cast<std::size_t>(r)] = {r};
  for (const Step& step : schedule.steps) {
    const auto before = knows;
    for (const Message& m : step) {
      const std::set<int>& told = before[static_cast<std::size_t>(m.from.x)];
      knows[static_cast<std::size_t>(m.to.x)].insert(told.begin(), told.end());
    }
  }
  return knows;
}

TEST(Synchronization, TellsTheRootOfAllAndAllOfTheRootInTheFewestSteps) {
  for (int p = 1; p <= 40; ++p) {
    for (int root = 0; root < p; ++root) {
      const Request r{{p, 1}, {root}, 64};
      const Schedule in = sync_in(r), out = sync_out(r);
      std::size_t steps = 0;
      while (1 << steps < p) ++steps;
      ASSERT_EQ(in.steps.size(), steps);
      ASSERT_EQ(out.steps.size(), steps);
      ASSERT_EQ(in.messages(), static_cast<std::uint64_t>(p - 1));
      ASSERT_EQ(out.messages(), static_cast<std::uint64_t>(p - 1));
      ASSERT_EQ(known(p, in)[static_cast<std::size_t>(root)].size(), static_cast<std::size_t>(p));
      for (const std::set<int>& knows : known(p, out)) ASSERT_TRUE(knows.contains(root));
      for (const Step& step : in.steps) {
        for (const Message& m : step) ASSERT_EQ(m.bytes, 0u);
      }
    }
  }
}

TEST(Synchronization, IsTheExamplesOfItsPage) {
  EXPECT_EQ(pairs(sync_in({{5, 1}, {0}})), (Pairs{{{1, 0}, {3, 2}}, {{2, 0}}, {{4, 0}}}));
  EXPECT_EQ(pairs(sync_out({{5, 1}, {0}})), (Pairs{{{0, 4}}, {{0, 2}}, {{0, 1}, {2, 3}}}));
  EXPECT_EQ(pairs(sync_out({{5, 1}, {3}})), (Pairs{{{3, 2}}, {{3, 0}}, {{3, 4}, {0, 1}}}));
}

TEST(Synchronization, ReadsAndWritesNothing) {
  for (const Operation operation : {Operation::kSyncIn, Operation::kSyncOut}) {
    const Inputs in{operation, {3, 1}, {1}, 64, std::vector<Bytes>(3)};
    EXPECT_EQ(source_bytes(in, {1}), 0u);
    EXPECT_EQ(target_bytes(in, {1}), 0u);
    EXPECT_TRUE(target_after(in, {}, {1}).empty());
  }
}

}  // namespace
}  // namespace annelid::reference
