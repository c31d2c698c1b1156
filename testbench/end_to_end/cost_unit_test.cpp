// `annelid cost --unit`: a unit of the NIC is synthesized, and options that would change nothing
// are refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "testbench/end_to_end/program.hpp"

namespace annelid::end_to_end {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class CostOfAUnit : public ::testing::TestWithParam<Refusal> {};

TEST_P(CostOfAUnit, RefusesWhatWouldChangeNothing) {
  const Workplace w;
  expect_refused(w, w.annelid(std::string("cost ") + GetParam().arguments), GetParam().parts);
}

INSTANTIATE_TEST_SUITE_P(
    Options, CostOfAUnit,
    ::testing::Values(
        Refusal{"PlacesOfARouter", "--places 8", {"--places", "no --unit", "--unit NAME"}},
        Refusal{"LanesOfARouter", "--lanes 2", {"--lanes", "no --unit", "--unit NAME"}},
        Refusal{"AScenario",
                "--unit trigger scenarios/edn-broadcast-8x8.toml",
                {"--unit", "a scenario", "no router"}},
        Refusal{"AnOptionOfRouters", "--unit list --vcs 2", {"--unit", "an option of routers"}},
        Refusal{"LanesOfTrigger",
                "--unit trigger --lanes 2",
                {"--lanes", "--unit trigger", "--unit combine"}},
        Refusal{"EnginesOfList",
                "--unit list --engines 2",
                {"--engines", "--unit list", "--unit combine"}},
        Refusal{"AnUnknownUnit", "--unit triger", {"--unit", "triger", "trigger"}},
        Refusal{"OnePlace", "--unit trigger --places 1", {"--places", "1", "2"}}),
    [](const auto& test) { return name_of(test); });

TEST(CostOfAUnit, IsPrintedAndKept) {
  const Workplace w;
  const std::string command =
      "export ANNELID_CACHE_DIR=cache; $A cost --unit trigger --places 2 --json unit.json";
  const Outcome first = w.shell(command);
  ASSERT_EQ(first.status, 0) << first.err;
  for (const char* part : {"trigger unit of the NIC: 2 places\n", "flip-flops", "MHz", "to  "}) {
    EXPECT_THAT(first.out, HasSubstr(part));
  }
  const auto result = nlohmann::json::parse(w.text("unit.json"));
  EXPECT_THAT(first.out,
              HasSubstr("of which " + result["asic"]["flip_flops"].dump() + " flip-flops"));

  const Outcome again = w.shell(command);
  EXPECT_EQ(again.status, 0) << again.err;
  EXPECT_THAT(first.out, Not(HasSubstr("from the cache")));
  EXPECT_THAT(again.out, HasSubstr("2 places  (from the cache)\n"));
  EXPECT_EQ(w.shell(command + " --quiet").out, "");
}

}  // namespace
}  // namespace annelid::end_to_end
