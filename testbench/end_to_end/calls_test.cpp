// Groups and several calls as a user asks for them (docs/how-to/run-several-calls.md).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

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
  const Outcome o = w.annelid("run " + scenario + " --out " + w.path("out").string() +
                              " --timeline " + w.path("t.html").string() + " --perfetto " +
                              w.path("t.json").string() + " --wave " + w.path("w.fst").string());
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

// ---- Members that differ in develop mode --------------------------------------------------------

struct Differing {
  const char* name;
  const char* run;
  const char* said;  ///< the first line, without "annelid: "
};
/// Without a scenario; the results are in "out".
Outcome run_options(const Workplace& w, const std::string& options) {
  return w.annelid("run " + options + " --out " + w.path("out").string());
}
class DifferingMember : public ::testing::TestWithParam<Differing> {};

TEST_P(DifferingMember, IsNamedWithWhatItSaysAndTheRunEnds) {
  const Workplace w;
  for (const char* firmware : {"native", "rv32"}) {
    const Outcome o =
        run_options(w, std::string(GetParam().run) +
                           " --size 4x4 --bytes 8 --develop true --firmware " + firmware);
    EXPECT_EQ(o.status, 1) << o.out;
    EXPECT_EQ(o.err.substr(0, o.err.find('\n')), std::string("annelid: ") + GetParam().said)
        << firmware;
    EXPECT_FALSE(std::filesystem::exists(w.path("out") / "result.json"));
  }
}

INSTANTIATE_TEST_SUITE_P(
    , DifferingMember,
    ::testing::Values(
        Differing{"Root", "--operation broadcast --differs '3,1 root 2'",
                  "node 3,1: the call differs: root 2 here, root 0 at node 2,1"},
        Differing{"RootOfAGroup", "--operation reduce --group 'row 1' --differs '0,1 root 3'",
                  "node 1,1: the call differs: root 0 here, root 3 at node 0,1"},
        Differing{"Length", "--operation all-gather --differs '0,2 count 4'",
                  "node 0,2: the call differs: count 4 here, count 8 at node 1,2"},
        Differing{"Function", "--operation all-reduce --differs '1,0 operator max'",
                  "node 1,0: the call differs: operator max here, operator sum at node 0,0"},
        Differing{"Operation", "--operation scan --differs '2,2 operation exscan'",
                  "node 2,2: the call differs: operation exscan here, operation scan at node 3,2"},
        Differing{"Steps", "--operation shift --differs '3,3 parameter-1 -1'",
                  "node 3,3: the call differs: PARAMETER_1 4294967295 here, PARAMETER_1 1 at node "
                  "2,3"}),
    [](const auto& test) { return std::string(test.param.name); });

TEST(DifferingMembers, OfANamedCallAndWhoIsMissed) {
  const Workplace w;
  const std::string scenario = w.file("rows.toml",
                                      "firmware = \"native\"\n[network]\nsize = [4, 4]\n"
                                      "[[call]]\nname = \"rows\"\ngroup = \"row 1\"\n"
                                      "operation = \"broadcast\"\ndevelop = true\n"
                                      "differs = \"3,1 root 2\"\n"
                                      "[[call]]\nname = \"all\"\noperation = \"barrier\"\n");
  const Outcome o = w.annelid("run " + scenario + " --out " + w.path("out").string());
  EXPECT_EQ(o.status, 1);
  EXPECT_EQ(o.err.substr(0, o.err.find('\n')),
            "annelid: node 3,1: the call \"rows\" differs: root 2 here, root 0 at node 2,1");
  // With another tag the member is one that the others miss.
  const Outcome missed =
      run_options(w, "--operation broadcast --size 4x4 --develop true --differs '3,1 tag 9'");
  EXPECT_EQ(missed.status, 1);
  EXPECT_THAT(missed.err, AllOf(HasSubstr("16 nodes still wait"),
                                HasSubstr("node 3,1 waits for 2,1: send 0 to 2,1 tag 9")));
}

TEST(DifferingMembers, AreRefusedWhereTheyMeanNothing) {
  const Workplace w;
  const auto refused = [&](const std::string& options, const std::vector<std::string>& parts) {
    expect_refused(w, run_options(w, "--operation broadcast --size 4x4 " + options), parts);
  };
  refused("--differs '3,1 root 2'", {"--differs", "3,1 root 2", "--develop true"});
  refused("--develop true --differs '3,1 root'", {"--differs", "3,1 root", "as in"});
  refused("--develop true --differs '4,1 root 2'", {"--differs", "node \"4,1\"", "0,0 to 3,3"});
  refused("--develop true --group 'row 2' --algorithm binomial --differs '3,1 root 2'",
          {"--differs", "node \"3,1\"", "a member of the group \"row 2\""});
  refused("--develop true --differs '3,1 source 2'", {"--differs", "word \"source\"", "root"});
  refused("--develop true --differs '3,1 operation sum'", {"--differs", "operation \"sum\""});
  refused("--develop true --differs '3,1 root 4294967296'", {"--differs", "4294967296", "32 bits"});
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
