// Control virtual channels as a user asks for them: the key, its refusals, what recordings say of
// it, and what becomes faster.
#include <gmock/gmock.h>

#include "testbench/end_to_end/program.hpp"
#include "testbench/parameter_name.hpp"

namespace annelid::end_to_end {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(ControlVc, AreOnUnlessTheyAreTurnedOff) {
  const Workplace w;
  const auto run = [&](const std::string& name, const std::string& options) {
    const std::string log = w.path(name + ".log").string();
    const Outcome o = w.run("--size 4x4 --firmware native --flit-log " + log + options, name);
    EXPECT_EQ(o.status, 0) << o.err << o.out;
    return o.out;
  };
  const std::string with = run("with", "");
  EXPECT_EQ(w.result("with")["configuration"]["router"]["control_vc"], true);
  EXPECT_THAT(w.text("with.log"), HasSubstr(" --local-vcs 1 --control-vc true --depth 4 "));
  EXPECT_THAT(with, HasSubstr("\n  control "));
  EXPECT_THAT(with, HasSubstr(" flit-cycles waited for control packets"));
  run("on", " --control-vc true");
  EXPECT_EQ(w.text("on/result.json"), w.text("with/result.json"));
  EXPECT_EQ(w.text("on.log"), w.text("with.log"));
  const std::string without = run("without", " --control-vc false");
  EXPECT_EQ(w.result("without")["configuration"]["router"]["control_vc"], false);
  EXPECT_THAT(w.text("without.log"), HasSubstr(" --local-vcs 1 --control-vc false --depth 4 "));
  EXPECT_THAT(without, Not(HasSubstr("\n  control ")));
  EXPECT_THAT(without, HasSubstr(" flit-cycles waited for control packets"));

  // The log is read back, flits on VC 1 and all.
  const std::string page = w.path("page.html").string();
  const Outcome timeline = w.annelid("timeline " + w.path("with.log").string() + " --html " + page);
  EXPECT_EQ(timeline.status, 0) << timeline.err;
  EXPECT_THAT(w.text("page.html"), HasSubstr("1 VC of 4 flits, control VCs"));
}

TEST(ControlVc, TooManyVcsAreRefusedByName) {
  const Workplace w;
  expect_refused(w, w.run("--local-vcs 8"),
                 {"--local-vcs", "found 8",
                  "expected at most 7, as 8 data VCs and 1 control VC make "
                  "9 of at most 8, or router.control_vc = false"});
  expect_refused(
      w, w.run("--topology torus --vcs 7"),
      {"--vcs", "found 7", "expected at most 6, as 7 data VCs and 2 control VCs make 9"});
  expect_refused(w, w.run("--control-vc maybe"), {"--control-vc", "maybe", "true or false"});
}

TEST(ControlVc, AreAnOptionOfACheckOfEveryAlgorithm) {
  const Workplace w;
  for (const char* value : {"true", "false"}) {
    const Outcome o =
        w.annelid(std::string("check --quick --operation all-to-all --size 4x4 --firmware native "
                              "--control-vc ") +
                  value);
    EXPECT_EQ(o.status, 0) << o.err << o.out;
    EXPECT_THAT(o.out, HasSubstr(" depth    control  verdict\n"));
    EXPECT_THAT(o.out, HasSubstr("all equal the reference"));
  }
  expect_refused(w, w.annelid("check --quick --control-vc 2"), {"--control-vc", "2"});
}

class Faster : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(
    ControlVc, Faster,
    ::testing::Values("--operation all-gather --algorithm ring --size 6x6 --router one-port "
                      "--bytes 512"),
    test::ParameterName());

TEST_P(Faster, IfOffersDoNotWaitForMessages) {
  const Workplace w;
  const auto cycles = [&](const std::string& options) {
    const Outcome o = w.annelid(std::string("run --quiet --firmware native ") + GetParam() +
                                options + " --out " + w.path("out").string());
    EXPECT_EQ(o.status, 0) << o.err << o.out;
    return w.result()["cycles"].get<double>();
  };
  EXPECT_LT(cycles(""), 0.85 * cycles(" --control-vc false"));
}

}  // namespace
}  // namespace annelid::end_to_end
