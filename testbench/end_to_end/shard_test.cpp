// --shard I/N and `annelid merge`: shares of a study, joined, give the files of the whole study.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "testbench/base/stored_rows.hpp"
#include "testbench/end_to_end/program.hpp"

namespace annelid::end_to_end {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

/// Runs all shards of a study, the last one first, each in its folder below "parts".
void run_shards(const Workplace& w, const std::string& study, int shards) {
  for (int i = shards; i >= 1; --i) {
    const std::string number = std::to_string(i);
    const Outcome o =
        w.annelid(study + " --quiet --shard " + number + "/" + std::to_string(shards) + " --out " +
                  w.path("parts/" + number).string());
    ASSERT_EQ(o.status, 0) << o.err;
  }
}

/// The folders of shards as arguments of annelid merge.
std::string folders(const Workplace& w, std::initializer_list<int> shards) {
  std::string text;
  for (const int i : shards) text += " " + w.path("parts/" + std::to_string(i)).string();
  return text;
}

Outcome merge(const Workplace& w, std::initializer_list<int> shards) {
  return w.annelid("merge --out " + w.path("merged").string() + folders(w, shards));
}

void replace_in(const std::filesystem::path& file, const std::string& old, const std::string& now) {
  std::string text = (std::stringstream() << std::ifstream(file).rdbuf()).str();
  const std::size_t at = text.find(old);
  ASSERT_NE(at, std::string::npos) << file << ": " << text;
  std::ofstream(file) << text.replace(at, old.size(), now);
}

constexpr const char* kSweep =
    "sweep --size 3x3 --measure 500 --warm-up 100 --sweep router.vcs=1,2 --sweep "
    "traffic.load=0.1,0.3,0.9,1.0 ";

TEST(Shards, OfASweepGiveTheRowsAndCurvesOfTheWhole) {
  for (const std::string extra : {"", "--stop-when-saturated"}) {
    const Workplace w;
    const Outcome whole = w.annelid(kSweep + extra + " --out " + w.path("whole").string());
    ASSERT_EQ(whole.status, 0) << whole.err;
    run_shards(w, kSweep + extra, 3);
    const Outcome merged = merge(w, {2, 3, 1});
    ASSERT_EQ(merged.status, 0) << merged.err;
    EXPECT_THAT(merged.out, HasSubstr("8 points, 0 simulated"));
    for (const std::string file : {"/sweep.csv", "/curves.svg"}) {
      EXPECT_EQ(w.text("merged" + file), w.text("whole" + file)) << extra;
    }
  }
}

TEST(Shards, ShareTheWork) {
  const Workplace w;
  const Outcome o = w.annelid(std::string(kSweep) + " --shard 2/3 --out " + w.path("2").string());
  ASSERT_EQ(o.status, 0) << o.err;
  EXPECT_THAT(o.out, HasSubstr("shard 2/3: 3 of 8 points, 3 simulated, 0 kept\n"));
  EXPECT_FALSE(std::filesystem::exists(w.path("2/curves.svg")));
}

TEST(Shards, OfATuningLeaveTheFurtherSizesToTheMerge) {
  const std::string tune =
      "tune --firmware native --size 4x4 --operation broadcast --bytes 64,8k --refine 1 --no-plots "
      "--algorithm edn,two-tree,linear-pipeline ";
  const Workplace w;
  const Outcome whole = w.annelid(tune + " --out " + w.path("whole").string());
  ASSERT_EQ(whole.status, 0) << whole.err;
  run_shards(w, tune, 2);
  const Outcome merged = merge(w, {1, 2});
  ASSERT_EQ(merged.status, 0) << merged.err;
  EXPECT_THAT(merged.out, HasSubstr("9 runs, 3 simulated, 6 kept"));
  for (const std::string file : {"/tune.csv", "/tune.json", "/tuned.inc"}) {
    EXPECT_EQ(w.text("merged" + file), w.text("whole" + file));
  }
}

/// The table of a check, without the time that it took.
std::string without_time(const std::string& text) { return text.substr(0, text.rfind(", seed")); }

TEST(Shards, OfACheckGiveTheTableOfTheWhole) {
  const std::string check =
      "check --quick --algorithm edn --operation broadcast --size 4x4 --firmware native ";
  const Workplace w;
  const Outcome whole = w.annelid(check + "--out " + w.path("whole").string());
  ASSERT_EQ(whole.status, 0) << whole.err;
  run_shards(w, check, 2);
  const Outcome merged = merge(w, {1, 2});
  ASSERT_EQ(merged.status, 0) << merged.err;
  EXPECT_EQ(without_time(merged.out), without_time(whole.out));
  EXPECT_EQ(w.text("merged/check.csv"), w.text("whole/check.csv"));
}

TEST(Check, KeepsResultsInAFolder) {
  const Workplace w;
  const std::string check =
      "check --quick --algorithm edn --operation broadcast --size 4x4 "
      "--router all-port --firmware native --out " +
      w.path("out").string();
  ASSERT_EQ(w.annelid(check).status, 0);
  test::change_cell(w.path("out/check.csv"), 1, "result", [](std::string& cell) {
    const std::string runs = "\"runs\":";
    cell.insert(cell.find(runs) + runs.size(), "1000000");
  });
  EXPECT_THAT(w.annelid(check).out, HasSubstr("\n1000000"));  // it is not run again
}

TEST(Shards, OfAReproductionAreItems) {
  const std::string reproduce = "reproduce switching table2.1 --no-plots ";
  const Workplace w;
  ASSERT_EQ(w.annelid(reproduce + "--quiet --out " + w.path("whole").string()).status, 0);
  run_shards(w, reproduce, 2);
  const Outcome merged = merge(w, {1, 2});
  ASSERT_EQ(merged.status, 0) << merged.err;
  EXPECT_THAT(merged.out, HasSubstr(" 0 runs simulated"));
  for (const std::string file : {"/switching.csv", "/table2.1.md", "/measurements.json"}) {
    EXPECT_EQ(w.text("merged" + file), w.text("whole" + file));
  }
}

TEST(Shards, AreAllNeededAndEachOnce) {
  const Workplace w;
  run_shards(w, kSweep, 3);
  expect_refused(w, merge(w, {1, 3}), {"found 2 of 3 shards", "expected also the folders of 2/3"});
  expect_refused(w, merge(w, {1, 2, 3, 2}), {"parts/2", "found shard 2/3", "expected another"});
  EXPECT_FALSE(std::filesystem::exists(w.path("merged")));
}

TEST(Shards, MustBeOfOneStudyAndOfThisProgram) {
  const Workplace w;
  run_shards(w, kSweep, 2);
  replace_in(w.path("parts/2/part.json"), "\"3x3\"", "\"4x4\"");
  expect_refused(w, merge(w, {1, 2}), {"parts/2", "--size 4x4", "parts/1", "--size 3x3"});
  replace_in(w.path("parts/2/part.json"), "\"build\": \"", "\"build\": \"another ");
  expect_refused(w, merge(w, {1, 2}), {"parts/2", "build another", "results of this program"});
  expect_refused(w, w.annelid("merge " + w.path("parts").string()), {"no part.json", "--shard"});
}

TEST(Shards, KeepTheirOwnFolders) {
  const Workplace w;
  run_shards(w, kSweep, 2);
  const std::string part = w.path("parts/2").string();
  const std::string parts = w.path("parts/1").string() + " " + part;
  expect_refused(w, w.annelid("merge " + parts + " --out " + part),
                 {"--out", "the folder of shard 2/2", "another folder"});
}

TEST(Shards, ThatDisagreeAreAFailure) {
  const Workplace w;
  run_shards(w, kSweep, 2);
  std::filesystem::copy_file(w.path("parts/1/sweep.csv"), w.path("parts/2/sweep.csv"),
                             std::filesystem::copy_options::overwrite_existing);
  test::change_cell(w.path("parts/2/sweep.csv"), 1, "state",
                    [](std::string& cell) { cell = "saturated"; });
  const Outcome o = merge(w, {1, 2});
  EXPECT_EQ(o.status, 1);
  EXPECT_THAT(o.err, HasSubstr("state: found saturated, but another part has ok"));
}

TEST(Shards, ThatHaveChangedAreNotMerged) {
  const Workplace w;
  run_shards(w, kSweep, 2);
  replace_in(w.path("parts/2/sweep.csv"), ",ok,", ",saturated,");
  expect_refused(w, merge(w, {1, 2}),
                 {"parts/2/sweep.csv:2: found a row that does not fit its checksum",
                  "the row as annelid has written it, or no such line"});
}

TEST(Shards, ThatFailAreNotComplete) {
  const Workplace w;
  run_shards(w, kSweep, 2);
  // The folder of a complete shard is used again, and this time its file cannot be written.
  std::filesystem::remove(w.path("parts/2/sweep.csv"));
  std::filesystem::create_directory(w.path("parts/2/sweep.csv"));
  const Outcome again =
      w.annelid(std::string(kSweep) + "--shard 2/2 --out " + w.path("parts/2").string());
  EXPECT_EQ(again.status, 2) << again.out;
  expect_refused(w, merge(w, {1, 2}), {"parts/2", "no part.json"});
}

TEST(Shards, AreNamedIOfN) {
  const Workplace w;
  for (const std::string text : {"0/3", "4/3", "1", "1/", "a/b", "1/99999", "1/2/3"}) {
    expect_refused(w, w.annelid(kSweep + ("--shard " + text)),
                   {"--shard: found \"" + text + "\", expected I/N"});
  }
}

TEST(Engines, AreLocalOrSlurm) {
  const Workplace w;
  expect_refused(w, w.annelid(std::string(kSweep) + "--engine slrm"),
                 {"--engine: found \"slrm\", expected local or slurm", "did you mean \"slurm\""});
  const Outcome local =
      w.annelid(std::string(kSweep) + "--engine local --out " + w.path("local").string());
  EXPECT_EQ(local.status, 0) << local.err;
}

TEST(Engines, RefuseOptionsThatWouldHaveNoEffect) {
  const Workplace w;
  for (const std::string option : {"--tasks", "--partition", "--time", "--memory"}) {
    for (const std::string command : {"check", "sweep", "tune", "reproduce switching"}) {
      expect_refused(w, w.annelid(command + " " + option + " 5"),
                     {option + ": found the option without --engine slurm"});
    }
  }
  expect_refused(w, w.annelid(std::string(kSweep) + "--engine slurm --shard 1/2"),
                 {"--shard: found the option beside --engine slurm", "one of the two"});
  expect_refused(w, w.annelid("reproduce switching --engine slurm --fresh"),
                 {"--fresh: found the option beside --engine slurm", "--out"});
  expect_refused(w, w.annelid("reproduce list --engine slurm"), {"--engine", "list alone"});
}

TEST(Engines, RefuseBadInputBeforeTheySubmit) {
  const Workplace w;
  const std::string slurm = " --engine slurm --out " + w.path("out").string();
  expect_refused(w, w.annelid("check --algorithm ednn" + slurm), {"--algorithm", "\"edn\""});
  expect_refused(w, w.annelid("reproduce fig9.99" + slurm), {"fig9.99"});
  EXPECT_FALSE(std::filesystem::exists(w.path("out")));
}

TEST(Shards, HaveAFolderInTheStudysOwn) {
  const Workplace w;
  const Outcome o =
      w.shell("$A " + std::string(kSweep) + "--shard 1/2 && $A " + kSweep +
              "--shard=2/2 && $A merge runs/sweep/shard-1-of-2 runs/sweep/shard-2-of-2/");
  EXPECT_EQ(o.status, 0) << o.err;
  EXPECT_THAT(o.out,
              HasSubstr("next      annelid merge runs/sweep/shard-*, once all 2 shards are done"));
  EXPECT_TRUE(std::filesystem::exists(w.path("runs/sweep/curves.svg")));
}

}  // namespace
}  // namespace annelid::end_to_end
