// Groups and several calls as a user asks for them (docs/how-to/run-several-calls.md).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "testbench/end_to_end/program.hpp"

namespace annelid::end_to_end {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kCalls = R"(name = "two"
firmware = "native"
[network]
size = [4, 4]
[groups]
corner = "0,0..1,1"
[[call]]
name = "rows"
group = "each row by partition"
[[call]]
name = "sum"
group = "corner"
operation = "all-reduce"
start = 0
)";

TEST(Group, OfTheOptionIsMadeByTheCoreAndRuns) {
  const Workplace w;
  const Outcome o = w.annelid(
      "run --size 4x4 --operation reduce --group \"each column by grid\" "
      "--root-rank 1 --out " +
      w.path("out").string());
  EXPECT_EQ(o.status, 0) << o.out << o.err;
  EXPECT_THAT(o.out, AllOf(HasSubstr("groups    4, made by the firmware before cycle "),
                           HasSubstr("\n  column 3 "), Not(HasSubstr("FAILED"))));
  const auto result = w.result();
  ASSERT_EQ(result["calls"].size(), 4u);
  EXPECT_EQ(result["calls"][2]["collective"]["root"], (std::vector{2, 1}));
  EXPECT_EQ(result["configuration"]["groups"][2]["made_by"], "grid");
}

TEST(Group, OfOneCallKeepsTheFormOfItsResult) {
  const Workplace w;
  const Outcome o =
      w.annelid("run --size 4x4 --firmware native --operation scan --group \"3,0 0,3 1,1\" --out " +
                w.path("out").string());
  EXPECT_EQ(o.status, 0) << o.out << o.err;
  EXPECT_THAT(o.out, HasSubstr("group \"3,0 0,3 1,1\" of 3"));
  const auto result = w.result();
  EXPECT_EQ(result["finished_cycles"].size(), 3u);
  EXPECT_EQ(result["configuration"]["collective"]["ranks"], 3);
  EXPECT_TRUE(result.contains("steps"));
}

TEST(Calls, HaveLinesChecksAndNamesInTheRecordings) {
  const Workplace w;
  const std::string scenario = w.file("two.toml", kCalls);
  const Outcome o =
      w.annelid("run " + scenario + " --out " + w.path("out").string() + " --timeline " +
                w.path("t.html").string() + " --wave " + w.path("w.fst").string());
  EXPECT_EQ(o.status, 0) << o.out << o.err;
  EXPECT_THAT(o.out,
              AllOf(HasSubstr("two: 5 calls on the 4x4 mesh"), HasSubstr("\n  rows: row 3 "),
                    HasSubstr("\nsum: two-tree all-reduce"), HasSubstr("depth  calls  control"),
                    HasSubstr("held    groups: 5 groups made, 20 lists")));
  EXPECT_THAT(w.text("t.html"),
              HasSubstr(R"("calls":["","rows: row 0","rows: row 1","rows: row 2","rows: row 3",)"
                        R"("sum","groups: each row by partition","groups: 0,0..1,1"])"));
  EXPECT_THAT(w.text("t.json"), AllOf(HasSubstr(R"("name":"rows: row 2: step 1")"),
                                      HasSubstr(R"("call":"groups: 0,0..1,1")")));
  const Outcome vcd = w.shell("fst2vcd -f w.fst | grep -c 'rows:.040row.0400'");
  EXPECT_EQ(vcd.status, 0) << "names in the rows of NICs";
}

TEST(Calls, AreRefusedByTuneAndGroupsByAnIdealMistake) {
  const Workplace w;
  const std::string scenario = w.file("two.toml", kCalls);
  expect_refused(w, w.annelid("tune " + scenario + " --out " + w.path("tuned").string()),
                 {"[[call]]"});
  expect_refused(w, w.run("--group \"row 8\""), {"--group", "\"8\"", "0 to 7"});
  expect_refused(w, w.run("--group \"row 3\""), {"algorithm", "\"edn\" for a group"});
}

TEST(Schedule, OfAGroupHasItsNodes) {
  const Workplace w;
  const Outcome o = w.annelid("schedule --size 4x4 --algorithm binomial --group \"column 2\"");
  EXPECT_EQ(o.status, 0) << o.err;
  EXPECT_THAT(o.out, AllOf(HasSubstr("(2,0)"), HasSubstr("(2,3)"), Not(HasSubstr("(1,"))));
  expect_refused(w, w.annelid("schedule --size 4x4 --algorithm binomial --group \"each row\""),
                 {"--group", "one group"});
}

}  // namespace
}  // namespace annelid::end_to_end
