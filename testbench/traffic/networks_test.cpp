// `annelid traffic` on other networks than the default one, and on one that deadlocks.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "testbench/end_to_end/program.hpp"
#include "testbench/parameter_name.hpp"

namespace annelid::end_to_end {
namespace {

using ::testing::HasSubstr;

class Network : public ::testing::TestWithParam<const char*> {};

TEST_P(Network, AtLittleLoadHasTheAnalyticLatency) {
  const Workplace w;
  const Outcome o = w.annelid(std::string("traffic --quiet --load 0.002 --flits 4 --warm-up 100 "
                                          "--measure 20000 ") +
                              GetParam() + " --out " + w.path("out").string());
  ASSERT_EQ(o.status, 0) << o.err;
  const auto r = w.result();
  ASSERT_GT(r["packets"], 100);
  EXPECT_EQ(r["packets"], r["packets_ejected"]);
  const double analytic = r["latency"]["zero_load"], measured = r["latency"]["total"]["mean"];
  EXPECT_GT(analytic, 5);
  EXPECT_NEAR(measured, analytic, 0.06 * analytic);
}

INSTANTIATE_TEST_SUITE_P(
    EveryKind, Network,
    ::testing::Values("--size 12 --topology torus --pattern tornado",
                      "--size 8x8 --topology torus --classes plh --stages 2",
                      "--size 4x4x4 --topology torus,mesh,torus --stages 3 --link-registers 1",
                      "--size 8x8 --router one-port", "--size 4x4x4 --router one-port --stages 4",
                      "--size 4x4x4 --router one-port --topology torus --link-registers 4",
                      "--size 9x5 --arbiters matrix --vcs 8 --local-vcs 2 --local-ports 2",
                      "--size 6x6 --vcs 4 --vc-selection rotating --stages 4",
                      "--size 6x6 --vcs 4 --local-vcs 2 --vc-selection most-credits"),
    test::ParameterName());

TEST(Traffic, ATorusWithOneVcDeadlocksAndTheReportShowsTheCycle) {
  const Workplace w;
  const std::string ring = "traffic --size 8 --topology torus --pattern tornado --load 0.8 --out " +
                           w.path("out").string();
  const Outcome refused = w.annelid(ring + " --vcs 1");
  EXPECT_EQ(refused.status, 2);
  EXPECT_THAT(refused.err, HasSubstr("can wait on each other: 0,0 +x -> 1,0 +x"));
  const Outcome stuck = w.annelid(ring + " --vcs 1 --allow-deadlock true");
  EXPECT_EQ(stuck.status, 1) << stuck.err;
  EXPECT_THAT(stuck.err, HasSubstr("deadlock"));
  EXPECT_THAT(stuck.err, HasSubstr("packets that wait on each other"));
  EXPECT_THAT(stuck.err, HasSubstr("the cycle of channels: "));
  EXPECT_FALSE(std::filesystem::exists(w.path("out/result.json")));
  EXPECT_EQ(w.annelid(ring + " --vcs 2").status, 0);
}

TEST(Traffic, EveryShippedScenarioRunsAndCannotDeadlock) {
  int scenarios = 0;
  for (const auto& entry : std::filesystem::directory_iterator(ANNELID_SOURCE_DIR "/scenarios")) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with("traffic-")) continue;
    const Workplace w;
    const Outcome o =
        w.annelid("traffic --quiet " + entry.path().string() + " --out " + w.path("out").string());
    EXPECT_EQ(o.status, 0) << name << ": " << o.err;
    EXPECT_FALSE(w.result()["configuration"]["router"].value("allow_deadlock", false)) << name;
    ++scenarios;
  }
  EXPECT_GE(scenarios, 4);
}

}  // namespace
}  // namespace annelid::end_to_end
