// annelid reproduce and annelid tau as their users run them. State space: a simulated figure, a
// table without simulation, a second run and a fresh one; lines of two algorithms; bad input.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>

#include "testbench/end_to_end/program.hpp"

namespace annelid::end_to_end {
namespace {

using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;

TEST(Reproduce, AFigureGivesTablePlotAndSideBySideAndIsResumed) {
  const Workplace w;
  const std::string command = "reproduce fig3.14 --sources 1 --out " + w.path("out").string();
  const Outcome first = w.annelid(command);
  ASSERT_EQ(first.status, 0) << first.out << first.err;
  EXPECT_EQ(first.err, "");  // no progress in a pipe
  // Two algorithms, six lengths, one source; native, and on the core ordinary and prepared.
  EXPECT_THAT(first.out, AllOf(HasSubstr("36 runs simulated, 0 kept"), HasSubstr("2 equal")));
  EXPECT_THAT(w.text("out/fig3.14.csv"), HasSubstr("bytes,\"EDN 8x8, largest, us\""));
  EXPECT_THAT(w.text("out/fig3.14.md"),
              HasSubstr("| claim | paper | computed | ours | evidence | deviation | verdict |"));
  EXPECT_THAT(w.text("out/fig3.14.svg"), HasSubstr("<svg"));
  EXPECT_EQ(w.text("out/fig3.14.png").substr(1, 3), "PNG");
  EXPECT_FALSE(std::filesystem::exists(w.path("out/runs.tmp")));

  EXPECT_THAT(w.text("out/fig3.14.md"),
              HasSubstr("Waits in all simulations of this item (36): 0 flit-cycles for messages of "
                        "the same step, "));

  const std::string table = w.text("out/fig3.14.csv");
  const Outcome second = w.annelid(command);
  EXPECT_THAT(second.out, HasSubstr("0 runs simulated, 36 kept"));
  EXPECT_EQ(w.text("out/fig3.14.csv"), table);
  const Outcome fresh = w.annelid(command + " --fresh --no-plots");
  EXPECT_THAT(fresh.out, HasSubstr("36 runs simulated, 0 kept"));
  EXPECT_EQ(w.text("out/fig3.14.csv"), table);
}

TEST(Reproduce, MeasuresWithoutControlVcsIfAsked) {
  const Workplace w;
  const std::string command = "reproduce intercom-fig2 --no-plots --out " + w.path("out").string();
  ASSERT_EQ(w.annelid(command).status, 0);
  const std::string with = w.text("out/intercom-fig2.csv");
  // An item says how long its messages waited for control packets.
  EXPECT_THAT(
      w.text("out/intercom-fig2.md"),
      ContainsRegex("of[ \n]other[ \n]steps,[ \n][1-9][0-9]*[ \n]for[ \n]control[ \n]packets"));
  // The store keeps both kinds apart.
  const Outcome o = w.annelid(command + " --control-vc false");
  EXPECT_THAT(o.out, HasSubstr("49 runs simulated, 0 kept"));
  EXPECT_NE(w.text("out/intercom-fig2.csv"), with);
  EXPECT_THAT(w.annelid(command).out, HasSubstr("0 runs simulated, 49 kept"));
  EXPECT_EQ(w.text("out/intercom-fig2.csv"), with);
  expect_refused(w, w.annelid(command + " --control-vc maybe"), {"--control-vc", "maybe"});
}

TEST(Reproduce, SaysInOneLineThatAResultHasNoRoom) {
  const Workplace w;
  const Outcome o = w.shell("ulimit -f 2; $A reproduce table3.1 --no-plots --quiet --out limited");
  EXPECT_EQ(o.status, 1);
  EXPECT_THAT(o.err,
              ContainsRegex("^annelid: limited/measurements.json: [^\n]*: File too large\n$"));
}

/// A copy of the program that was built from a commit of this text.
std::string program_of(const Workplace& w, const std::string& commit) {
  std::filesystem::create_directories(w.path("bin"));
  std::filesystem::create_directories(w.path("share/annelid"));
  const Outcome copied = w.shell("cp $A bin/annelid");
  EXPECT_EQ(copied.status, 0) << copied.err;
  w.file("share/annelid/commit", commit);
  return "bin/annelid ";
}

TEST(Reproduce, WritesTheDocumentWithDateAndCommitOfTheProgram) {
  const Workplace w;
  const std::string program = program_of(w, "0123456789 clean\n");
  const std::string command = program +
                              "reproduce table5.1 fig5.12 intercom-fig2 --control-vc false --quiet "
                              "--date 2026-01-02 --out out --document papers.md";
  const Outcome o = w.shell(command);
  ASSERT_EQ(o.status, 0) << o.err;
  EXPECT_EQ(o.out, "");
  const std::string document = w.text("papers.md");
  EXPECT_THAT(document, AllOf(HasSubstr("on 2026-01-02 from"), HasSubstr("commit 0123456789. Do"),
                              HasSubstr("## table5.1"), HasSubstr("## fig5.12"),
                              HasSubstr("(images/reproduction/fig5.12.svg)"),
                              HasSubstr("intercom-fig2 --control-vc false`")));
  EXPECT_TRUE(std::filesystem::exists(w.path("images/reproduction/fig5.12.svg")));
  ASSERT_EQ(w.shell(command).status, 0);
  EXPECT_EQ(w.text("papers.md"), document);
}

TEST(Reproduce, ADocumentIsOfAProgramThatWasBuiltFromACleanCommit) {
  const Workplace w;
  const auto refused = [&](const std::string& commit, const std::string& found) {
    const std::string program = program_of(w, commit);
    const Outcome o = w.shell(program + "reproduce table5.1 --no-plots --out out --document p.md");
    EXPECT_EQ(o.status, 2) << commit << o.out;
    EXPECT_THAT(o.err, AllOf(HasSubstr("--document"), HasSubstr(found),
                             HasSubstr("a commit without changes")));
    EXPECT_FALSE(std::filesystem::exists(w.path("p.md")));
    EXPECT_FALSE(std::filesystem::exists(w.path("out")));
  };
  refused("0123456789 changed\n", "0123456789 with changes");
  refused("not a commit\n", "does not know its commit");
  std::filesystem::remove(w.path("share/annelid/commit"));
  const Outcome o = w.shell("bin/annelid reproduce table5.1 --no-plots --out out --document p.md");
  EXPECT_EQ(o.status, 2);
  // Without a document it does not matter.
  EXPECT_EQ(w.shell("bin/annelid reproduce table5.1 --no-plots --out out").status, 0);
}

TEST(Reproduce, ADocumentHasResultsOfOtherProgramsOnlyIfTheirCommitsAreClean) {
  const Workplace w;
  const std::string item = "reproduce intercom-fig2 --no-plots --out out";
  const auto as_if_of = [&](const std::string& commit) {
    // A byte behind the end makes another program of it.
    const std::string other = program_of(w, commit);
    EXPECT_EQ(w.shell("printf x >> " + other + "&& " + other + item + " --fresh").status, 0);
    return w.shell(program_of(w, "0123456789 clean\n") + item + " --any-build --document p.md");
  };
  const Outcome dirty = as_if_of("fedcba9876 changed\n");
  EXPECT_EQ(dirty.status, 2) << dirty.out;
  EXPECT_THAT(dirty.err, AllOf(HasSubstr("--any-build"), HasSubstr("fedcba9876 with changes")));
  EXPECT_FALSE(std::filesystem::exists(w.path("p.md")));
  ASSERT_EQ(as_if_of("fedcba9876 clean\n").status, 0);
  EXPECT_THAT(w.text("p.md"), HasSubstr("Programs of commit fedcba9876 simulated some"));
}

TEST(Reproduce, ThePrintedCommandOfARunThatDiffersShowsTheSameCycles) {
  const Workplace w;
  // Without control VCs, a broadcast on a line differs from its prediction.
  const Outcome o = w.annelid("reproduce intercom-fig2 --control-vc false --no-plots --out " +
                              w.path("out").string());
  ASSERT_EQ(o.status, 0) << o.err;
  const std::string text = w.text("out/intercom-fig2.md");
  std::smatch found;
  ASSERT_TRUE(std::regex_search(
      text, found, std::regex("`annelid (run [^`]* --account)`:[ \n]+([0-9]+)[ \n]+cycles:")))
      << text;
  const Outcome run = w.annelid(found[1].str() + " --out " + w.path("run").string());
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("cycles    " + found[2].str() + "  "));
}

TEST(Reproduce, ThePrintedCommandOfATraceShowsTheSameCycles) {
  const Workplace w;
  const Outcome o = w.annelid("reproduce switching --no-plots --out " + w.path("out").string());
  ASSERT_EQ(o.status, 0) << o.err;
  const std::string text = w.text("out/switching.md");
  std::smatch found;
  ASSERT_TRUE(std::regex_search(
      text, found,
      std::regex(
          "`annelid traffic --trace ([a-z-]+[.]csv) (--size [0-9x]+)`\\).* ([0-9]+) \\| hardware")))
      << text;
  const Outcome played = w.annelid("traffic --trace " + w.path("out/" + found[1].str()).string() +
                                   " " + found[2].str() + " --out " + w.path("run").string());
  ASSERT_EQ(played.status, 0) << played.err;
  EXPECT_THAT(played.out, HasSubstr("finished    in cycle " + found[3].str() + ":"));
}

TEST(Reproduce, ListsItsItems) {
  const Workplace w;
  const Outcome o = w.annelid("reproduce list");
  EXPECT_EQ(o.status, 0);
  EXPECT_THAT(o.out, AllOf(HasSubstr("table3.1 "), HasSubstr("two-tree-fig9 "),
                           HasSubstr("minutes on two cores")));
}

TEST(Reproduce, RefusesWhatItDoesNotKnow) {
  const Workplace w;
  expect_refused(w, w.annelid("reproduce fig9.9 --out " + w.path("out").string()),
                 {"fig9.9", "annelid reproduce list"});
  expect_refused(w, w.annelid("reproduce table5.1 --sources 0"), {"--sources"});
  w.file("out", "a file, no folder");
  expect_refused(w, w.annelid("reproduce table5.1 --out " + w.path("out").string()), {"--out"});
  EXPECT_EQ(w.annelid("reproduce").status, 2);
}

TEST(Tau, FitsRunsOfSeveralLengthsAndFindsTheCrossover) {
  const Workplace w;
  std::string results;
  for (const char* algorithm : {"edn", "recursive-doubling"}) {
    for (const int bytes : {512, 1024, 2048}) {
      const std::string out = std::string(algorithm) + std::to_string(bytes);
      ASSERT_EQ(w.annelid("run --quiet --firmware native --alpha 200 --algorithm " +
                          std::string(algorithm) + " --bytes " + std::to_string(bytes) + " --out " +
                          w.path(out).string())
                    .status,
                0);
      results += " " + w.path(out).string();
    }
  }
  const Outcome o = w.annelid("tau" + results + " --out " + w.path("tau").string());
  ASSERT_EQ(o.status, 0) << o.err;
  EXPECT_THAT(o.out, AllOf(HasSubstr("broadcast edn 8x8, alpha 200, gamma 0"),
                           HasSubstr("broadcast recursive-doubling 8x8"), HasSubstr("L* = ")));
  // Six steps of recursive doubling: an eighth of a cycle per byte each.
  EXPECT_THAT(w.text("tau/tau.csv"), HasSubstr(",0.75,"));
  EXPECT_TRUE(std::filesystem::exists(w.path("tau/tau.svg")));
}

TEST(Tau, RefusesOneLengthAndWhatIsNoResult) {
  const Workplace w;
  ASSERT_EQ(w.annelid("run --quiet --firmware native --out " + w.path("one").string()).status, 0);
  const Outcome one = w.annelid("tau " + w.path("one").string());
  EXPECT_EQ(one.status, 2);
  EXPECT_THAT(one.err, AllOf(HasSubstr("result.json"), HasSubstr("at least two lengths")));
  const std::string other = w.file("other.json", "{\"cycles\": 3}");
  EXPECT_THAT(w.annelid("tau " + other).err, HasSubstr("a result.json of annelid run"));
  EXPECT_EQ(w.annelid("tau /nowhere.json").status, 2);
}

}  // namespace
}  // namespace annelid::end_to_end
