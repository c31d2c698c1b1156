// f(L) of the tau-model: what formulas mean, the inverse, and what is refused. State space: each
// operator and function, their precedence, steps and flat parts; texts that are no formula, and
// functions that Eq. 5.1 does not have.
#include "reference/costs/length_function.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

namespace annelid::reference {
namespace {

using ::testing::HasSubstr;

double value_of(const std::string& formula, double length) {
  return LengthFunction::parse(formula)(length);
}

TEST(LengthFunction, IsTheLengthByDefault) {
  const LengthFunction f;
  EXPECT_TRUE(f.is_length());
  EXPECT_TRUE(LengthFunction::parse("L").is_length());
  EXPECT_EQ(f(512), 512);
  EXPECT_EQ(*f.inverse(427.25), 427.25);
}

TEST(LengthFunction, ComputesFormulasWithTheUsualPrecedence) {
  EXPECT_EQ(value_of("L + 2 * L", 5), 15);
  EXPECT_EQ(value_of("(L + 2) * L", 5), 35);
  EXPECT_EQ(value_of("10 - 4 - 6 + L", 5), 5);
  EXPECT_EQ(value_of("L / 2 / 5", 20), 2);
  EXPECT_EQ(value_of("L^2^3", 2), 256);
  EXPECT_EQ(value_of("-L^2 + 2*L^2", 3), 9);
  EXPECT_EQ(value_of("1.5e1*L", 2), 30);
  EXPECT_EQ(value_of("ceil(L/4096)", 4097), 2);
  EXPECT_EQ(value_of("floor(L/8) * 8", 15), 8);
  EXPECT_EQ(value_of("max(0, L - 64)", 100), 36);
  EXPECT_EQ(value_of("min(L, 64)", 100), 64);
  EXPECT_DOUBLE_EQ(value_of("L * log2(L + 1)", 7), 21);
  EXPECT_NEAR(value_of("ln(L + 1)", 9), 2.302585, 1e-6);
  EXPECT_EQ(value_of("sqrt(L)", 49), 7);
}

TEST(LengthFunction, InverseIsTheLeastLengthThatReachesAValue) {
  EXPECT_NEAR(*LengthFunction::parse("L^2").inverse(144), 12, 1e-9);
  EXPECT_NEAR(*LengthFunction::parse("ceil(L/4096)").inverse(3), 8192, 1e-6);
  EXPECT_NEAR(*LengthFunction::parse("max(0, L - 64)").inverse(1), 65, 1e-9);
  EXPECT_EQ(*LengthFunction::parse("L^2").inverse(0), 0);
  EXPECT_FALSE(LengthFunction::parse("min(L, 64)").inverse(65));
}

std::string refusal_of(const std::string& formula) {
  try {
    (void)LengthFunction::parse(formula);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "accepted";
}

TEST(LengthFunction, RefusesWhatIsNoFormula) {
  EXPECT_THAT(refusal_of(""), HasSubstr("found the end"));
  EXPECT_THAT(refusal_of("L +"), HasSubstr("found the end"));
  EXPECT_THAT(refusal_of("2 L"), HasSubstr("found \"L\" at character 3, expected an operator"));
  EXPECT_THAT(refusal_of("M^2"), HasSubstr("found \"M^2\" at character 1, expected L, log2"));
  EXPECT_THAT(refusal_of("(L"), HasSubstr("expected \")\""));
  EXPECT_THAT(refusal_of("max(L)"), HasSubstr("expected \",\""));
  EXPECT_THAT(refusal_of("log2 L"), HasSubstr("expected \"(\""));
  EXPECT_THAT(refusal_of("1..2*L"), HasSubstr("found \".2*L\""));
  EXPECT_THAT(refusal_of(std::string(501, '(')), HasSubstr("501 characters"));
  EXPECT_THAT(refusal_of(std::string(500, '(')), HasSubstr("found the end"));
}

TEST(LengthFunction, RefusesFunctionsThatTheModelDoesNotHave) {
  EXPECT_THAT(refusal_of("L + 1"), HasSubstr("found f(0) = 1, expected f(0) = 0"));
  EXPECT_THAT(refusal_of("L * log2(L)"),
              HasSubstr("nan, expected f(0) = 0"));  // 0 times minus infinity
  EXPECT_THAT(refusal_of("L - 0.01 * L^2"), HasSubstr("expected a function that does not fall"));
  EXPECT_THAT(refusal_of("2^L - 1"), HasSubstr("inf"));
}

}  // namespace
}  // namespace annelid::reference
