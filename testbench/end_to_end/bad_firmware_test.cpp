// What firmware gets wrong: a report, exit status 1.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "testbench/end_to_end/program.hpp"

namespace annelid::end_to_end {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

std::string elf(const char* name) {
  return std::string("--firmware ") + ANNELID_TEST_ELF_DIR + "/" + name;
}

TEST(Firmware, ATrapIsReportedWithNodePcCauseAndFunction) {
  const Workplace w;
  const Outcome o = w.run(elf("traps.elf"));
  EXPECT_EQ(o.status, 1);
  EXPECT_THAT(o.err,
              AllOf(HasSubstr("node 0,0, cycle "), HasSubstr("trapped: illegal instruction"),
                    HasSubstr("mcause 2"), HasSubstr("stumble+0x4"), HasSubstr("traps.S:6")));
}

TEST(Firmware, AnErrorOfTheNicIsReportedWithNodeCycleAndCause) {
  const Workplace w;
  const Outcome o = w.run(elf("errs.elf"));
  EXPECT_EQ(o.status, 1);
  EXPECT_THAT(o.err, AllOf(HasSubstr("node 0,0, cycle 3: the NIC found BAD_ADDRESS"),
                           HasSubstr("not in the network")));
  EXPECT_FALSE(std::filesystem::exists(w.path("out") / "result.json"));
}

TEST(Firmware, OneThatNeverEndsIsStoppedByTheCycleLimit) {
  const Workplace w;
  const Outcome o = w.run(elf("spins.elf") + " --cycle-limit 5000");
  EXPECT_EQ(o.status, 1);
  EXPECT_THAT(o.err, AllOf(HasSubstr("cycle limit: 5000 cycles are over"),
                           HasSubstr("64 nodes have not finished"), HasSubstr("node 0,0:"),
                           HasSubstr("in spin"), HasSubstr("and 60 more")));
}

TEST(Firmware, OneThatSleepsForEverIsReportedAsAStall) {
  const Workplace w;
  const Outcome o = w.run(elf("sleeps.elf"));
  EXPECT_EQ(o.status, 1);
  EXPECT_THAT(o.err, AllOf(HasSubstr("stall: the network is empty"),
                           HasSubstr("64 nodes still wait"), HasSubstr("2 nodes wait in a circle"),
                           HasSubstr("node 0,0 waits for 1,0: receive 0 from 1,0 tag 0 (0 bytes): "
                                     "offered, nothing has arrived"),
                           HasSubstr("node 1,0 waits for 0,0")));
}

TEST(Firmware, AStallThatIsNoCircleIsReportedAsAChainToItsCause) {
  const Workplace w;
  const Outcome o = w.run(elf("chains.elf"));
  EXPECT_EQ(o.status, 1);
  EXPECT_THAT(o.err, AllOf(HasSubstr("stall: the network is empty"),
                           HasSubstr("node 0,0 waits for 1,0: receive 0 from 1,0"),
                           HasSubstr("node 6,0 waits for 7,0: receive 0 from 7,0"),
                           HasSubstr("node 7,0 waits for no other node:"),
                           HasSubstr("1 of its calls not finished")));
}

}  // namespace
}  // namespace annelid::end_to_end
