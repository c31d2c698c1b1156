// Reductions and scans in packets against their papers' times, on a network that keeps the papers'
// promise: every two processes one hop apart, one port each (Sanders, Speck and Träff 2009,
// Sections 2 and 4; docs/internals/algorithms/cost.md, "Reductions and scans on the network of
// their papers"). With ANNELID_WHOLE_GRID the whole grid of processes, packets and start-ups, else
// a selection of it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iostream>

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

double cycles_of(const Workplace& w, const Point& c, int trees) {
  const Outcome o = w.annelid(
      "run --quiet --topology ideal --router one-port --control-vc true --firmware native --size " +
      std::to_string(c.ranks) + " --operation " + c.operation + " --algorithm " + c.algorithm +
      " --packets " + std::to_string(c.packets) + " --bytes " +
      std::to_string(trees * c.packets * kWords * 8) + " --alpha " + std::to_string(c.alpha) +
      " --out " + w.path("out").string());
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
  // What every inner process must send.
  const int sends = (scan && c.ranks > 3 ? 4 : 2) * c.packets;
  EXPECT_GE(cycles, 0.97 * (sends - 2) * (c.alpha + kWords));
}

class LinearReductions : public ::testing::TestWithParam<Point> {};

// "(p + k) (alpha + beta n / k)" (Section 2) is approximate. Exactly: the first process sends k
// packets, w + 3 cycles apart beside the start-up; the last one passes p - 2 further processes, w +
// 12 cycles for each. Without a start-up to hide them, offers take 3 cycles of each packet (2 with
// three processes, none with two) and 2 of each process.
TEST_P(LinearReductions, TakeTheExactCountWithin3Percent) {
  const Point& c = GetParam();
  const Workplace w;
  const double cycles = cycles_of(w, c, 1);
  const int per_packet = c.alpha > 0 ? 0 : c.ranks == 2 ? 0 : c.ranks == 3 ? 2 : 3;
  const int per_process = c.alpha > 0 ? 0 : 2;
  const double count = c.packets * (c.alpha + kWords + 3.0 + per_packet) +
                       (c.ranks - 2) * (c.alpha + kWords + 12.0 + per_process) + 8;
  report(c, cycles, count);
  EXPECT_NEAR(cycles / count, 1, 0.03);
}

class BinaryReductions : public ::testing::TestWithParam<Point> {};

// "2 (log p + k) (alpha + beta n / k)" (Equation 1) gives every packet two steps, because a process
// sends it to two children. A reduction receives it from two children and sends it once. So of the
// two start-ups one is left, and the second packet follows the first at the port: max(A + w + 3, 2
// (w + 4)) for each packet.
TEST_P(BinaryReductions, TakeAtMostThePapersTimeAndAtLeastThatOfTheBusiestPort) {
  const Point& c = GetParam();
  const Workplace w;
  const double cycles = cycles_of(w, c, 1);
  const double formula = 2 * (std::log2(c.ranks) + c.packets) * (c.alpha + kWords + kStep);
  const double port = c.ranks > 3 ? 2 * (kWords + 4.0) : 0;
  const double per_packet = std::max(c.alpha + kWords + 3.0, port);
  report(c, cycles, formula);
  EXPECT_LE(cycles, 1.03 * formula);
  EXPECT_GE(cycles, 0.97 * c.packets * per_packet);
  // Every level adds a step, and at most a packet's time at the port.
  const double levels = std::ceil(std::log2(c.ranks));
  EXPECT_LE(cycles, 1.03 * (c.packets * per_packet +
                            levels * (c.alpha + kWords + kStep + (c.ranks > 3 ? kWords : 0))));
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
INSTANTIATE_TEST_SUITE_P(
    OnOnePort, TwoTreeReductions,
    ::testing::ValuesIn(grid({{kReduce, kMirrored}, {kScan, kMirrored}, {kExscan, kMirrored}})),
    test::ParameterName());
INSTANTIATE_TEST_SUITE_P(
    OnOnePort, LinearReductions,
    ::testing::ValuesIn(grid({{kReduce, kLinear}, {kScan, kLinear}, {kExscan, kLinear}})),
    test::ParameterName());
INSTANTIATE_TEST_SUITE_P(OnOnePort, BinaryReductions,
                         ::testing::ValuesIn(grid({{kReduce, "binary-tree"}})),
                         test::ParameterName());

}  // namespace
}  // namespace annelid::end_to_end
