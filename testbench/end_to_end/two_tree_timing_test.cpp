// The two-tree broadcast against its paper's time, (2h + 2k - c) (alpha + beta n / 2k), on a
// network that keeps the paper's promise: every two processes one hop apart, one port each
// (Sanders, Speck and Träff 2009, Section 4.1; docs/algorithms.md, "What a schedule costs").
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iostream>

#include "testbench/end_to_end/program.hpp"

namespace annelid::end_to_end {
namespace {

struct Case {
  int ranks, packets, words, alpha;  ///< words of a packet, one flit each
};

/// Cycles of a step beside those of its words: the modelled start-up, the packet's two flits of
/// header, the cycle in which a completion shows, and the one in which the next send is described.
int step_overhead(int alpha) { return alpha + 4; }

class TwoTreeTiming : public ::testing::TestWithParam<Case> {};

TEST_P(TwoTreeTiming, IsThePapersWithin2Percent) {
  const Case& c = GetParam();
  const Workplace w;
  const int bytes = 2 * c.packets * c.words * 8;
  const Outcome o = w.annelid(
      "run --quiet --topology ideal --router one-port --size 16x8 --firmware native --operation "
      "broadcast --algorithm two-tree --ranks " +
      std::to_string(c.ranks) + " --packets " + std::to_string(c.packets) + " --bytes " +
      std::to_string(bytes) + " --alpha " + std::to_string(c.alpha) + " --out " +
      w.path("out").string());
  ASSERT_EQ(o.status, 0) << o.out << o.err;
  const double cycles = w.result()["cycles"];

  const int processes = c.ranks - 1;  // in the trees; even, so that the closed form holds
  ASSERT_EQ(processes % 2, 0);
  const int h = static_cast<int>(std::ceil(std::log2(processes + 2)));
  const int steps = 2 * h + 2 * c.packets - (processes % 4 == 2 ? 2 : 3);
  const double paper = steps * (step_overhead(c.alpha) + 1.0 * c.words);
  std::cout << "[measured ] p = " << c.ranks << ", k = " << c.packets << ", " << c.words
            << " flits, alpha " << c.alpha << ": " << cycles << " cycles, paper " << paper << ", "
            << 100 * (cycles / paper - 1) << " %\n";
  EXPECT_NEAR(cycles / paper, 1, 0.02);
}

INSTANTIATE_TEST_SUITE_P(OnOnePort, TwoTreeTiming,
                         ::testing::Values(Case{63, 8, 64, 0}, Case{63, 8, 64, 100},
                                           Case{61, 16, 64, 200}, Case{61, 4, 256, 50},
                                           Case{7, 20, 64, 0}, Case{127, 4, 512, 0},
                                           Case{127, 32, 128, 400}));

}  // namespace
}  // namespace annelid::end_to_end
