// Reduction, gather and scatter along broadcast trees: Tsai 3.5, Tables 3.6 and 3.7. State space:
// every root of networks of up to 200 nodes, the corners and sampled roots (printed seed) of larger
// ones, for every algorithm of the catalogue that goes along a tree.
#include "reference/trees/reversed.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <numeric>
#include <set>
#include <utility>

#include "reference/catalogue.hpp"
#include "reference/edn/edn_families.hpp"
#include "reference/trees/recursive_doubling.hpp"
#include "testbench/reference/schedule_checks.hpp"

namespace annelid::reference {
namespace {

/// Who contributes to what each process holds, in the order of combining: a message's contributions
/// come after those of its receiver, messages of a step in ascending (z, y, x) of their senders.
std::vector<std::vector<int>> contributions(const Network& net, const Schedule& schedule) {
  std::vector<std::vector<int>> partial(static_cast<std::size_t>(net.nodes()));
  for (int i = 0; i < net.nodes(); ++i) partial[static_cast<std::size_t>(i)] = {i};
  for (const Step& step : schedule.steps) {
    std::vector<std::pair<int, int>> messages;  // sender, receiver
    for (const Message& m : step) messages.push_back({index_of(net, m.from), index_of(net, m.to)});
    std::ranges::sort(messages);
    const auto before = partial;
    for (const auto& [from, to] : messages) {
      const auto& message = before[static_cast<std::size_t>(from)];
      auto& into = partial[static_cast<std::size_t>(to)];
      into.insert(into.end(), message.begin(), message.end());
    }
  }
  return partial;
}

std::vector<int> all_ranks(const Network& net) {
  std::vector<int> ranks(static_cast<std::size_t>(net.nodes()));
  std::iota(ranks.begin(), ranks.end(), 0);
  return ranks;
}

void expect_no_contention(const Network& net, const Schedule& schedule) {
  for (const StepContention& step : contention(net, schedule)) {
    EXPECT_TRUE(step.conflicts.empty()) << to_string(net);
  }
}

struct Case {
  std::string_view algorithm;
  Network net;
};

class AlongATree : public ::testing::TestWithParam<Case> {
 protected:
  const std::string_view name_ = GetParam().algorithm;
  const Network net_ = GetParam().net;
  const std::vector<Node> roots_ = sources_of(net_, 200, 3);

  [[nodiscard]] Schedule schedule(Operation operation, Node root, std::uint64_t bytes) const {
    const Algorithm* algorithm = find_algorithm(operation, name_);
    EXPECT_TRUE(algorithm->supports(net_)) << to_string(net_);
    return algorithm->schedule({net_, root, bytes});
  }
  [[nodiscard]] bool promised(Operation operation) const {
    return find_algorithm(operation, name_)->contention_free(net_);
  }
};

TEST_P(AlongATree, AReductionCombinesEveryBlockOnceInTheStepsOfTheBroadcast) {
  for (Node root : roots_) {
    const Schedule reduction = schedule(Operation::kReduce, root, 8);
    EXPECT_EQ(reduction.messages(), static_cast<std::uint64_t>(net_.nodes() - 1));
    for (const Step& step : reduction.steps) {
      for (const Message& m : step) ASSERT_EQ(m.bytes, 8u);
    }
    const Schedule broadcast = find_algorithm(Operation::kBroadcast, name_)
                                   ->schedule({turned(net_), turned(net_, root), 8});
    EXPECT_EQ(reduction.steps.size(), broadcast.steps.size());
    auto result = contributions(net_, reduction)[static_cast<std::size_t>(index_of(net_, root))];
    EXPECT_EQ(result.front(), index_of(net_, root));
    std::ranges::sort(result);
    EXPECT_EQ(result, all_ranks(net_)) << to_string(net_) << " to " << to_string(root);
    if (promised(Operation::kReduce)) expect_no_contention(net_, reduction);
  }
}

TEST_P(AlongATree, AGatherBringsEveryBlockToTheRootInMessagesOfSubtrees) {
  for (Node root : roots_) {
    const Schedule gather = schedule(Operation::kGather, root, 24);
    EXPECT_EQ(gather.messages(), static_cast<std::uint64_t>(net_.nodes() - 1));
    if (promised(Operation::kGather)) expect_no_contention(net_, gather);
    std::uint64_t at_root = 0;
    for (const Step& step : gather.steps) {
      for (const Message& m : step) at_root += m.to == root ? m.bytes : 0;
    }
    EXPECT_EQ(at_root, 24u * static_cast<std::uint64_t>(net_.nodes() - 1));
  }
}

TEST_P(AlongATree, AScatterIsTheBroadcastWithTheBlocksOfSubtrees) {
  for (Node root : roots_) {
    const Schedule scatter = schedule(Operation::kScatter, root, 24);
    Schedule broadcast = schedule(Operation::kBroadcast, root, 24);
    ASSERT_EQ(scatter.steps.size(), broadcast.steps.size());
    std::uint64_t from_root = 0;
    for (std::size_t i = 0; i < scatter.steps.size(); ++i) {
      Step step = scatter.steps[i];
      for (Message& m : step) {
        from_root += m.from == root ? m.bytes : 0;
        m.bytes = 24;
      }
      std::ranges::sort(step);
      std::ranges::sort(broadcast.steps[i]);
      ASSERT_EQ(step, broadcast.steps[i]);
    }
    EXPECT_EQ(from_root, 24u * static_cast<std::uint64_t>(net_.nodes() - 1));
    if (promised(Operation::kScatter)) expect_no_contention(net_, scatter);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Algorithms, AlongATree,
    ::testing::Values(Case{"edn", {4, 4}}, Case{"edn", {8, 8}}, Case{"edn", {5, 5}},
                      Case{"edn", {10, 10}}, Case{"edn", {6, 6}}, Case{"edn", {7, 7}},
                      Case{"edn", {14, 14}}, Case{"edn", {4, 16}}, Case{"edn", {16, 4}},
                      Case{"edn", {4, 4, 5}}, Case{"edn", {5, 4, 4}}, Case{"edn", {8, 8, 12}},
                      Case{"edn", {15, 4, 4}}, Case{"edn", {32, 32}}, Case{"edn", {40, 20}},
                      Case{"recursive-doubling", {1, 1}}, Case{"recursive-doubling", {7, 1}},
                      Case{"recursive-doubling", {1, 6}}, Case{"recursive-doubling", {5, 9}},
                      Case{"recursive-doubling", {3, 4, 5}}, Case{"recursive-doubling", {30, 17}},
                      Case{"recursive-doubling", {5, 6, 1, {true, true, false}}},
                      Case{"single-level", {4, 8}}, Case{"single-level", {12, 16}},
                      Case{"single-level", {32, 32}}),
    [](const auto& test) {
      std::string name = std::string(test.param.algorithm) + "_" + to_string(test.param.net);
      std::ranges::replace_if(
          name, [](char c) { return c == '-' || c == ' '; }, '_');
      return name;
    });

TEST(TurnedNetworks, LeadBackToEachNodeWhateverTheirSides) {
  for (const Network& net : networks_of_sides_to_4()) {
    const Network other = turned(net);
    ASSERT_EQ(other.nodes(), net.nodes());
    std::set<Node> places;
    for (int i = 0; i < net.nodes(); ++i) {
      const Node node = node_at(net, i), place = turned(net, node);
      ASSERT_TRUE(contains(other, place)) << to_string(net) << " " << to_string(node);
      ASSERT_EQ(turned_back(net, place), node) << to_string(net) << " " << to_string(place);
      places.insert(place);
    }
    ASSERT_EQ(places.size(), static_cast<std::size_t>(net.nodes())) << to_string(net);
  }
}

TEST(AlongTrees, ReductionsReachTheRootFromEachNodeWhateverTheSides) {
  int checked = 0;
  for (const Algorithm& algorithm : algorithms()) {
    if (algorithm.operation != Operation::kReduce || algorithm.by_rank) continue;
    if (algorithm.results != nullptr) continue;  // not along one tree
    for (const Network& net : networks_of_sides_to_4()) {
      if (!algorithm.supports(net)) continue;
      const Node root = node_at(net, (7 * ++checked) % net.nodes());
      const Schedule reduction = algorithm.schedule({net, root, 8});
      for (const Step& step : reduction.steps) {
        for (const Message& m : step) {
          ASSERT_TRUE(contains(net, m.from) && contains(net, m.to))
              << algorithm.name << " on " << to_string(net) << ": " << to_string(m.from) << " to "
              << to_string(m.to);
        }
      }
      auto result = contributions(net, reduction)[static_cast<std::size_t>(index_of(net, root))];
      std::ranges::sort(result);
      ASSERT_EQ(result, all_ranks(net)) << algorithm.name << " on " << to_string(net);
    }
  }
  EXPECT_GT(checked, 1000);
}

TEST(EdnReduction,
     TakesTheMinimumOfTables36And37FromEveryRootOfSquaresOf4AndAtMostOneMoreOfOthers) {
  // Table 3.6 prints at most k + 4 for 4 * 2^k; with the fastest startup reversed it is k + 3.
  for (const auto& [b, k] : std::vector<std::pair<int, int>>{
           {4, 0}, {4, 1}, {4, 2}, {4, 3}, {4, 4}, {5, 0}, {5, 1}, {5, 2}, {5, 3}, {5, 4}}) {
    const Network net{b << k, b << k};
    std::set<std::size_t> steps;
    for (Node root : sources_of(net, 500, 40)) {
      const Schedule s = find_algorithm(Operation::kReduce, "edn")->schedule({net, root, 1});
      steps.insert(s.steps.size());
    }
    const auto base = static_cast<std::size_t>(k);
    EXPECT_EQ(*steps.begin(), base + 3);
    EXPECT_EQ(*steps.rbegin(), base + (b == 4 ? 3 : 4));
  }
}

TEST(EdnReduction, TheBroadcastReversedWithoutTurningItContends) {
  // Section 3.5: XY routing prevents it; the pattern must be rotated.
  const Network net{16, 16};
  Schedule backwards = any_edn_broadcast({net, {3, 5}});
  std::ranges::reverse(backwards.steps);
  for (Step& step : backwards.steps) {
    for (Message& m : step) std::swap(m.from, m.to);
  }
  bool contends = false;
  for (const StepContention& step : contention(net, backwards)) {
    contends = contends || !step.conflicts.empty();
  }
  EXPECT_TRUE(contends);
}

TEST(Gather, HasTheBlocksOfASubtreeTopFirstInTheOrderOfTheTreesSteps) {
  // A line of six along x, root 0. Its tree: step 1 0->3; step 2 0->2, 3->5; step 3 0->1, 3->4.
  const Network net{6, 1};
  const auto rd = [](const Request& r) {
    return recursive_doubling_broadcast(r.network, r.root, r.bytes);
  };
  const BlockSchedule gather = gather_along(net, turned_tree(rd, {net, {0, 0}, 8}));
  ASSERT_EQ(gather.size(), 3u);
  ASSERT_EQ(gather[2].size(), 1u);
  EXPECT_EQ(gather[2][0].from, (Node{3, 0}));
  EXPECT_EQ(gather[2][0].blocks, (std::vector<int>{3, 5, 4}));
  ASSERT_EQ(gather[1].size(), 2u);
  EXPECT_EQ(gather[1][0].from, (Node{2, 0}));
  EXPECT_EQ(gather[1][0].blocks, (std::vector<int>{2}));
  EXPECT_EQ(gather[0][1].from, (Node{4, 0}));
  EXPECT_EQ(gather[0][1].to, (Node{3, 0}));
  const BlockSchedule scatter = scatter_along(net, broadcast_tree(rd, {net, {0, 0}, 8}));
  EXPECT_EQ(scatter[0][0].blocks, (std::vector<int>{3, 5, 4}));
}

TEST(Gather, BlocksOfOneStepFollowAscendingPlacesInTheTurnedNetwork) {
  // 4x4, root (0,2), in the turned mesh (2,0). There the tops are (0,2), (1,0), (2,3), (3,1); step
  // 1 reaches (2,3) and (0,2), step 2 (3,1) and (1,0); step 3 the neighbours, by (y, x) in the
  // turned mesh: of (2,3) first (2,2), then (1,3), and of (3,1) first (3,0), then (2,1), then
  // (3,2).
  const Network net{4, 4};
  const BlockSchedule gather = gather_along(net, turned_tree(any_edn_broadcast, {net, {0, 2}, 8}));
  ASSERT_EQ(gather.size(), 3u);
  const auto turned_rank = [](int x, int y) { return 4 * x + y; };  // node (y, x)
  const auto from = [&](Node n) {
    return *std::ranges::find_if(gather[2], [&](const BlockMessage& m) { return m.from == n; });
  };
  EXPECT_EQ(from({3, 2}).blocks,
            (std::vector<int>{turned_rank(2, 3), turned_rank(3, 1), turned_rank(3, 0),
                              turned_rank(2, 1), turned_rank(3, 2), turned_rank(2, 2),
                              turned_rank(1, 3), turned_rank(3, 3)}));
}

TEST(Blocks, ThePlayerBringsEveryBlockOfAGatherAndAScatterWhereItBelongs) {
  const Network net{8, 8, 5};
  const Node root{3, 6, 4};
  const auto top = static_cast<std::size_t>(index_of(net, root));
  std::vector<std::vector<int>> own(static_cast<std::size_t>(net.nodes()));
  for (int i = 0; i < net.nodes(); ++i) own[static_cast<std::size_t>(i)] = {i};
  const Network across{5, 8, 8};  // turned: 8x8x5
  const auto gathered = blocks_after(
      across, gather_along(across, turned_tree(any_edn_broadcast, {across, {4, 6, 3}, 1})), own);
  EXPECT_EQ(gathered[static_cast<std::size_t>(index_of(across, {4, 6, 3}))], all_ranks(across));

  std::vector<std::vector<int>> at_root(own.size());
  at_root[top] = all_ranks(net);
  const auto scattered = blocks_after(
      net, scatter_along(net, broadcast_tree(any_edn_broadcast, {net, root, 1})), at_root);
  for (int i = 0; i < net.nodes(); ++i) {
    EXPECT_TRUE(std::ranges::binary_search(scattered[static_cast<std::size_t>(i)], i));
  }
}

TEST(Blocks, ThePlayerRefusesBlocksThatTheSenderLacksOrTheReceiverHas) {
  const Network net{2, 1};
  EXPECT_THROW(blocks_after(net, {{{{0, 0}, {1, 0}, {1}}}}, {{0}, {1}}), std::invalid_argument);
  EXPECT_THROW(blocks_after(net, {{{{0, 0}, {1, 0}, {0}}}}, {{0}, {0}}), std::invalid_argument);
  // A block that arrives in a step cannot be sent on in the same step.
  const Network line{3, 1};
  EXPECT_THROW(blocks_after(line, {{{{0, 0}, {1, 0}, {0}}, {{1, 0}, {2, 0}, {0}}}}, {{0}, {}, {}}),
               std::invalid_argument);
}

TEST(Trees, OfSchedulesThatAreNoneAreRefused) {
  EXPECT_THROW(tree_of({2, 1}, {0, 0}, {}), std::invalid_argument);
  EXPECT_THROW(tree_of({2, 1}, {0, 0}, {{{{{1, 0}, {0, 0}}}}}), std::invalid_argument);
}

}  // namespace
}  // namespace annelid::reference
