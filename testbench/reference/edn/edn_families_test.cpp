// EDN broadcast on all mesh families and with both startups: Tsai's Tables 3.1 to 3.5, rectangles,
// 3D meshes with either long dimension. State space: every source of networks of up to 200 nodes;
// of larger ones, up to 65,536 nodes, the corners, the tops and sampled sources (printed seed).
#include "reference/edn/edn_families.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "reference/edn/edn_3d.hpp"
#include "reference/edn/edn_blocks.hpp"
#include "testbench/reference/schedule_checks.hpp"

namespace annelid::reference {
namespace {

/// Steps of all sources that were tried.
struct Steps {
  std::size_t min = 1000, max = 0;
};

/// Checks every rule from the sources of sources_of and from the tops.
Steps check(const Network& net, const std::vector<Node>& tops, Startup startup, int fan_out) {
  Steps steps;
  std::vector<Node> sources = sources_of(net, 200, net.nodes() > 10000 ? 1 : 6);
  sources.insert(sources.end(), tops.begin(), tops.end());
  for (Node root : sources) {
    const Schedule schedule =
        any_edn_broadcast({net, root, 8, static_cast<std::uint32_t>(startup)});
    expect_contention_free_broadcast(net, root, schedule, fan_out);
    steps.min = std::min(steps.min, schedule.steps.size());
    steps.max = std::max(steps.max, schedule.steps.size());
  }
  return steps;
}

std::vector<Node> tops_of_mesh(const Network& net) {
  return tops_of(edn_block_tree(block_size_of(net).value()));
}

struct Square {
  int b, k;
};

class Tables31To34 : public ::testing::TestWithParam<Square> {};

TEST_P(Tables31To34, StepsOfTheFastestStartupAreThoseOfTheTableWithoutContention) {
  const auto [b, k] = GetParam();
  const Network net{b << k, b << k};
  const auto base = static_cast<std::size_t>(k);
  const Steps steps = check(net, tops_of_mesh(net), Startup::kFastest, b == 4 ? 3 : 4);
  EXPECT_EQ(steps.min, base + 3);
  EXPECT_EQ(steps.max, base + (b == 4 ? 3 : 4));
  // The tables' rows "tree height" and "startup".
  const std::size_t height = base + (b == 4 ? 1 : 2);
  EXPECT_EQ(level_steps(edn_block_tree(block_size_of(net).value())).size(), height);
}

TEST_P(Tables31To34, TheFixedStartupTakesOneStepMoreThanTheMinimumFromEverySource) {
  const auto [b, k] = GetParam();
  const Network net{b << k, b << k};
  const Steps steps = check(net, tops_of_mesh(net), Startup::kFixed, 4);
  EXPECT_EQ(steps.min, static_cast<std::size_t>(k) + 4);
  EXPECT_EQ(steps.max, static_cast<std::size_t>(k) + 4);
}

INSTANTIATE_TEST_SUITE_P(
    AllSizesNamed, Tables31To34,
    ::testing::Values(Square{4, 0}, Square{4, 1}, Square{4, 2}, Square{4, 3}, Square{4, 4},
                      Square{4, 5}, Square{4, 6}, Square{5, 0}, Square{5, 1}, Square{5, 2},
                      Square{5, 3}, Square{5, 4}, Square{5, 5}, Square{6, 0}, Square{6, 1},
                      Square{6, 2}, Square{6, 3}, Square{6, 4}, Square{6, 5}, Square{7, 0},
                      Square{7, 1}, Square{7, 2}, Square{7, 3}, Square{7, 4}, Square{7, 5}),
    [](const auto& test) { return std::to_string(test.param.b << test.param.k); });

TEST(EdnRectangles, EachDoublingOfOneSideTakesOneStepMore) {
  for (const Network net :
       {Network{4, 8}, Network{8, 4}, Network{4, 64}, Network{64, 4}, Network{8, 32},
        Network{32, 16}, Network{5, 10}, Network{10, 5}, Network{20, 5}, Network{10, 40},
        Network{6, 12}, Network{24, 6}, Network{7, 14}, Network{28, 14}, Network{7, 56},
        Network{256, 4}, Network{5, 160}, Network{192, 12}, Network{14, 224}}) {
    const BlockSize size = block_size_of(net).value();
    const auto levels = static_cast<std::size_t>(size.levels());
    const Steps fastest = check(net, tops_of_mesh(net), Startup::kFastest, 4);
    EXPECT_EQ(fastest.min, levels + 3) << to_string(net);
    EXPECT_EQ(fastest.max, levels + (size.b == 4 ? 3 : 4)) << to_string(net);
    EXPECT_EQ(check(net, tops_of_mesh(net), Startup::kFixed, 4).max, levels + 4) << to_string(net);
  }
}

TEST(EdnRectangles, EveryRectangleOfEveryFamilyKeepsTheRulesFromOneSourceAndTheOthersAreRefused) {
  int supported = 0;
  for (int x = 1; x <= 256; ++x) {
    for (int y = 1; y <= 256; ++y) {
      const auto size = block_size_of({x, y});
      if (!size) continue;
      ++supported;
      const int side = size->b << size->i;
      EXPECT_EQ(x, side << size->p);
      EXPECT_EQ(y, side << size->q);
      EXPECT_TRUE(size->p == 0 || size->q == 0);
      if (x * y > 5000) continue;
      const Network net{x, y};
      const Node root{x / 3, y - 1 - y / 5};
      expect_contention_free_broadcast(net, root, any_edn_broadcast({net, root}), 4);
    }
  }
  EXPECT_EQ(supported, 7 * 7 + 3 * 6 * 6);
  for (const Network net : {Network{12, 4}, Network{4, 5}, Network{3, 3}, Network{9, 9},
                            Network{8, 8, 1, {true, true}}}) {
    EXPECT_FALSE(block_size_of(net).has_value()) << to_string(net);
    EXPECT_THROW(edn_blocks_broadcast(net, {}, 1, Startup::kFastest), std::invalid_argument);
  }
}

struct Box {
  Network net;
  std::size_t levels, steps;
};

/// Table 3.5, its sixteen rows.
const std::vector<Box> kTable35 = {
    {{4, 4, 4}, 2, 4},   {{4, 4, 5}, 2, 4},   {{4, 4, 12}, 3, 5},  {{4, 4, 15}, 3, 5},
    {{8, 8, 4}, 3, 5},   {{8, 8, 5}, 3, 5},   {{4, 4, 36}, 4, 6},  {{4, 4, 45}, 4, 6},
    {{8, 8, 12}, 4, 6},  {{8, 8, 15}, 4, 6},  {{16, 16, 4}, 4, 6}, {{16, 16, 5}, 4, 6},
    {{4, 4, 108}, 5, 7}, {{4, 4, 135}, 5, 7}, {{8, 8, 36}, 5, 7},  {{8, 8, 45}, 5, 7}};

Network with_x_long(const Network& net) { return {net.z, net.x, net.y}; }

void check_box(const Network& net, std::size_t levels, std::size_t steps) {
  const EdnTree tree = edn_3d_tree(box_size_of(net).value());
  EXPECT_EQ(size_of(tree), net);
  EXPECT_EQ(level_steps(tree).size(), levels) << to_string(net);
  const bool five = net.x % 5 == 0 || net.z % 5 == 0;
  const Steps fastest = check(net, tops_of(tree), Startup::kFastest, five ? 5 : 4);
  EXPECT_EQ(fastest.min, steps) << to_string(net);
  EXPECT_EQ(fastest.max, steps) << to_string(net);
  EXPECT_EQ(check(net, tops_of(tree), Startup::kFixed, five ? 5 : 4).max, steps + 1);
}

TEST(Edn3d, StepsAndLevelsAreThoseOfTable35WithEitherLongDimension) {
  for (const auto& [net, levels, steps] : kTable35) {
    check_box(net, levels, steps);
    check_box(with_x_long(net), levels, steps);
  }
}

TEST(Edn3d, LargerMeshesKeepTheRules) {
  // Up to 69,120 nodes: 32x32x45, 64x64x12 and 15, 128x128x4.
  check_box({32, 32, 45}, 7, 9);
  check_box({64, 64, 12}, 7, 9);
  check_box({15, 64, 64}, 7, 9);
  check_box({128, 128, 4}, 7, 9);
  check_box({4, 128, 128}, 7, 9);
}

TEST(Edn3d, TheFourPlanesOfDominatingNodesPartitionAFifth) {
  // Section 3.4: the sixteen level-1 nodes of 4x4x4 cover one more plane.
  const Schedule schedule = edn_3d_broadcast({4, 4, 5}, {0, 0, 0}, 1, Startup::kFastest);
  int to_fifth = 0;
  for (const Message& m : schedule.steps.back()) {
    if (m.to.z != 4) continue;
    ++to_fifth;
    EXPECT_EQ(m.from.x, m.to.x);
    EXPECT_EQ(m.from.y, m.to.y);
    EXPECT_LT(m.from.z, 4);
  }
  EXPECT_EQ(to_fifth, 16);
}

TEST(Edn3d, OtherSizesAndRootsOutsideAreRefused) {
  for (const Network net : {Network{4, 4, 6}, Network{4, 8, 4}, Network{5, 5, 4}, Network{4, 4, 20},
                            Network{4, 4, 4, {true, true, true}}}) {
    EXPECT_FALSE(box_size_of(net).has_value()) << to_string(net);
    EXPECT_THROW(edn_3d_broadcast(net, {}, 1, Startup::kFastest), std::invalid_argument);
  }
  EXPECT_THROW(edn_3d_broadcast({4, 4, 4}, {0, 0, 4}, 1, Startup::kFastest), std::invalid_argument);
}

TEST(EdnLowerBounds, TheMinimumMeetsTheThreePortBoundForBlocksOf56And7AndIsOneAboveItFor4) {
  // Section 3.3.3, Figure 3.13: the bound is ceil(log4 n^2); recursive doubling takes ceil(log2
  // n^2).
  const auto log_up = [](int base, std::int64_t n) {
    std::size_t log = 0;
    for (std::int64_t power = 1; power < n; power *= base) ++log;
    return log;
  };
  for (int b = 4; b <= 7; ++b) {
    for (int k = 0; b << k <= 256; ++k) {
      const auto nodes = static_cast<std::int64_t>(b << k) * (b << k);
      const std::size_t minimum = static_cast<std::size_t>(k) + 3;
      EXPECT_EQ(minimum, log_up(4, nodes) + (b == 4 ? 1 : 0)) << (b << k);
      EXPECT_LT(minimum, log_up(2, nodes)) << (b << k);
    }
  }
  // Section 3.4.3, Figure 3.24: within two steps of ceil(log5 N).
  for (const auto& [net, levels, steps] : kTable35) {
    EXPECT_LE(steps, log_up(5, net.nodes()) + 2) << to_string(net);
    EXPECT_LT(steps, log_up(2, net.nodes())) << to_string(net);
  }
}

/// "s-c s-a,c-b" of tops a, b, ... and the source s.
std::string shown(const std::vector<Step>& steps, const std::vector<Node>& tops, Node source) {
  std::string text;
  const auto name = [&](Node n) {
    const auto found = std::ranges::find(tops, n);
    return n == source ? 's' : static_cast<char>('a' + (found - tops.begin()));
  };
  for (const Step& step : steps) {
    text += text.empty() ? "" : " ";
    for (const Message& m : step) {
      text += &m == step.data() ? "" : ",";
      text += name(m.from);
      text += '-';
      text += name(m.to);
    }
  }
  return text;
}

TEST(EdnStartup, SendsAsItsTablesSayWhereverTheSourceIs) {
  const std::vector<Node> four{{1, 0}, {3, 5}, {5, 2}, {7, 6}}, three{{1, 0}, {3, 5}, {5, 2}},
      two{{2, 0}, {5, 5}};
  const auto fastest = [&](const std::vector<Node>& tops, int x) {
    return shown(startup_steps(tops, {x, 9}, Startup::kFastest), tops, {x, 9});
  };
  EXPECT_EQ(fastest(four, 0), "s-c s-a,c-b,c-d");
  EXPECT_EQ(fastest(four, 1), "s-a,s-b a-d,b-c");
  EXPECT_EQ(fastest(four, 2), "s-a,s-b a-d,b-c");
  EXPECT_EQ(fastest(four, 3), "s-b,s-c b-a,c-d");
  EXPECT_EQ(fastest(four, 5), "s-b,s-c b-a,c-d");
  EXPECT_EQ(fastest(four, 6), "s-c,s-d c-b,d-a");
  EXPECT_EQ(fastest(four, 7), "s-c,s-d c-b,d-a");
  EXPECT_EQ(fastest(four, 8), "s-b s-d,b-a,b-c");
  EXPECT_EQ(fastest(three, 2), "s-b b-a,b-c");
  EXPECT_EQ(fastest(three, 3), "s-a,s-b,s-c");
  EXPECT_EQ(fastest(three, 4), "s-b b-a,b-c");
  EXPECT_EQ(fastest(two, 1), "s-a a-b");
  EXPECT_EQ(fastest(two, 2), "s-a,s-b");
  EXPECT_EQ(fastest(two, 5), "s-a,s-b");
  EXPECT_EQ(fastest(two, 6), "s-b b-a");
  for (int x = 0; x < 9; ++x) {
    EXPECT_EQ(shown(startup_steps(four, {x, 9}, Startup::kFixed), four, {x, 9}), "s-c c-b,c-d b-a");
    EXPECT_EQ(shown(startup_steps(three, {x, 9}, Startup::kFixed), three, {x, 9}), "s-b b-a,b-c");
    EXPECT_EQ(shown(startup_steps(two, {x, 9}, Startup::kFixed), two, {x, 9}), "s-a a-b");
  }
}

TEST(EdnAny, FindsTheFamilyOfANetworkAndNamesAllForOneThatHasNone) {
  EXPECT_TRUE(any_edn_supports({10, 20}));
  EXPECT_TRUE(any_edn_supports({4, 4, 15}));
  EXPECT_FALSE(any_edn_supports({9, 9}));
  EXPECT_THROW(any_edn_broadcast({{9, 9}, {}}), std::invalid_argument);
  EXPECT_THROW(any_edn_broadcast({{8, 8}, {0, 0}, 1, 2}),
               std::invalid_argument);  // no such startup
}

}  // namespace
}  // namespace annelid::reference
