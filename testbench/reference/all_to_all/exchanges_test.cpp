// All-gather, barrier and all-to-all as schedules. State space: networks of 1 to 64 nodes;
// barrier and dissemination to 65,536.
#include "reference/all_to_all/all_to_all.hpp"
#include "reference/catalogue.hpp"
#include "reference/groups/dissemination_barrier.hpp"
#include "reference/rings/all_gather.hpp"
#include "reference/schedule/index.hpp"
#include "testbench/reference/schedule_checks.hpp"

namespace annelid::reference {
namespace {

std::vector<int> ranks_from(int first, int count, int n) {
  std::vector<int> ranks;
  for (int i = 0; i < count; ++i) ranks.push_back((first + i) % n);
  return ranks;
}

TEST(RingAllGather, PassingOnWhatCameLastGathersAllBlocksWithoutContention) {
  for (const Network& net : kSmallNetworks) {
    const int n = net.nodes();
    const Schedule schedule = ring_all_gather(net, 24);
    ASSERT_EQ(static_cast<int>(schedule.steps.size()), n - 1);
    std::vector<int> newest = ranks_from(0, n, n);
    std::vector<std::set<int>> has;
    for (int r = 0; r < n; ++r) has.push_back({r});
    for (const Step& step : schedule.steps) {
      std::vector<int> next(static_cast<std::size_t>(n), -1);
      ASSERT_EQ(static_cast<int>(step.size()), n);
      for (const Message& m : step) {
        ASSERT_EQ(m.bytes, 24u);
        const auto from = static_cast<std::size_t>(index_of(net, m.from));
        const auto to = static_cast<std::size_t>(index_of(net, m.to));
        next[to] = newest[from];
        has[to].insert(newest[from]);
      }
      newest = next;
    }
    for (const auto& blocks : has) ASSERT_EQ(static_cast<int>(blocks.size()), n);
    ASSERT_EQ(conflicts(net, schedule), 0u) << to_string(net);
  }
}

TEST(DisseminationAllGather, SendingTheFirstBlocksGathersAllInOrder) {
  for (const Network& net : kSmallNetworks) {
    const int n = net.nodes();
    const Schedule schedule = dissemination_all_gather(net, 8);
    ASSERT_EQ(static_cast<int>(schedule.steps.size()), ceil_log(2, n));
    std::vector<std::vector<int>> has;
    for (int r = 0; r < n; ++r) has.push_back({r});
    for (const Step& step : schedule.steps) {
      const auto before = has;
      for (const Message& m : step) {
        const auto& from = before[static_cast<std::size_t>(index_of(net, m.from))];
        auto& to = has[static_cast<std::size_t>(index_of(net, m.to))];
        ASSERT_LE(m.bytes / 8, from.size());
        to.insert(to.end(), from.begin(), from.begin() + static_cast<std::ptrdiff_t>(m.bytes / 8));
      }
    }
    for (int r = 0; r < n; ++r) {
      ASSERT_EQ(has[static_cast<std::size_t>(r)], ranks_from(r, n, n)) << to_string(net);
    }
  }
}

/// CCL 1995, Section 4.3 and Figure 2: the concatenation by 5 processors. "In step j each process i
/// sends all its current cumulated 2^j data blocks to process (i - 2^j) mod n"; in the last step
/// n - 2^(k-1), here one.
TEST(DisseminationAllGather, OfFiveProcessorsGoesStepByStepAsInFigure2) {
  constexpr int kProcessors = 5;
  const Network line{kProcessors, 1};
  const Schedule schedule = dissemination_all_gather(line, 8);
  struct FigureStep {
    int distance, blocks;
    std::vector<int> held_by_0;  ///< afterwards; those of i are i further
  };
  const std::vector<FigureStep> figure = {
      {1, 1, {0, 1}}, {2, 2, {0, 1, 2, 3}}, {4, 1, {0, 1, 2, 3, 4}}};
  ASSERT_EQ(schedule.steps.size(), figure.size());
  std::vector<std::vector<int>> has;
  for (int r = 0; r < kProcessors; ++r) has.push_back({r});
  for (std::size_t j = 0; j < figure.size(); ++j) {
    const auto before = has;
    ASSERT_EQ(schedule.steps[j].size(), std::size_t{kProcessors});
    for (const Message& m : schedule.steps[j]) {
      const int from = index_of(line, m.from), to = index_of(line, m.to);
      EXPECT_EQ(to, (from + kProcessors - figure[j].distance) % kProcessors) << "step " << j;
      EXPECT_EQ(m.bytes, 8U * static_cast<unsigned>(figure[j].blocks)) << "step " << j;
      const auto& sent = before[static_cast<std::size_t>(from)];
      auto& held = has[static_cast<std::size_t>(to)];
      held.insert(held.end(), sent.begin(), sent.begin() + figure[j].blocks);
    }
    for (int r = 0; r < kProcessors; ++r) {
      std::vector<int> expected = figure[j].held_by_0;
      for (int& block : expected) block = (block + r) % kProcessors;
      EXPECT_EQ(has[static_cast<std::size_t>(r)], expected) << "step " << j << ", process " << r;
    }
  }
}

/// Figure 1: "a circulant graph with 16 nodes and offsets 1 and 4", each node being connected to
/// (i +- s) mod n.
TEST(DisseminationAllGather, StepsOfOffsets1And4AreTheGraphOfFigure1) {
  constexpr int kNodes = 16;
  const Network line{kNodes, 1};
  std::set<std::pair<int, int>> figure, edges;
  for (int i = 0; i < kNodes; ++i) {
    for (const int offset : {1, 4}) {
      const int to = (i + offset) % kNodes;
      figure.emplace(std::min(i, to), std::max(i, to));
    }
  }
  const Schedule schedule = dissemination_all_gather(line, 8);
  ASSERT_EQ(schedule.steps.size(), 4U);
  for (const std::size_t step : {0U, 2U}) {
    for (const Message& m : schedule.steps[step]) {
      const int from = index_of(line, m.from), to = index_of(line, m.to);
      edges.emplace(std::min(from, to), std::max(from, to));
    }
  }
  EXPECT_EQ(edges, figure);
  EXPECT_EQ(edges.size(), 32U);
}

TEST(DisseminationAllGather, Takes16StepsFor65536Nodes) {
  EXPECT_EQ(dissemination_all_gather({256, 256}, 1).steps.size(), 16u);
}

TEST(DisseminationBarrier, NobodyLeavesBeforeAllHaveEntered) {
  for (const Network& net : kSmallNetworks) {
    const int n = net.nodes();
    const Schedule schedule = dissemination_barrier(net);
    ASSERT_EQ(static_cast<int>(schedule.steps.size()), ceil_log(2, n));
    std::vector<std::set<int>> knows;  // of whose entry
    for (int r = 0; r < n; ++r) knows.push_back({r});
    for (const Step& step : schedule.steps) {
      const auto before = knows;
      for (const Message& m : step) {
        ASSERT_EQ(m.bytes, 0u);
        const auto& from = before[static_cast<std::size_t>(index_of(net, m.from))];
        knows[static_cast<std::size_t>(index_of(net, m.to))].insert(from.begin(), from.end());
      }
    }
    for (const auto& all : knows) ASSERT_EQ(static_cast<int>(all.size()), n) << to_string(net);
  }
  EXPECT_EQ(dissemination_barrier({256, 256}).steps.size(), 16u);
}

/// Each ordered pair of different nodes once.
void expect_all_pairs(const Network& net, const Schedule& schedule) {
  std::set<std::pair<Node, Node>> pairs;
  for (const Step& step : schedule.steps) {
    for (const Message& m : step) {
      ASSERT_NE(m.from, m.to);
      ASSERT_TRUE(pairs.insert({m.from, m.to}).second);
      ASSERT_EQ(m.bytes, 5u);
    }
  }
  const auto n = static_cast<std::size_t>(net.nodes());
  ASSERT_EQ(pairs.size(), n * (n - 1));
}

TEST(AllToAll, DirectSendsEveryPairOnceInNMinusOneSteps) {
  for (const Network& net : kSmallNetworks) {
    const Schedule schedule = direct_all_to_all(net, 5);
    EXPECT_EQ(static_cast<int>(schedule.steps.size()), net.nodes() - 1);
    expect_all_pairs(net, schedule);
    EXPECT_LE(most_sends(net, schedule), 1);
  }
}

TEST(AllToAll, TokenSendsOneMessageAStepAndTheLastStartsTheNext) {
  for (const Network& net : kSmallNetworks) {
    const int n = net.nodes();
    const Schedule schedule = token_all_to_all(net, 5);
    ASSERT_EQ(static_cast<int>(schedule.steps.size()), n * (n - 1));
    expect_all_pairs(net, schedule);
    for (std::size_t i = 1; i < schedule.steps.size(); ++i) {
      ASSERT_EQ(schedule.steps[i].size(), 1u);
      const Message last = schedule.steps[i - 1][0], next = schedule.steps[i][0];
      if (next.from != last.from) {
        ASSERT_EQ(next.from, last.to);
      }
    }
  }
}

TEST(AllToAll, TokenHasTheOrderOfTheTextsExample) {
  // "node 0 sends to P-1, P-2, ..., 1. Next, node 1 sends to 0, P-1, ..., 2."
  const Schedule s = token_all_to_all({4, 1}, 1);
  std::vector<std::pair<int, int>> order;
  for (std::size_t i = 0; i < 6; ++i) order.emplace_back(s.steps[i][0].from.x, s.steps[i][0].to.x);
  EXPECT_EQ(order,
            (std::vector<std::pair<int, int>>{{0, 3}, {0, 2}, {0, 1}, {1, 0}, {1, 3}, {1, 2}}));
}

/// What rank `rank` of n has at each distance after all steps: the blocks as (from, to).
std::vector<std::pair<int, int>> blocks_after(const std::vector<IndexStep>& steps, int n,
                                              int rank) {
  std::vector<std::vector<std::pair<int, int>>> held(static_cast<std::size_t>(n));
  for (int s = 0; s < n; ++s) {
    for (int d = 0; d < n; ++d) held[static_cast<std::size_t>(s)].emplace_back(s, (s + d) % n);
  }
  for (const IndexStep& step : steps) {
    const auto before = held;
    for (int s = 0; s < n; ++s) {
      auto& receiver = held[static_cast<std::size_t>((s + step.shift) % n)];
      for (const int d : step.distances) {
        receiver[static_cast<std::size_t>(d)] =
            before[static_cast<std::size_t>(s)][static_cast<std::size_t>(d)];
      }
    }
  }
  return held[static_cast<std::size_t>(rank)];
}

TEST(AllToAll, ByEveryRadixEndsWithEveryBlockAtItsRank) {
  for (int n = 1; n <= 40; ++n) {
    for (int radix = 2; radix <= n + 1; ++radix) {
      const auto steps = index_steps(n, radices_of(static_cast<std::uint32_t>(radix), 0));
      for (const int rank : {0, n / 3, n - 1}) {
        const auto blocks = blocks_after(steps, n, rank);
        for (int d = 0; d < n; ++d) {
          const std::pair<int, int> expected{(rank + n - d) % n, rank};
          ASSERT_EQ(blocks[static_cast<std::size_t>(d)], expected) << n << " by " << radix;
        }
      }
    }
  }
}

TEST(AllToAll, ByMixedRadicesEndsWithEveryBlockAtItsRank) {
  const std::vector<std::vector<std::uint32_t>> lists = {
      {3, 2}, {2, 3, 4}, {5, 2, 2, 3}, {7, 7, 2}, {50, 2}};
  for (int n = 1; n <= 50; ++n) {
    for (const std::vector<std::uint32_t>& radices : lists) {
      const auto steps = index_steps(n, radices);
      for (const int rank : {0, n / 3, n - 1}) {
        const auto blocks = blocks_after(steps, n, rank);
        for (int d = 0; d < n; ++d) {
          const std::pair<int, int> expected{(rank + n - d) % n, rank};
          ASSERT_EQ(blocks[static_cast<std::size_t>(d)], expected) << n << " by " << radices[0];
        }
      }
    }
  }
}

TEST(AllToAll, OfMixedRadicesHasAStepForEachDigitButZero) {
  // 24 = 3 * 2 * 4: 2 + 1 + 3 steps of 24 / radix blocks each.
  const auto steps = index_steps(24, std::vector<std::uint32_t>{3, 2, 4});
  std::vector<std::array<int, 3>> found;
  for (const IndexStep& s : steps) {
    found.push_back({s.place, s.shift, static_cast<int>(s.distances.size())});
  }
  EXPECT_EQ(found, (std::vector<std::array<int, 3>>{
                       {0, 1, 8}, {0, 2, 8}, {1, 3, 12}, {2, 6, 6}, {2, 12, 6}, {2, 18, 6}}));
}

TEST(AllToAll, ReadsItsRadicesFromTheHalvesOfTwoWords) {
  using List = std::vector<std::uint32_t>;
  EXPECT_EQ(radices_of(0, 0), List{2});
  EXPECT_EQ(radices_of(7, 0), List{7});
  EXPECT_EQ(radices_of(3U | 5U << 16U, 0), (List{3, 5}));
  EXPECT_EQ(radices_of(3U | 5U << 16U, 2U | 4096U << 16U), (List{3, 5, 2, 4096}));
  for (const auto& [low, high] :
       {std::pair{1U, 0U}, {3U | 1U << 16U, 0U}, {3U, 2U}, {5U << 16U, 0U}}) {
    EXPECT_THROW((void)radices_of(low, high), std::invalid_argument) << low << ", " << high;
  }
}

TEST(AllToAll, ByARadixHasThePapersNumbersOfStartUpsAndBlocks) {
  const auto c1 = [](int n, std::uint32_t r) { return index_steps(n, radices_of(r, 0)).size(); };
  const auto c2 = [](int n, std::uint32_t r) {
    std::size_t blocks = 0;
    for (const IndexStep& step : index_steps(n, radices_of(r, 0))) blocks += step.distances.size();
    return blocks;
  };
  // Radix 2: ceil(lg n) steps, and n lg n / 2 blocks where n is a power of two.
  for (int n = 2; n <= 130; ++n) EXPECT_EQ(static_cast<int>(c1(n, 2)), ceil_log(2, n)) << n;
  for (int d = 1; d <= 7; ++d) {
    EXPECT_EQ(c2(1 << d, 2), static_cast<std::size_t>(d << (d - 1)));
  }
  // Radix r: (r - 1) log_r n steps of n / r blocks where n is a power of r.
  EXPECT_EQ(c1(81, 3), 8u);
  EXPECT_EQ(c2(81, 3), 8u * 27);
  EXPECT_EQ(c1(64, 4), 9u);
  EXPECT_EQ(c2(64, 4), 9u * 16);
  EXPECT_EQ(c1(64, 8), 14u);
  EXPECT_EQ(c2(64, 8), 14u * 8);
  // Radix n and more: n - 1 steps of a block each.
  for (const std::uint32_t radix : {37U, 38U, 1000U}) {
    EXPECT_EQ(c1(37, radix), 36u);
    EXPECT_EQ(c2(37, radix), 36u);
  }
  EXPECT_EQ(c1(10, 0), c1(10, 2));
  EXPECT_THROW((void)radices_of(1, 0), std::invalid_argument);
}

TEST(AllToAll, ByARadixSendsAtMostOneMessageOfANodeInAStep) {
  for (const Network& net : kSmallNetworks) {
    const Schedule schedule = radix_all_to_all(net, 5, radices_of(3, 0));
    EXPECT_EQ(schedule.steps.size(), index_steps(net.nodes(), radices_of(3, 0)).size());
    EXPECT_LE(most_sends(net, schedule), 1);
  }
}

// The members of a group, whose ranks have nothing to do with their places.
TEST(ListedGroups, ExchangeByTheirRanksAlone) {
  const Network net{5, 3};
  const std::vector<Node> members{{4, 2}, {0, 1}, {3, 0}, {1, 1}, {2, 2}};
  Request request{net, members[0], 7, 0};
  request.ranks.listed = std::make_shared<const NodeList>(members);
  const auto schedule = [&](Operation operation, const char* name) {
    return find_algorithm(operation, name)->schedule(request);
  };
  const auto is_from_to = [&](const Schedule& all, std::size_t step, int from, int to) {
    return std::ranges::any_of(all.steps.at(step - 1), [&](const Message& m) {
      return m.from == members[at(from)] && m.to == members[at(to)];
    });
  };
  const Schedule barrier = schedule(Operation::kBarrier, "dissemination");
  ASSERT_EQ(barrier.steps.size(), 3u);
  const Schedule direct = schedule(Operation::kAllToAll, "direct");
  ASSERT_EQ(direct.steps.size(), 4u);
  const Schedule token = schedule(Operation::kAllToAll, "token");
  ASSERT_EQ(token.steps.size(), 20u);
  for (int rank = 0; rank < 5; ++rank) {
    for (int i = 1; i <= 3; ++i) {
      EXPECT_TRUE(is_from_to(barrier, at(i), rank, (rank + (1 << (i - 1))) % 5));
    }
    for (int i = 1; i <= 4; ++i) {
      EXPECT_TRUE(is_from_to(direct, at(i), rank, (rank + i) % 5));
      EXPECT_TRUE(is_from_to(token, at(rank * 4 + i), rank, (rank + 5 - i) % 5));
    }
  }
  EXPECT_EQ(barrier.messages(), 15u);
  EXPECT_EQ(direct.messages(), 20u);
  // Distances 1 and 3, then 2 and 3, then 4.
  const Schedule radix = schedule(Operation::kAllToAll, "radix");
  ASSERT_EQ(radix.steps.size(), 3u);
  for (int rank = 0; rank < 5; ++rank) {
    EXPECT_TRUE(is_from_to(radix, 1, rank, (rank + 1) % 5));
    EXPECT_TRUE(is_from_to(radix, 3, rank, (rank + 4) % 5));
  }
  EXPECT_EQ(radix.steps[0][0].bytes, 14u);
  EXPECT_EQ(radix.steps[2][0].bytes, 7u);
  request.ranks.listed = std::make_shared<const NodeList>(std::vector<Node>{{0, 0}, {5, 0}});
  EXPECT_THROW(schedule(Operation::kBarrier, "dissemination"), std::invalid_argument);
}

TEST(ExchangesErrors, MoreThan4096NodesAreRefusedWhereMessagesAreSquares) {
  EXPECT_THROW(direct_all_to_all({64, 65}, 1), std::invalid_argument);
  EXPECT_THROW(token_all_to_all({64, 65}, 1), std::invalid_argument);
  EXPECT_THROW(radix_all_to_all({64, 65}, 1, radices_of(2, 0)), std::invalid_argument);
  EXPECT_THROW(ring_all_gather({64, 65}, 1), std::invalid_argument);
}

}  // namespace
}  // namespace annelid::reference
