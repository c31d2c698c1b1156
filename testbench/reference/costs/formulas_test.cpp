// The papers' closed forms against numbers that the papers print, and against each other. State
// space: the parameters named in the texts; d, k, n up to 10 for identities.
#include "reference/costs/formulas.hpp"

#include <gtest/gtest.h>

namespace annelid::reference::formulas {
namespace {

TEST(Formulas, GiveTheNumbersOfSection333) {
  // nCUBE-2: 0.45 us a byte, 170 us; "EDN 32x32 is about RD 8x8" at 2 KB.
  const Cost ncube{85, 0.45, 85};
  EXPECT_NEAR(edn_2d(ncube, 5).at(2048), 15 * 85 + 6 * 85 + 6 * 0.45 * 2048, 1e-9);
  EXPECT_NEAR(edn_2d(ncube, 5).at(2048), 7315, 1);
  EXPECT_NEAR(recursive_doubling_2d(ncube, 3).at(2048), 6550, 1);
}

TEST(Formulas, GiveTheCrossoversOfSections333And344WithAlphaEqualGamma) {
  const Cost c{7, 0.5, 7};
  for (int k = 2; k <= 10; ++k) {
    EXPECT_NEAR(crossover(edn_2d(c, k), recursive_doubling_2d(c, k)), 7 / ((k - 1) * 0.5), 1e-9);
    for (int m = 0; m <= 4; ++m) {
      EXPECT_NEAR(crossover(edn_3d(c, k, m), recursive_doubling_3d(c, k, m)),
                  (m + 2) * 7 / ((k + 2) * 0.5), 1e-9);
    }
  }
  EXPECT_NEAR(crossover(edn_2d({85, .45, 85}, 3), recursive_doubling_2d({85, .45, 85}, 3)), 94,
              0.5);
  EXPECT_NEAR(crossover(edn_2d({85, .45, 85}, 5), recursive_doubling_2d({85, .45, 85}, 5)), 47,
              0.5);
}

TEST(Formulas, Equation41IsTheSumOverItsSteps) {
  // 2 delta hops in each step of a phase, 2 in the F step.
  const Cost c{3, 2, 5};
  for (int d = 2; d <= 8; ++d) {
    double sum = 0;
    int steps = 0;
    for (int delta = (1 << d) / 4; delta >= 1; delta /= 4) {
      for (int i = 0; i < 2; ++i, ++steps) sum += 2 * c.alpha + message(c, 2 * delta, 100);
    }
    if (d % 2 == 1) {
      sum += 2 * c.alpha + message(c, 2, 100);
      ++steps;
    }
    EXPECT_EQ(steps, d);
    EXPECT_NEAR(edn_torus(c, d).at(100), sum, 1e-9) << d;
  }
}

TEST(Formulas, Equation42IsTheSumOverItsSteps) {
  const Cost c{3, 2, 5};
  for (int d = 1; d <= 8; ++d) {
    double sum = 0;
    for (int i = 1; i <= d; ++i) sum += 2 * message(c, (1 << d) >> i, 100);
    EXPECT_NEAR(u_torus(c, 1 << d, 1 << d).at(100), sum, 1e-9);
  }
}

TEST(Formulas, Condition43IsTheComparisonOf41And42) {
  for (int d = 1; d <= 8; ++d) {
    for (double alpha : {0.5, 10.0, 100.0, 1000.0}) {
      for (double gamma : {0.0, 9.0, 200.0}) {
        for (double length : {0.0, 16.0, 256.0}) {
          const Cost c{alpha, 1, gamma};
          const int n = 1 << d;
          EXPECT_EQ(edn_torus_is_not_slower(c, d, length),
                    edn_torus(c, d).at(length) <= u_torus(c, n, n).at(length) + 1e-9)
              << d << " " << alpha << " " << gamma << " " << length;
        }
      }
    }
  }
}

TEST(Formulas, GiveTheCrossoverOfScatterCollectAndFibonacciTreeOfSection542) {
  for (const Cost& c : {Cost{1.5, 0.009, 1.5}, Cost{0.5, 0.003, 0.5}}) {
    const double length = crossover(scatter_collect(c, 5), fibonacci_tree(c, 5, 18));
    EXPECT_NEAR(length, 427.26, 0.005);  // printed 425.5 and 425.25
  }
}

TEST(Formulas, ScatterCollectIsAlwaysBetterThanTheTreeFrom20PacketsOn) {
  const Cost c{1.5, 0.009, 1.5};
  for (int k = 4; k <= 40; ++k) {
    const LinearTime sc = scatter_collect(c, 5), ft = fibonacci_tree(c, 5, k);
    EXPECT_EQ(sc.start < ft.start && sc.per_length < ft.per_length, k >= 20) << k;
  }
}

TEST(Formulas, GiveTheCrossoversOfEdnAndScatterCollectOfSection543) {
  // By the formulas; Figure 5.13's reading is 14 KB, 7000 and 4200.
  const double a = 0.5;
  const auto at = [&](double tau) {
    const Cost c{a, tau * 2 * a, a};
    return crossover(scatter_collect(c, 5), edn_approximate(c, 5));
  };
  EXPECT_NEAR(at(0.001), 15406, 1);
  EXPECT_NEAR(at(0.002), 7722, 1);
  EXPECT_NEAR(at(0.003), 5161, 1);
}

TEST(Formulas, Table53IsTheSumOfItsSteps) {
  const Cost c{3, 2, 5};
  for (int n = 1; n <= 8; ++n) {
    const double side = 1 << n;
    double doubling = 0, start = 0, volume = 0;
    for (int i = 1; i <= n; ++i) doubling += 2 * message(c, (1 << n) >> i, 100);
    EXPECT_NEAR(dimensional_broadcast(c, n).at(100), doubling, 1e-9);
    // Scatter: as many hops as doubling, halves of what is left; collect: two hops a message.
    for (int i = 1; i <= n; ++i) {
      start += 2 * message(c, (1 << n) >> i, 0);
      volume += (1 + 1 / side) / (1 << i);
    }
    start += 2 * (side - 1) * message(c, 2, 0);
    volume += (side - 1) * (1 / side + 1 / (side * side));
    EXPECT_NEAR(scatter_collect(c, n).start, start, 1e-9);
    EXPECT_NEAR(scatter_collect(c, n).per_length, volume * c.beta, 1e-9);
  }
}

TEST(Formulas, GiveTable2OfBarnettAndOthers) {
  // p = 30: 1 x 30 M 5, 150; 1 x 30 SC 34, 58; 5 x 6 SSCC 15, 98 (thirtieths of n beta), the last
  // with the messages of interleaved groups sharing links, so it is not the mesh's.
  const Cost c{1, 30, 0};
  EXPECT_NEAR(mst_broadcast(c, 30).start, 5, 1e-9);
  EXPECT_NEAR(mst_broadcast(c, 30).per_length, 150, 1e-9);
  EXPECT_NEAR(scatter_collect_line(c, 30).start, 34, 1e-9);
  EXPECT_NEAR(scatter_collect_line(c, 30).per_length, 58, 1e-9);
  EXPECT_NEAR(scatter_collect_mesh(c, 5, 6).start, 15, 1e-9);
  EXPECT_NEAR(scatter_collect_mesh(c, 5, 6).per_length, 58, 1e-9);
  EXPECT_NEAR(bucket_combine(c, 30, 2).per_length, 29.0 / 30 * 32, 1e-9);
}

TEST(Formulas, GiveTheAllToAllOfTwelveNodes) {
  EXPECT_NEAR(token_all_to_all({10, 2, 0}, 12).at(5), 12 * 11 * 20, 1e-9);
}

TEST(Formulas, GiveTheFewestStepsOfABroadcast) {
  EXPECT_EQ(fewest_steps(1, 4), 0);
  EXPECT_EQ(fewest_steps(16, 3), 2);
  EXPECT_EQ(fewest_steps(17, 3), 3);
  EXPECT_EQ(fewest_steps(125, 4), 3);
  EXPECT_EQ(fewest_steps(65536, 1), 16);
}

TEST(Formulas, EdnOnToriIsNearTheBoundOfSection441) {
  // Figure 4.13: "at most one step away" up to 3000 nodes; three depths are two steps away.
  int exact = 0, two = 0, all = 0;
  for (int d = 2; d <= 5; ++d) {
    for (int z = 1; z * (1 << (2 * d)) <= 3000; ++z, ++all) {
      int steps = d;
      for (int zones = 1; zones < z; zones *= zones == 1 ? 7 : 6) ++steps;
      const auto nodes = static_cast<std::uint64_t>(z) << (2 * d);
      const int above = steps - fewest_steps(nodes, z == 1 ? 4 : 6);
      EXPECT_GE(above, 0);
      EXPECT_LE(above, 2) << d << " " << z;
      exact += above == 0 ? 1 : 0;
      two += above == 2 ? 1 : 0;
    }
  }
  EXPECT_EQ(all, 246);
  EXPECT_EQ(two, 3);
  EXPECT_GT(exact, 0);
}

}  // namespace
}  // namespace annelid::reference::formulas
