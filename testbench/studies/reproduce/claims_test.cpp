// Verdicts: what is equal, what is within a tolerance, and that a wrong number differs.
#include "studies/reproduce/claims.hpp"

#include <gtest/gtest.h>

namespace annelid::reproduction {
namespace {

TEST(Claims, ANumberIsEqualAsFarAsItIsPrinted) {
  EXPECT_EQ(number("x", 1.86, 2, 1.8574, 0).verdict, Verdict::kEqual);
  EXPECT_EQ(number("x", 1.86, 2, 1.865, 0).verdict, Verdict::kEqual);
  EXPECT_EQ(number("x", 1.86, 2, 1.854, 0).verdict, Verdict::kDiffers);
  EXPECT_EQ(number("x", 7000, 0, 7000.4, 0).verdict, Verdict::kEqual);
}

TEST(Claims, AWrongNumberDiffersAndSaysWhy) {
  const Claim claim = number("x", 100, 0, 111, 0.1, "us", "because");
  EXPECT_EQ(claim.verdict, Verdict::kDiffers);
  EXPECT_EQ(claim.why, "because");
  EXPECT_EQ(claim.paper, "100 us");
  EXPECT_NEAR(*claim.deviation, 0.11, 1e-12);
  EXPECT_EQ(number("x", 100, 0, 109, 0.1).verdict, Verdict::kWithin);
  EXPECT_EQ(number("x", 100, 0, 91, 0.1).verdict, Verdict::kWithin);
  EXPECT_EQ(number("x", 100, 0, 89, 0.1).verdict, Verdict::kDiffers);
  EXPECT_EQ(number("x", 100, 0, 100, 0.1, "us", "because").why, "");
}

TEST(Claims, CountsHaveNoTolerance) {
  EXPECT_EQ(count("x", 6, 6).verdict, Verdict::kEqual);
  EXPECT_EQ(count("x", 6, 7).verdict, Verdict::kDiffers);
  EXPECT_EQ(count("x", 0, 1).verdict, Verdict::kDiffers);
}

TEST(Claims, SharesAreJudgedInPercentagePoints) {
  EXPECT_EQ(share("x", 0.27, 0.272, 0.03).verdict, Verdict::kEqual);
  EXPECT_EQ(share("x", 0.27, 0.299, 0.03).verdict, Verdict::kWithin);
  EXPECT_EQ(share("x", 0.27, 0.301, 0.03).verdict, Verdict::kDiffers);
}

TEST(Claims, BoundsAreStrict) {
  EXPECT_EQ(below("x", 1.0 / 3, "less than a third", 0.32).verdict, Verdict::kEqual);
  EXPECT_EQ(below("x", 1.0 / 3, "less than a third", 0.34).verdict, Verdict::kDiffers);
  EXPECT_EQ(above("x", 1.5, "more than 1.5", 1.51).verdict, Verdict::kEqual);
  EXPECT_EQ(above("x", 1.5, "more than 1.5", 1.5).verdict, Verdict::kDiffers);
}

TEST(Claims, AnItemIsAsGoodAsItsWorstClaim) {
  const Claim equal = count("x", 1, 1), within = number("x", 100, 0, 101, 0.1);
  const Claim later = not_yet("x", "1", "not there"), wrong = count("x", 1, 2);
  EXPECT_EQ(worst({}), Verdict::kEqual);
  EXPECT_EQ(worst({equal, within}), Verdict::kWithin);
  EXPECT_EQ(worst({equal, later, within}), Verdict::kNotYet);
  EXPECT_EQ(worst({later, wrong, equal}), Verdict::kDiffers);
}

}  // namespace
}  // namespace annelid::reproduction
