// `annelid tune` of prepared calls, and columns of other kinds of calls: small meshes, one or two
// sizes. (Options that are refused: tune_test.cpp.)
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "testbench/end_to_end/program.hpp"

namespace annelid::end_to_end {
namespace {

using ::testing::HasSubstr;

/// The tuned call, made as a user would make it.
std::uint64_t cycles_of_run(const Workplace& w, const std::string& kind) {
  const Outcome o = w.annelid("run --quiet --size 4x4 --algorithm binomial --bytes 64 --out " +
                              w.path("run").string() + " " + kind);
  EXPECT_EQ(o.status, 0) << o.err;
  const auto run = w.result("run");
  return (run.contains("starts") ? run["starts"][1] : run)["cycles"].get<std::uint64_t>();
}

TEST(Tune, MeasuresPreparedCallsAndTheOtherKindsBesideThem) {
  const Workplace w;
  const std::string command =
      "tune --no-plots --size 4x4 --algorithm edn,binomial --bytes 64 --columns "
      "native,first,prepared --out " +
      w.path("out").string();
  const Outcome o = w.annelid(command + " --prepared");
  ASSERT_EQ(o.status, 0) << o.err;
  EXPECT_THAT(o.out, HasSubstr("tune: 6 runs, 6 simulated, 0 kept"));
  EXPECT_THAT(o.out, HasSubstr("control waits     native      first   prepared  second"));
  const auto curve = nlohmann::json::parse(w.text("out/tune.json"))["cases"][0]["curves"][1];
  ASSERT_EQ(curve["algorithm"], "binomial");
  EXPECT_EQ(curve["columns"]["native"][0], cycles_of_run(w, "--firmware native"));
  EXPECT_EQ(curve["columns"]["first"][0], cycles_of_run(w, ""));
  EXPECT_EQ(curve["columns"]["prepared"][0], cycles_of_run(w, "--prepared --repeat 2"));
  EXPECT_EQ(curve["cycles"], curve["columns"]["prepared"]);
  EXPECT_THAT(w.text("out/tuned.inc"), HasSubstr("\nTUNED_PREPARED(kBroadcast, "));
  // Another kind finds the fastest among the same rows.
  EXPECT_THAT(w.annelid(command).out, HasSubstr("tune: 6 runs, 0 simulated, 6 kept"));
  EXPECT_THAT(w.text("out/tuned.inc"), HasSubstr("\nTUNED_TABLE(kBroadcast, "));
  const auto again = nlohmann::json::parse(w.text("out/tune.json"))["cases"][0]["curves"][1];
  EXPECT_EQ(again["cycles"], again["columns"]["first"]);
}

TEST(Tune, WritesTheSameBytesOfAllKindsWhateverTheJobs) {
  const Workplace w;
  const std::string kinds =
      "tune --quiet --no-plots --size 2x2 --algorithm binomial,two-tree "
      "--bytes 8,64 --refine 1 --prepared --columns first,native ";
  for (const char* jobs : {"1", "4"}) {
    ASSERT_EQ(w.annelid(kinds + "--jobs " + jobs + " --out " + w.path(jobs).string()).status, 0);
  }
  for (const char* file : {"tune.csv", "tune.json", "tuned.inc"}) {
    EXPECT_EQ(w.text(std::string("1/") + file), w.text(std::string("4/") + file)) << file;
  }
}

TEST(Tune, ARunOfAPreparedCallThatFailsNamesItsCommand) {
  const Workplace w;
  const Outcome o = w.annelid(
      "tune --quiet --no-plots --size 2x2 --algorithm binomial --bytes 64 --prepared "
      "--cycle-limit 700 --out " +
      w.path("out").string());
  EXPECT_EQ(o.status, 1);
  EXPECT_THAT(o.err, HasSubstr(" --prepared --repeat 2 "));
}

}  // namespace
}  // namespace annelid::end_to_end
