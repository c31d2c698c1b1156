// The modes of CCL in programs for the nodes: which operations are barriers, and what develop mode
// finds (docs/internals/algorithms/ccl-modes.md).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "testbench/end_to_end/kit_programs.hpp"

namespace annelid::end_to_end {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(CclModes, InBarrierModeNobodyReturnsBeforeAllHaveCalled) {
  const Workplace w;
  const std::string elf = built(w, kPrograms + "ccl_barriers.c");
  // It is the default, and that of develop mode too.
  for (const char* run :
       {"--size 3x2 -- 12", "--size 2x2 --mode barrier -- 0", "--size 2x2 --develop -- 12"}) {
    const Outcome o = w.annelid("firmware run " + elf + " --quiet " + run);
    EXPECT_EQ(o.status, 0) << o.out << o.err;
    EXPECT_EQ(lines_of(o.out).size(), 11U) << o.out;
    EXPECT_THAT(o.out, Not(HasSubstr("no barrier"))) << run;
  }
}

TEST(CclModes, InNonBarrierModeOnlySomeOperationsAreBarriers) {
  const Workplace w;
  const std::string elf = built(w, kPrograms + "ccl_barriers.c");
  for (const char* bytes : {"12", "0"}) {
    const Outcome o =
        w.annelid("firmware run " + elf + " --quiet --size 3x2 --mode non-barrier -- " + bytes);
    EXPECT_EQ(o.status, 0) << o.out << o.err;
    for (const char* name : {"bcast", "scatter", "reduce", "gather", "prefix", "shift"}) {
      EXPECT_THAT(o.out, HasSubstr("0,0: " + std::string(name) + ": no barrier\n")) << bytes;
    }
    for (const char* name : {"combine", "concat", "index", "sync", "partition"}) {
      EXPECT_THAT(o.out, HasSubstr("0,0: " + std::string(name) + ": barrier\n")) << bytes;
    }
  }
}

TEST(CclModes, OperationsHaveTheSameResultsInEachMode) {
  const Workplace w;
  const std::string elf = built(w, kPrograms + "ccl_operations.c");
  for (const std::string& mode : kModes) {
    for (const char* run : {"1 -- 1 1", "4x2 -- 2 6"}) {
      const Outcome o =
          w.annelid("firmware run " + elf + " --quiet " + mode + " --size " + std::string(run));
      EXPECT_EQ(o.status, 0) << mode << ", " << run << "\n" << o.out << o.err;
    }
  }
}

TEST(CclModes, WithoutEagerMessagesTheyAlsoEnd) {
  const Workplace w;
  const std::string elf = built(w, kPrograms + "ccl_operations.c");
  const Outcome o =
      w.annelid("firmware run " + elf + " --quiet --develop --eager-bytes 0 --size 4x2 -- 1 3");
  EXPECT_EQ(o.status, 0) << o.out << o.err;
}

TEST(CclGroups, GridsAndHypercubes) {
  const Workplace w;
  const std::string elf = built(w, kPrograms + "ccl_grids.c");
  for (const std::string& mode : {kModes.front(), kModes.back()}) {
    const Outcome o = w.annelid("firmware run " + elf + " --quiet --size 6x4 " + mode);
    EXPECT_EQ(o.status, 0) << mode << "\n" << o.out << o.err;
  }
}

TEST(CclGroups, HaveAnyAlgorithmAndSeveralOperationsUnderWay) {
  const Workplace w;
  const std::string elf = built(w, kPrograms + "ccl_calls.cpp");
  for (const char* size : {"1", "4x4", "5x3", "2x7"}) {
    const Outcome o = w.annelid("firmware run " + elf + " --quiet --size " + std::string(size));
    EXPECT_EQ(o.status, 0) << size << "\n" << o.out << o.err;
  }
}

// ---- What develop mode finds --------------------------------------------------------------------

struct Mistake {
  const char* name;
  std::vector<std::string> lines;  ///< of the first member
};
class CclMistake : public ::testing::TestWithParam<Mistake> {};

TEST_P(CclMistake, IsReportedAndNobodyHangs) {
  const Workplace w;
  const std::string elf = built(w, kPrograms + "ccl_mistakes.c");
  const Outcome o =
      w.annelid("firmware run " + elf + " --quiet --develop --size 3x2 -- " + GetParam().name);
  EXPECT_EQ(o.status, 0) << o.out << o.err;
  std::string expected;
  for (const std::string& line : GetParam().lines) expected += "0,0: ccl: " + line + "\n";
  EXPECT_EQ(o.err, expected);
}

constexpr const char* kOthers = ": nodes 0, 1, 3, 4, 5";
INSTANTIATE_TEST_SUITE_P(
    , CclMistake,
    ::testing::Values(
        Mistake{"none", {}},
        Mistake{"orig",
                {"the members do not agree about their call of bcast",
                 "  orig 3" + std::string(kOthers), "  orig 4: node 2"}},
        Mistake{"bytes",
                {"the members do not agree about their call of gather",
                 "  bytes 8" + std::string(kOthers), "  bytes 4: node 2"}},
        Mistake{"rfunc",
                {"the members do not agree about their call of combine",
                 "  rfunc sum of int32" + std::string(kOthers), "  rfunc max of int32: node 2"}},
        Mistake{"steps",
                {"the members do not agree about their call of shift",
                 "  steps 2" + std::string(kOthers), "  steps -1: node 2"}},
        Mistake{"cyclic",
                {"the members do not agree about their call of shift",
                 "  cyclic 1" + std::string(kOthers), "  cyclic 0: node 2"}},
        Mistake{"function",
                {"the members do not agree about their call of index",
                 "  function index" + std::string(kOthers), "  function concat: node 2"}},
        Mistake{"grid",
                {"the members do not agree about their call of form2dgrid",
                 "  x_size 2" + std::string(kOthers), "  x_size 1: node 2",
                 "  y_size 3" + std::string(kOthers), "  y_size 6: node 2"}},
        Mistake{"list",
                {"the members do not agree about their call of group",
                 "  checksum of the list 7546885: nodes 0, 1, 3",
                 "  checksum of the list 3529443845: node 2"}},
        Mistake{"group",
                {"the members do not agree about their call of concat",
                 "  G = ALL" + std::string(kOthers), "  G = group 0 of node 0: node 2",
                 "  members 6" + std::string(kOthers), "  members 3: node 2"}}),
    [](const auto& test) { return std::string(test.param.name); });

TEST(CclMistakes, AFunctionOfTheProgramIsNamedByItsAddress) {
  const Workplace w;
  const std::string elf = built(w, kPrograms + "ccl_mistakes.c");
  const Outcome o = w.annelid("firmware run " + elf + " --quiet --develop --size 3x2 -- own");
  EXPECT_EQ(o.status, 0) << o.out << o.err;
  EXPECT_THAT(o.err, AllOf(HasSubstr("rfunc sum of int32: nodes 0, 1, 3, 4, 5\n"),
                           HasSubstr("rfunc a function at 0x00"),
                           HasSubstr(", of elements of 4 bytes: node 2\n")));
}

TEST(CclMistakes, WhoeverIsMissedIsNamed) {
  const Workplace w;
  const std::string elf = built(w, kPrograms + "ccl_mistakes.c");
  // Node 2 calls for a group whose first member is another one.
  const Outcome part = w.annelid("firmware run " + elf + " --quiet --develop --size 3x2 -- part");
  EXPECT_EQ(part.status, 1);
  EXPECT_THAT(part.err,
              AllOf(HasSubstr("0,0: ccl: concat, ALL: in 1000000 cycles nothing has come from "
                              "node 2\n"),
                    HasSubstr("2,0: ccl: concat, group 0 of node 4: in 2030000 cycles no verdict "
                              "has come from node 4, the first member\n")));
  EXPECT_THAT(part.out, Not(HasSubstr("asleep"))) << "each node has come to its end";
  // Node 2 makes its next call instead, and has come to its end when the others make theirs.
  const Outcome nothing =
      w.annelid("firmware run " + elf + " --quiet --develop --size 3x2 -- nothing");
  EXPECT_EQ(nothing.status, 1);
  EXPECT_THAT(nothing.err, AllOf(HasSubstr("  function sync: nodes 0, 1, 3, 4, 5\n"),
                                 HasSubstr("  function bcast: node 2\n"),
                                 HasSubstr("bcast, ALL: in 1000000 cycles nothing has come from "
                                           "node 2\n")));
  EXPECT_THAT(nothing.out, Not(HasSubstr("asleep")));
}

TEST(CclMistakes, ManyThatAreMissedAndPatience) {
  const Workplace w;
  const std::string elf = built_text(w, "missing.c",
                                     "#include <ccl.h>\n"
                                     "int main(void) {\n"
                                     "  ccl_modes(CCL_DEVELOP | CCL_NON_BARRIER);\n"
                                     "  ccl_patience(5000);\n"
                                     "  return mypid >= 4 ? 0 : sync(ALL);\n"
                                     "}\n");
  const Outcome o = w.annelid("firmware run " + elf + " --quiet --size 4x3");
  EXPECT_EQ(o.status, 1);
  EXPECT_THAT(o.err, HasSubstr("0,0: ccl: sync, ALL: in 5000 cycles nothing has come from nodes 4, "
                               "5, 6, 7; others were not asked\n"));
  EXPECT_THAT(o.out, Not(HasSubstr("asleep")));
}

TEST(CclMistakes, NobodyIsMissedBefore10000Cycles) {
  const Workplace w;
  const std::string elf = built_text(w, "late.c",
                                     "#include <ccl.h>\n"
                                     "int main(int argc, char** argv) {\n"
                                     "  ccl_modes(CCL_DEVELOP);\n"
                                     "  ccl_patience(1);\n"
                                     "  const unsigned long long end = argc > 1 ? 40000 : 8000;\n"
                                     "  if (mypid == 1) while (nic_cycle() < end) {}\n"
                                     "  (void)argv;\n"
                                     "  return sync(ALL);\n"
                                     "}\n");
  const Outcome o = w.annelid("firmware run " + elf + " --quiet --size 3x1");
  EXPECT_EQ(o.status, 0) << o.out << o.err;
  EXPECT_EQ(o.err, "");
  const Outcome late = w.annelid("firmware run " + elf + " --quiet --size 3x1 -- later");
  EXPECT_EQ(late.status, 1);
  EXPECT_THAT(late.err, HasSubstr("nothing has come from node 1"));
}

TEST(CclMistakes, MoreNodesThanALineHasRoomFor) {
  const Workplace w;
  const std::string elf = built_text(w, "many.c",
                                     "#include <ccl.h>\n"
                                     "int main(void) {\n"
                                     "  unsigned value = 0;\n"
                                     "  const unsigned wrong = mypid % 16 < 7 ? mypid % 16 : 0;\n"
                                     "  return bcast(ALL, wrong, &value, 4) == NIC_BAD_ARGUMENT ? "
                                     "0 : 1;\n"
                                     "}\n");
  const Outcome o = w.annelid("firmware run " + elf + " --quiet --develop --size 16x2");
  EXPECT_EQ(o.status, 0) << o.out;
  EXPECT_EQ(o.err,
            "0,0: ccl: the members do not agree about their call of bcast\n"
            "0,0: ccl:   orig 0: nodes 0, 7, 8, 9, 10, 11, 12, 13 and 12 more\n"
            "0,0: ccl:   orig 1: nodes 1, 17\n"
            "0,0: ccl:   orig 2: nodes 2, 18\n"
            "0,0: ccl:   orig 3: nodes 3, 19\n"
            "0,0: ccl:   and other values\n");
}

TEST(CclMistakes, WhatOneProcessCanFindByItself) {
  const Workplace w;
  const std::string elf = built_text(
      w, "alone.c",
      "#include <ccl.h>\n"
      "int main(void) {\n"
      "  const unsigned other[] = {1}, none[] = {0, 7};\n"
      "  pgid row;\n"
      "  if (mypid != 0) return 0;\n"
      "  if (group(1, other, 0) != NO_GROUP || group(2, none, 0) != NO_GROUP) return 1;\n"
      "  if (partition(NO_GROUP, 0, 0) != NO_GROUP) return 2;\n"
      "  if (form2dgrid(5, 1, 1, &row, &row) != NIC_NO_SUCH_GROUP) return 3;\n"
      "  return sync((pgid)3 << 32 | 1) == NIC_NO_SUCH_GROUP ? 0 : 4;\n"
      "}\n");
  const Outcome o = w.annelid("firmware run " + elf + " --quiet --develop --size 2x1");
  EXPECT_EQ(o.status, 0) << o.out;
  EXPECT_EQ(o.err,
            "0,0: ccl: group: this process is not in its list\n"
            "0,0: ccl: group: there is no node 7\n"
            "0,0: ccl: partition: this process has no group 4294967295 of node 4294967295\n"
            "0,0: ccl: form2dgrid: this process has no group 0 of node 5\n"
            "0,0: ccl: sync: this process has no group 3 of node 1\n");
  EXPECT_EQ(w.annelid("firmware run " + elf + " --quiet --size 2x1").err, "") << "in run mode";
}

// ---- Options ------------------------------------------------------------------------------------

TEST(CclModes, OptionsAreRefusedWhereTheyWouldChangeNothing) {
  const Workplace w;
  const std::string elf = built_text(w, "none.c", "int main(void) { return 0; }\n");
  for (const char* option : {"--mode barrier", "--develop"}) {
    expect_refused(w, w.annelid("firmware run " + elf + " " + option),
                   {"built.elf", "found no calls of CCL", "expected a program that calls"});
  }
  expect_refused(w, w.annelid("firmware run " + elf + " --mode free"),
                 {"--mode", "free", "barrier", "non-barrier"});
}

}  // namespace
}  // namespace annelid::end_to_end
