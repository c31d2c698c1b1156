// The cross-compiled rules against the host's: integer widths, char's sign, shifts, division.
#include "testbench/firmware/plan_digest.hpp"

#include <gtest/gtest.h>

#include <cstdio>

namespace annelid::firmware {
namespace {

TEST(PlanDigest, Rv32CodeComputesTheSamePlans) {
  std::uint32_t plans = 0;
  const std::uint32_t digest = plan_digest(plans);
  EXPECT_GT(plans, 200'000U);

  FILE* pipe = popen(PLAN_DIGEST_COMMAND, "r");
  ASSERT_NE(pipe, nullptr);
  unsigned rv32_digest = 0, rv32_plans = 0;
  const int read = std::fscanf(pipe, "%x %x", &rv32_digest, &rv32_plans);
  EXPECT_EQ(pclose(pipe), 0);
  ASSERT_EQ(read, 2);
  EXPECT_EQ(rv32_plans, plans);
  EXPECT_EQ(rv32_digest, digest);
}

}  // namespace
}  // namespace annelid::firmware
