// Prepared and repeated calls as a user asks for them (docs/how-to/prepared-calls.md).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "testbench/end_to_end/program.hpp"

namespace annelid::end_to_end {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kCommon = "run --operation broadcast --algorithm edn --size 4x4 --bytes 40 ";

Outcome run(const Workplace& w, const std::string& options, const std::string& out = "out") {
  return w.annelid(kCommon + options + " --out " + w.path(out).string());
}

std::string detail_of(const json& result, const std::string& check) {
  for (const json& c : result["checks"]) {
    if (c["check"] == check)
      return c["verdict"].get<std::string>() + ": " + c["detail"].get<std::string>();
  }
  return "";
}

TEST(Prepared, CallsAreStartedByTheNicsAlone) {
  const Workplace w;
  const Outcome o = run(w, "--prepared --repeat 3");
  EXPECT_EQ(o.status, 0) << o.out << o.err;
  EXPECT_THAT(o.out, AllOf(HasSubstr("  prepared  in "), HasSubstr(" in the last of 3 starts"),
                           HasSubstr("\n  start     from        to    cycles  instructions\n"),
                           HasSubstr("; in each of 3 starts"), Not(HasSubstr("FAILED"))));
  const json result = w.result();
  ASSERT_EQ(result["starts"].size(), 3u);
  for (const json& start : result["starts"]) {
    EXPECT_EQ(start["instructions"], 0);
    EXPECT_EQ(start["cycles"], result["starts"][0]["cycles"]);
    EXPECT_EQ(start["last_finished"].get<int>() - start["first_called"].get<int>() + 1,
              start["cycles"]);
  }
  EXPECT_EQ(result["cycles"], result["starts"][2]["cycles"]);
  EXPECT_GT(result["prepared"]["cycles"], result["cycles"]);
  EXPECT_EQ(result["prepared"]["list_bytes"].get<int>() % 32, 0);
  EXPECT_EQ(result["configuration"]["collective"]["prepared"], true);
  EXPECT_EQ(result["configuration"]["repeat"], 3);
  EXPECT_THAT(detail_of(result, "prepare"), HasSubstr("held: 1 call"));
  EXPECT_THAT(detail_of(result, "lists"), HasSubstr("held: "));
}

/// The NICs play the same list, so the cores make no difference.
TEST(Prepared, CallsTakeTheCyclesOfNativeFirmware) {
  const Workplace w;
  ASSERT_EQ(run(w, "--prepared --repeat 2 --firmware native", "native").status, 0);
  ASSERT_EQ(run(w, "--prepared --repeat 2").status, 0);
  EXPECT_EQ(w.result()["starts"][1]["cycles"], w.result("native")["starts"][1]["cycles"]);
  EXPECT_EQ(w.result("native")["prepared"]["list_bytes"], w.result()["prepared"]["list_bytes"]);
}

TEST(Repeat, MakesAnOrdinaryCallAgain) {
  const Workplace w;
  const Outcome o = run(w, "--repeat 2");
  EXPECT_EQ(o.status, 0) << o.out << o.err;
  EXPECT_THAT(o.out, AllOf(HasSubstr(" in the last of 2 starts"), Not(HasSubstr("prepared"))));
  const json result = w.result();
  EXPECT_EQ(result["starts"].size(), 2u);
  EXPECT_GT(result["starts"][1]["instructions"], 0);
  EXPECT_FALSE(result.contains("prepared"));
}

TEST(Prepared, ScenariosMixThem) {
  const Workplace w;
  const std::string file = w.file("mixed.toml", R"(name = "mixed"
[network]
size = [4, 4]
[collective]
repeat = 2
bytes = 100
[[call]]
name = "rows"
group = "each row"
prepared = true
start = 0
[[call]]
name = "sum"
operation = "all-reduce"
start = 0
)");
  const Outcome o = w.annelid("run " + file + " --out " + w.path("out").string());
  EXPECT_EQ(o.status, 0) << o.out << o.err;
  EXPECT_THAT(o.out, AllOf(HasSubstr("\n  start     from"), Not(HasSubstr("FAILED"))));
  const json result = w.result();
  EXPECT_EQ(result["starts"][1]["call_cycles"].size(), 5u);
  EXPECT_EQ(result["calls"][0]["collective"]["prepared"], true);
  EXPECT_FALSE(result["calls"][4]["collective"].contains("prepared"));
}

TEST(Prepared, RoomThatIsTooSmallIsSaid) {
  const Workplace w;
  const Outcome o = run(w, "--prepared --plan-bytes 32");
  EXPECT_EQ(o.status, 1);
  EXPECT_THAT(o.err, AllOf(HasSubstr("NO_ROOM"), HasSubstr("the longest list takes "),
                           HasSubstr("give --plan-bytes ")));
}

class PreparedOptions : public ::testing::TestWithParam<Refusal> {};

TEST_P(PreparedOptions, AreRefusedInOneLine) {
  const Workplace w;
  expect_refused(w, w.run(GetParam().arguments), GetParam().parts);
}

INSTANTIATE_TEST_SUITE_P(
    Bad, PreparedOptions,
    ::testing::Values(
        Refusal{"NoStarts", "--repeat 0", {"--repeat", "found 0", "1..1000"}},
        Refusal{"RoomAlone", "--plan-bytes 4096", {"--plan-bytes", "--prepared with it"}},
        Refusal{"TooMuchRoom", "--prepared --plan-bytes 4M", {"--plan-bytes", "32..2097088"}},
        Refusal{"Barrier", "--prepared --mode barrier", {"--prepared", "without modes"}},
        Refusal{"Triggers", "--prepared --triggers false", {"--prepared", "--triggers true"}}),
    [](const auto& test) { return name_of(test); });

TEST(Prepared, AreTriedByCheck) {
  const Workplace w;
  const Outcome o =
      w.annelid("check --quick --prepared --algorithm binomial --operation broadcast --size 4x4");
  EXPECT_EQ(o.status, 0) << o.out << o.err;
  EXPECT_THAT(o.out, HasSubstr("all equal the reference"));
}

}  // namespace
}  // namespace annelid::end_to_end
