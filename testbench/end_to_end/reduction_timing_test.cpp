// Reductions and scans in packets against their papers' times, on a network that keeps the papers'
// promise: every two processes one hop apart, one port each (Sanders, Speck and Träff 2009,
// Sections 2 and 4; docs/internals/algorithms/cost.md, "Reductions and scans on the network of
// their papers"). With ANNELID_WHOLE_GRID the whole grid of processes, packets and start-ups, else
// a selection of it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iostream>

#include "reference/catalogue.hpp"
#include "reference/costs/critical_path.hpp"
#include "testbench/end_to_end/program.hpp"
#include "testbench/parameter_name.hpp"

namespace annelid::end_to_end {
namespace {

constexpr int kWords = 64;  ///< of a packet, one flit each

struct Point {
  const char *operation, *algorithm;
  int ranks, packets, alpha;
  friend std::ostream& operator<<(std::ostream& out, const Point& c) {
    return out << c.algorithm << ' ' << c.operation << ", " << c.ranks
               << " ranks, k = " << c.packets << ", alpha " << c.alpha;
  }
};

/// Trees that have k packets each; 0 if the algorithm sends whole blocks.
int trees_of(const Point& c) {
  const std::string algorithm = c.algorithm;
  return algorithm == "two-tree" ? 2 : algorithm == "simultaneous-binomial" ? 0 : 1;
}
std::uint64_t bytes_of(const Point& c, int trees) {
  return static_cast<std::uint64_t>(std::max(trees, 1) * c.packets * kWords * 8);
}

double cycles_of(const Workplace& w, const Point& c, int trees) {
  const Outcome o = w.annelid(
      "run --quiet --topology ideal --router one-port --control-vc true --firmware native --size " +
      std::to_string(c.ranks) + " --operation " + c.operation + " --algorithm " + c.algorithm +
      (trees == 0 ? "" : " --packets " + std::to_string(c.packets)) + " --bytes " +
      std::to_string(bytes_of(c, trees)) + " --alpha " + std::to_string(c.alpha) + " --out " +
      w.path("out").string());
  EXPECT_EQ(o.status, 0) << o.out << o.err;
  return o.status == 0 ? w.result()["cycles"].get<double>() : 0;
}

void report(const Point& c, double cycles, double formula) {
  std::cout << "[measured ] " << c << ": " << cycles << " cycles, formula " << formula << ", "
            << 100 * (cycles / formula - 1) << " %\n";
}

/// From the description of a packet's send to that of the next process's, beside start-up and
/// words: 8 for header, path and completion, and 4 for the combine unit, which follows the message.
/// Half a cycle is what the offers cost on average, as measured.
constexpr double kStep = 12.5;

/// Section 4.1 and 4.3: the steps of k packets of each tree.
int two_tree_steps(bool scan, int ranks, int packets) {
  const int in_trees = (scan ? ranks : ranks - 1) & ~1;
  if (!scan && ranks == 2) return 2 * packets;  // one process, the root of both trees
  const int h = static_cast<int>(std::ceil(std::log2(in_trees + 2)));
  if (!scan) return 2 * h + 2 * packets - (in_trees % 4 == 2 ? 2 : 3);
  return 4 * (ranks % 2 == 0 ? h - 1 : h) + 4 * packets - 4;
}

/// The cycles of the reference's schedule on this network, packet by packet: its critical path
/// (reference/costs/critical_path.hpp). Without a start-up, the two flits of an offer find no gap
/// at the ports; with three processes or fewer, no port sends both offers and messages.
double count_of(const Point& c, int trees) {
  const reference::Network net{c.ranks, 1, 1, {}, true};
  const auto algorithm = std::ranges::find_if(reference::algorithms(), [&](const auto& a) {
    return name_of(a.operation) == c.operation && a.name == c.algorithm;
  });
  reference::Timing timing;
  timing.alpha = static_cast<reference::Cycle>(c.alpha);
  timing.one_port = timing.in_turn = true;
  timing.combining = algorithm->operation != reference::Operation::kBroadcast;
  const auto packets = static_cast<std::uint32_t>(c.packets);
  const reference::Prediction walk = reference::predict(
      net, algorithm->schedule({net, {}, bytes_of(c, trees), trees == 0 ? 0 : packets}), timing);
  const auto offers = c.alpha == 0 && c.ranks > 3 ? 2.0 * static_cast<double>(walk.path.size()) : 0;
  return static_cast<double>(walk.end) + 1 + offers;
}

/// The schedules by packets, and simultaneous binomial trees, which send blocks whole.
class Reductions : public ::testing::TestWithParam<Point> {};

TEST_P(Reductions, TakeTheExactCountWithin3Percent) {
  const Point& c = GetParam();
  const Workplace w;
  const int trees = trees_of(c);
  const double cycles = cycles_of(w, c, trees), count = count_of(c, trees);
  report(c, cycles, count);
  // Without a start-up, offers decide who comes first. That is worth up to a step, or 0.5 %.
  const double step = c.alpha == 0 ? kWords + kStep : 0;
  EXPECT_NEAR(cycles, count, std::max((c.alpha == 0 ? 0.035 : 0.03) * count, step));
}

class TwoTreeReductions : public ::testing::TestWithParam<Point> {};

// For few processes, or few packets and a long start-up, a run is shorter than the formula: the
// ends of a path have no start-up to wait for. It is never longer.
TEST_P(TwoTreeReductions, TakeThePapersTime) {
  const Point& c = GetParam();
  const Workplace w;
  const bool scan = std::string(c.operation) != "reduce";
  const double cycles = cycles_of(w, c, 2);
  const double formula = two_tree_steps(scan, c.ranks, c.packets) * (c.alpha + kWords + kStep);
  report(c, cycles, formula);
  EXPECT_LE(cycles, 1.03 * formula);
  if (c.packets >= 64 && c.ranks >= 13) {
    EXPECT_GE(cycles, 0.97 * formula);
  }
}

class BinaryReductions : public ::testing::TestWithParam<Point> {};

// "2 (log p + k) (alpha + beta n / k)" (Equation 1) gives every packet two steps, because a process
// sends it to two children. A reduction receives it from two children and sends it once.
TEST_P(BinaryReductions, TakeAtMostThePapersTime) {
  const Point& c = GetParam();
  const Workplace w;
  const double cycles = cycles_of(w, c, 1);
  const double formula = 2 * (std::log2(c.ranks) + c.packets) * (c.alpha + kWords + kStep);
  report(c, cycles, formula);
  EXPECT_LE(cycles, 1.03 * formula);
}

std::vector<Point> grid(const std::vector<std::pair<const char*, const char*>>& algorithms) {
#ifdef ANNELID_WHOLE_GRID
  const std::vector<int> ranks{2, 3, 4, 5, 6, 7, 8, 13, 15, 28, 31, 64, 101, 130};
  const std::vector<int> packets{4, 16, 64}, alphas{0, 100, 1000};
#else
  const std::vector<int> ranks{3, 28}, packets{4, 64}, alphas{0, 1000};
#endif
  std::vector<Point> points;
  for (const auto& [operation, algorithm] : algorithms) {
    for (const int p : ranks) {
      for (const int k : packets) {
        for (const int alpha : alphas) points.push_back({operation, algorithm, p, k, alpha});
      }
    }
  }
  return points;
}

constexpr const char *kReduce = "reduce", *kScan = "scan", *kExscan = "exscan";
constexpr const char *kMirrored = "two-tree", *kLinear = "linear-pipeline";
INSTANTIATE_TEST_SUITE_P(OnOnePort, Reductions,
                         ::testing::ValuesIn(grid({{kReduce, kMirrored},
                                                   {kScan, kMirrored},
                                                   {kExscan, kMirrored},
                                                   {kReduce, kLinear},
                                                   {kScan, kLinear},
                                                   {kExscan, kLinear},
                                                   {kReduce, "binary-tree"},
                                                   {"broadcast", "binary-tree"},
                                                   {kScan, "doubly-pipelined"},
                                                   {kExscan, "doubly-pipelined"},
                                                   {kScan, "simultaneous-binomial"}})),
                         test::ParameterName());
INSTANTIATE_TEST_SUITE_P(
    OnOnePort, TwoTreeReductions,
    ::testing::ValuesIn(grid({{kReduce, kMirrored}, {kScan, kMirrored}, {kExscan, kMirrored}})),
    test::ParameterName());
INSTANTIATE_TEST_SUITE_P(OnOnePort, BinaryReductions,
                         ::testing::ValuesIn(grid({{kReduce, "binary-tree"}})),
                         test::ParameterName());

}  // namespace
}  // namespace annelid::end_to_end
