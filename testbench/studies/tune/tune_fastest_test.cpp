// Where one algorithm becomes faster than another, from fabricated measurements with known answers.
// Parameter space: number of curves, where and how often they cross, ties, sizes that are no
// multiples of a flit.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "studies/tune/fastest.hpp"

namespace annelid::studies {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using Cycles = std::vector<std::vector<std::uint64_t>>;

// 100 + n against 300 + n / 2 cycles: equal at 400 bytes, so the second is faster from there on, a
// flit later.
TEST(Fastest, ChangesInTheFirstFlitBehindTheCrossing) {
  const std::vector<std::uint64_t> bytes = {0, 200, 1000};
  const Cycles cycles = {{100, 300, 1100}, {300, 400, 800}};
  EXPECT_THAT(fastest(bytes, cycles), ElementsAre(FastestFrom{0, 0}, FastestFrom{408, 1}));
}

TEST(Fastest, TakesFractionsOfACycleForWhatTheyAre) {
  // d(n) = -1 at 0 and +2 at 1000: zero at 333.3, so faster from 334, in flits 336.
  EXPECT_THAT(fastest({0, 1000}, {{10, 20}, {11, 18}}),
              ElementsAre(FastestFrom{0, 0}, FastestFrom{336, 1}));
}

TEST(Fastest, KnowsACurveThatIsTheLowestBetweenTwoSizesOnly) {
  // 0 wins at 0 bytes, 2 at 800; but between 200 and 600 the flat 1 is below both.
  const Cycles cycles = {{0, 800}, {200, 200}, {800, 0}};
  EXPECT_THAT(fastest({0, 800}, cycles),
              ElementsAre(FastestFrom{0, 0}, FastestFrom{208, 1}, FastestFrom{608, 2}));
}

TEST(Fastest, MayComeBack) {
  const Cycles cycles = {{10, 20, 10}, {20, 10, 20}};
  EXPECT_THAT(fastest({80, 160, 240}, cycles),
              ElementsAre(FastestFrom{0, 0}, FastestFrom{128, 1}, FastestFrom{208, 0}));
}

TEST(Fastest, OfEqualOnesIsTheFirstAndStaysWhatItWas) {
  EXPECT_THAT(fastest({8, 16}, {{5, 5}, {5, 5}}), ElementsAre(FastestFrom{0, 0}));
  // Curve 1 takes over, and is only equalled at the end.
  EXPECT_THAT(fastest({0, 80, 160}, {{1, 9, 9}, {9, 1, 9}}),
              ElementsAre(FastestFrom{0, 0}, FastestFrom{48, 1}));
}

TEST(Fastest, DoesNotGoBeyondTheLargerSizeForAFlit) {
  EXPECT_THAT(fastest({1, 3}, {{10, 20}, {15, 15}}),
              ElementsAre(FastestFrom{0, 0}, FastestFrom{3, 1}));
}

TEST(Fastest, HasOneChoiceForOneSizeAndNoneForNothing) {
  EXPECT_THAT(fastest({64}, {{7}, {5}, {6}}), ElementsAre(FastestFrom{0, 1}));
  EXPECT_THAT(fastest({}, {{}}), IsEmpty());
  EXPECT_THAT(fastest({64}, {}), IsEmpty());
}

// At every byte between the measured sizes the choice is the lowest line, but for the flit in which
// two cross.
TEST(Fastest, IsTheLowerEnvelopeOfRandomCurves) {
  std::uint32_t random = 1;
  const auto next = [&] { return (random = random * 1664525U + 1013904223U) >> 16U; };
  const std::vector<std::uint64_t> bytes = {8, 64, 512, 1000};
  std::size_t changes = 0;
  for (int again = 0; again < 200; ++again) {
    Cycles cycles(2 + next() % 5);
    for (auto& curve : cycles) {
      for (std::size_t i = 0; i < bytes.size(); ++i) curve.push_back(100 + next() % 900);
    }
    const auto choices = fastest(bytes, cycles);
    changes += choices.size() - 1;
    for (std::size_t i = 1; i < choices.size(); ++i) {
      ASSERT_LT(choices[i - 1].from, choices[i].from);
      ASSERT_NE(choices[i - 1].curve, choices[i].curve);
    }
    for (std::size_t i = 0; i + 1 < bytes.size(); ++i) {
      const auto length = static_cast<double>(bytes[i + 1] - bytes[i]);
      for (std::uint64_t n = bytes[i]; n <= bytes[i + 1]; ++n) {
        const auto line = [&](std::size_t curve) {
          const double part = static_cast<double>(n - bytes[i]) / length;
          return static_cast<double>(cycles[curve][i]) * (1 - part) +
                 static_cast<double>(cycles[curve][i + 1]) * part;
        };
        std::size_t chosen = 0;
        bool in_flit_before = false;
        for (const FastestFrom& f : choices) {
          if (f.from <= n) chosen = f.curve;
          in_flit_before |= f.from > n && f.from < n + 8;
        }
        if (in_flit_before) continue;
        for (std::size_t other = 0; other < cycles.size(); ++other) {
          ASSERT_LE(line(chosen), line(other) + 1e-6) << n << " bytes";
        }
      }
    }
  }
  EXPECT_GT(changes, 300u);
}

TEST(SizesBetween, HalvesEachStretchInWhichTheFastestChanges) {
  // Changes at 100 (between 64 and 256) and at 1024 exactly (between 256 and 1024).
  const std::vector<FastestFrom> choices = {{0, 0}, {100, 1}, {1024, 0}};
  EXPECT_THAT(sizes_between({64, 256, 1024, 4096}, choices), ElementsAre(128, 512));
  EXPECT_THAT(sizes_between({64, 72}, {{0, 0}, {72, 1}}), IsEmpty());  // no flit between
  EXPECT_THAT(sizes_between({64, 4096}, {{0, 3}}), IsEmpty());
}

}  // namespace
}  // namespace annelid::studies
