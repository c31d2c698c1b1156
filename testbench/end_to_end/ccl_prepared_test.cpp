// Operations of CCL that programs for the nodes prepare once and start many times, on the core and
// natively, and what they cost the core.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "testbench/end_to_end/kit_programs.hpp"

namespace annelid::end_to_end {
namespace {

TEST(CclPrepared, OperationsHaveTheSameResultsAtEachStart) {
  const Workplace w;
  const std::string elf = built(w, kPrograms + "ccl_prepared.c");
  for (const char* run : {"1", "2x1", "3x2 -- 2", "4x4", "4x4 --topology torus --eager-bytes 0"}) {
    const Outcome o = w.annelid("firmware run " + elf + " --quiet --size " + run);
    EXPECT_EQ(o.status, 0) << run << "\n" << o.out << o.err;
  }
}

TEST(CclPrepared, NativelyToo) {
  const Workplace w;
  const std::string program = w.path("prepared.so").string();
  const Outcome b =
      w.annelid("firmware build --native " + kPrograms + "ccl_prepared.c -o " + program);
  EXPECT_EQ(b.status, 0) << b.err;
  for (const char* run : {"1", "3x2 -- 2", "4x4"}) {
    const Outcome o = w.annelid("firmware run --native " + program + " --quiet --size " + run);
    EXPECT_EQ(o.status, 0) << run << "\n" << o.out << o.err;
  }
}

TEST(CclPrepared, TheProgramOfTheGuideEnds) {
  const Workplace w;
  const std::string elf = built_text(w, "prepared.c", R"(
#include <ccl.h>
NIC_MEMORY static unsigned value, sum;
int main(void) {
  struct ccl_request request;
  int result = ccl_combine_init(ALL, &sum_uint32, &value, &sum, 1, 7, &request);
  for (unsigned round = 0; result == 0 && round < 10; ++round) {
    value = mypid + round;
    result = ccl_start(&request);
    if (result == 0) result = ccl_wait(&request);
    if (sum != 28 + 8 * round) result = 1;
  }
  ccl_request_free(&request);
  return result;
}
)");
  const Outcome o = w.annelid("firmware run " + elf + " --quiet --size 4x2");
  EXPECT_EQ(o.status, 0) << o.out << o.err;
}

}  // namespace
}  // namespace annelid::end_to_end
