// Verdicts: what is equal, what is within a tolerance, that a wrong number differs; and that no
// claim can be made without a source.
#include "studies/reproduce/claims.hpp"

#include <gtest/gtest.h>

#include <concepts>

#include "testbench/studies/reproduce/made_up.hpp"

namespace annelid::reproduction {
namespace {

constexpr const char* kPlace = "Paper 1900, 1";

Printed p100() { return printed("Paper 1900, 1", "100 us"); }

TEST(Claims, ANumberIsEqualAsFarAsItIsPrinted) {
  const Printed hops = printed("Paper 1900, 1", "1.86 hops");
  EXPECT_EQ(number("x", hops, 1.8574, BySchedule{}, 0).verdict, Verdict::kEqual);
  EXPECT_EQ(number("x", hops, 1.865, BySchedule{}, 0).verdict, Verdict::kEqual);
  EXPECT_EQ(number("x", hops, 1.854, BySchedule{}, 0).verdict, Verdict::kDiffers);
  const Printed bytes = printed("Paper 1900, 1", "7000");
  EXPECT_EQ(number("x", bytes, 7000.4, ByFormula{}, 0).verdict, Verdict::kEqual);
  EXPECT_EQ(number("x", bytes, 7000.6, ByFormula{}, 0).verdict, Verdict::kDiffers);
}

TEST(Claims, AWrongNumberDiffersAndSaysWhy) {
  const Claim claim = number("x", p100(), 111, FromData{}, 0.1, fact("Because."));
  EXPECT_EQ(claim.verdict, Verdict::kDiffers);
  EXPECT_EQ(claim.why, "Because.");
  EXPECT_EQ(claim.paper, "100 us");
  EXPECT_EQ(claim.place, kPlace);
  EXPECT_EQ(claim.ours, "111.0 us");
  EXPECT_NEAR(*claim.deviation, 0.11, 1e-12);
  EXPECT_EQ(number("x", p100(), 109, FromData{}, 0.1).verdict, Verdict::kWithin);
  EXPECT_EQ(number("x", p100(), 91, FromData{}, 0.1).verdict, Verdict::kWithin);
  EXPECT_EQ(number("x", p100(), 89, FromData{}, 0.1).verdict, Verdict::kDiffers);
  EXPECT_EQ(number("x", p100(), 100, FromData{}, 0.1, fact("Because.")).why, "");
}

TEST(Claims, AHypothesisIsCalledOneAndAMissingReasonIsAdmitted) {
  const auto why = [](const Reason& reason) {
    return number("x", p100(), 150, FromData{}, 0.1, reason).why;
  };
  EXPECT_EQ(why(hypothesis("They read it off a plot.")), "Hypothesis: They read it off a plot.");
  EXPECT_EQ(why(fact("It has 3 digits.") + hypothesis("they read it off a plot.")),
            "It has 3 digits. Hypothesis: they read it off a plot.");
  EXPECT_THROW((void)fact("Hypothesis: they read it off a plot."), std::invalid_argument);
  EXPECT_EQ(why({}), "No reason is known.");
}

TEST(Claims, CountsHaveNoTolerance) {
  const Printed six = printed("Paper 1900, 1", "6"), none = printed("Paper 1900, 1", "0");
  EXPECT_EQ(count("x", six, 6, BySchedule{}).verdict, Verdict::kEqual);
  EXPECT_EQ(count("x", six, 7, BySchedule{}).verdict, Verdict::kDiffers);
  EXPECT_EQ(count("x", none, 1, BySchedule{}).verdict, Verdict::kDiffers);
  const Claim formula = count("x", Formula{"3n/4", 6}, 7, BySchedule{});
  EXPECT_EQ(formula.verdict, Verdict::kDiffers);
  EXPECT_EQ(formula.computed, "6 (3n/4)");
}

TEST(Claims, SharesAreJudgedInPercentagePoints) {
  const Printed paper = printed("Paper 1900, 1", "27 percent");
  EXPECT_EQ(share("x", paper, 0.272, BySchedule{}, 0.03).verdict, Verdict::kEqual);
  EXPECT_EQ(share("x", paper, 0.299, BySchedule{}, 0.03).verdict, Verdict::kWithin);
  EXPECT_EQ(share("x", paper, 0.301, BySchedule{}, 0.03).verdict, Verdict::kDiffers);
}

TEST(Claims, BoundsAreStrict) {
  const Printed third = printed("Paper 1900, 1", "less than a third").meaning({1.0 / 3, 3});
  EXPECT_EQ(below("x", third, 0.32, BySchedule{}).verdict, Verdict::kEqual);
  EXPECT_EQ(below("x", third, 0.34, BySchedule{}).verdict, Verdict::kDiffers);
  const Printed more = printed("Paper 1900, 1", "more than 1.5").meaning({1.5, 1});
  EXPECT_EQ(above("x", more, 1.51, BySchedule{}).verdict, Verdict::kEqual);
  EXPECT_EQ(above("x", more, 1.5, BySchedule{}).verdict, Verdict::kDiffers);
}

TEST(Claims, WordsAreNoNumberUnlessTheirMeaningIsGiven) {
  const Printed words = printed("Paper 1900, 1", "about a factor 3");
  EXPECT_THROW(static_cast<void>(number("x", words, 3, BySchedule{}, 0.1)), std::invalid_argument);
  const Claim claim = number("x", words.meaning({3, 0}), 4.46, BySchedule{}, 0.1);
  EXPECT_EQ(claim.verdict, Verdict::kDiffers) << "a factor of 3 is not 4.46";
  EXPECT_EQ(claim.paper, "about a factor 3");
}

TEST(Claims, WhatWeComputedStandsInAColumnOfItsOwn) {
  const Claim claim = number("x", Formula{"Eq. 1", 2.5, 1, "us"}, 2.52, BySchedule{}, 0.1);
  EXPECT_EQ(claim.paper, "");
  EXPECT_EQ(claim.computed, "2.5 us (Eq. 1)");
  EXPECT_EQ(claim.verdict, Verdict::kEqual);
  const Claim scheduled =
      words("x", Scheduled{"5 steps"}, true, "5 steps", OnHardware({one_measured()}));
  EXPECT_EQ(scheduled.paper, "");
  EXPECT_EQ(scheduled.computed, "5 steps");
}

TEST(Claims, KeepTheirEvidenceAndTheirRuns) {
  EXPECT_EQ(number("x", p100(), 1, BySchedule{}, 0).evidence, Evidence::kSchedule);
  EXPECT_EQ(number("x", p100(), 1, ByFormula{}, 0).evidence, Evidence::kArithmetic);
  EXPECT_EQ(number("x", p100(), 1, FromData{}, 0).evidence, Evidence::kArithmetic);
  const Claim hardware = number("x", p100(), 1, OnHardware({one_measured()}), 0);
  EXPECT_EQ(hardware.evidence, Evidence::kHardware);
  ASSERT_EQ(hardware.runs.size(), 1u);
  EXPECT_EQ(hardware.runs[0].run().algorithm, "edn");
  EXPECT_EQ(not_yet("x", p100(), "Later.").evidence, std::nullopt);
}

TEST(Claims, AClaimAboutHardwareNeedsARun) { EXPECT_THROW(OnHardware({}), std::invalid_argument); }

// What a comparison that proves nothing would look like. None of these compiles.
template <typename Claimed, typename By>
concept Comparable = requires(Claimed claimed, By by) {
  number("x", claimed, 1.0, by, 0.1);
};
template <typename Claimed, typename By>
concept InWords = requires(Claimed claimed, By by) {
  words("x", claimed, true, "y", by);
};

static_assert(Comparable<Printed, OnHardware> && Comparable<Printed, BySchedule> &&
              Comparable<Printed, ByFormula> && Comparable<Printed, FromData>);
static_assert(Comparable<Formula, OnHardware> && Comparable<Formula, BySchedule>);
static_assert(!Comparable<Formula, ByFormula>, "a formula compared with a formula");
static_assert(!Comparable<Formula, FromData>, "a formula compared with arithmetic");
static_assert(InWords<Scheduled, OnHardware>);
static_assert(!InWords<Scheduled, BySchedule>, "a schedule compared with itself");
static_assert(!InWords<Scheduled, ByFormula> && !InWords<Formula, ByFormula>);
// A number of ours is no number of a paper, and no run.
static_assert(!std::constructible_from<Printed, double>);
static_assert(!std::constructible_from<Printed, std::string, std::string>);
static_assert(!std::constructible_from<Literal, std::string>);
static_assert(!std::constructible_from<Measured, Run, Measurement>);
static_assert(!Comparable<double, OnHardware> && !Comparable<Printed, double>);

TEST(Claims, AnItemIsAsGoodAsItsWorstClaim) {
  const Printed one = printed("Paper 1900, 1", "1");
  const Claim equal = count("x", one, 1, BySchedule{});
  const Claim within = number("x", p100(), 101, BySchedule{}, 0.1);
  const Claim later = not_yet("x", one, "Not there."), wrong = count("x", one, 2, BySchedule{});
  EXPECT_EQ(worst({}), Verdict::kEqual);
  EXPECT_EQ(worst({equal, within}), Verdict::kWithin);
  EXPECT_EQ(worst({equal, later, within}), Verdict::kNotYet);
  EXPECT_EQ(worst({later, wrong, equal}), Verdict::kDiffers);
}

}  // namespace
}  // namespace annelid::reproduction
