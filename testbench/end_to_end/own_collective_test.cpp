// A collective that the user has written, called by its name: those of
// docs/how-to/write-a-collective.md. State space: expected as a known operation, as a file for each
// node and one for all; right and wrong results; an own algorithm of a known operation; what is
// refused. Trace, profile and the report of a trap, of the project's firmware.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "testbench/end_to_end/program.hpp"

namespace annelid::end_to_end {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kGuide = " --firmware " GUIDE_ELF;

Outcome run(const Workplace& w, const std::string& arguments) {
  return w.annelid("run --size 3x2 --out " + w.path("out").string() + " " + arguments);
}

TEST(OwnCollective, IsCalledByItsNameAndHeldAgainstAKnownOperation) {
  const Workplace w;
  const std::string call = "--operation ring_all_gather --bytes 40" + std::string(kGuide);
  const Outcome o = run(w, call + " --expected all-gather");
  ASSERT_EQ(o.status, 0) << o.out << o.err;
  EXPECT_THAT(o.out, AllOf(HasSubstr("ring_all_gather on the 3x2 mesh"),
                           HasSubstr("held    bytes: blocks of 40 bytes at 6 of 6 nodes"),
                           HasSubstr("held    calls: "), HasSubstr("not run schedule: ")));
  const auto collective = w.result()["configuration"]["collective"];
  EXPECT_EQ(collective["operation"], "ring_all_gather");
  EXPECT_EQ(collective["expected"], "all-gather");

  const Outcome wrong = run(w, call + " --expected all-reduce --type int32");
  EXPECT_EQ(wrong.status, 1);
  EXPECT_THAT(wrong.out, HasSubstr("FAILED  bytes: node (0,0): "));
}

/// An element: the value above, the place below.
std::string element(int value, int place) {
  std::string text;
  for (const int word : {place, value}) {
    for (int i = 0; i < 4; ++i) text += static_cast<char>(word >> (8 * i));
  }
  return text;
}

TEST(OwnCollective, IsHeldAgainstAFileOfEachNodesTarget) {
  const Workplace w;
  std::string source, expected;
  for (int node = 0; node < 6; ++node) source += element(node == 4 ? 900 : 10 * node, node);
  const std::string call = "--operation largest_element --type int64 --payload " +
                           w.file("source", source) + std::string(kGuide) + " --expected ";
  // Written at the root, and used by all: what it leaves at others is the tree's.
  for (const int best : {0, 1, 2, 3, 4, 5}) {
    const int at[] = {4, 1, 3, 3, 4, 5};
    expected += element(at[best] == 4 ? 900 : 10 * at[best], at[best]);
  }
  const Outcome o = run(w, call + w.file("expected", expected));
  EXPECT_EQ(o.status, 0) << o.out << o.err;
  EXPECT_THAT(o.out, HasSubstr("8 bytes of TARGET at 6 of 6 nodes equal "));
  const Outcome wrong = run(w, call + w.file("one", element(900, 4)));
  EXPECT_EQ(wrong.status, 1);
  EXPECT_THAT(wrong.out, HasSubstr("FAILED  bytes: node (1,0): TARGET, byte 0: expected 0x04"));
  std::filesystem::remove(w.path("out") / "result.json");
  expect_refused(w, run(w, call + w.file("short", "abc")),
                 {"--expected", "a file of 3 bytes", "8 bytes", "or 48"});
}

TEST(OwnCollective, ThatNobodyKnowsOrThatExpectsNothingIsRefused) {
  const Workplace w;
  expect_refused(w, run(w, "--operation ring_all_gather"),
                 {"--operation", "ring_all_gather", "\"all-to-all\""});
  expect_refused(w, run(w, std::string("--operation ring_all_gather") + kGuide),
                 {"--operation", "a collective of your own", "--expected"});
  expect_refused(w, run(w, "--operation gather --expected gather"),
                 {"--expected", "a collective of your own"});
}

// ---- What the cores do
// ---------------------------------------------------------------------------

TEST(CoreRecordings, OfARunAreThoseOfFirmwareRun) {
  const Workplace w;
  const Outcome o = run(w, "--profile");
  ASSERT_EQ(o.status, 0) << o.err;
  EXPECT_THAT(o.out, AllOf(HasSubstr(" function\n"), HasSubstr("annelid::firmware::Node::"),
                           HasSubstr("asleep in WFI")));
  const std::string result = w.text("out/result.json");
  ASSERT_EQ(run(w, "--quiet").status, 0);
  EXPECT_EQ(w.text("out/result.json"), result) << "being watched changes nothing";
  ASSERT_EQ(run(w, "--quiet --trace-node 1 --trace " + w.path("trace").string()).status, 0);
  EXPECT_THAT(w.text("trace"),
              AllOf(HasSubstr(" 1,0   00000000 _start "), Not(HasSubstr(" 2,0   0")),
                    HasSubstr("firmware/platform/node.cpp:")));
  const Workplace other;
  expect_refused(other, run(other, "--firmware native --profile"),
                 {"--profile", "native firmware", "--firmware rv32"});
}

TEST(Traps, AreReportedWithPlaceRegistersAndCallers) {
  const Workplace w;
  const Outcome o = run(w, std::string("--firmware ") + ANNELID_TEST_ELF_DIR + "/traps.elf");
  EXPECT_EQ(o.status, 1);
  EXPECT_THAT(o.err, AllOf(HasSubstr("illegal instruction (mcause 2, mtval 0xffffffff) at 0x"),
                           HasSubstr("\n  registers\n      ra "), HasSubstr("\n  callers\n"),
                           HasSubstr("no frame information here (compile with -g)")));
}

}  // namespace
}  // namespace annelid::end_to_end
