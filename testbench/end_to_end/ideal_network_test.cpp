// The ideal network under everything that runs on it (docs/internals/microarchitecture.md, section
// 9).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "testbench/end_to_end/program.hpp"
#include "testbench/parameter_name.hpp"

namespace annelid::end_to_end {
namespace {

using ::testing::HasSubstr;

nlohmann::json run_ideal(const Workplace& w, const std::string& arguments) {
  const Outcome o =
      w.annelid("run --quiet --topology ideal --out " + w.path("out").string() + " " + arguments);
  EXPECT_EQ(o.status, 0) << arguments << '\n' << o.out << o.err;
  return o.status == 0 ? w.result() : nlohmann::json{};
}

class OnIdealNetwork : public ::testing::TestWithParam<const char*> {};

TEST_P(OnIdealNetwork, CollectivesRunAsOnAMesh) {
  const Workplace w;
  const auto result = run_ideal(w, GetParam());
  ASSERT_FALSE(result.is_null());
  EXPECT_EQ(result["configuration"]["network"]["topology"], "ideal");
  for (const auto& channel : result["channels"]) {
    const auto name = channel["channel"].get<std::string>();
    EXPECT_TRUE(name.starts_with("ej") || name.starts_with("inj")) << name;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Ideal, OnIdealNetwork,
    ::testing::Values("--size 8x8 --root 3,1 --bytes 500",
                      "--size 8x8 --operation reduce --firmware native --bytes 800",
                      "--size 4x4x4 --operation all-to-all --firmware native --router one-port",
                      "--size 5x3 --operation all-gather --firmware native --local-vcs 2",
                      "--size 16 --operation barrier --firmware native --skew 500 --depth 1",
                      "--size 8x8 --operation all-reduce --firmware native"),
    test::ParameterName());

// What algorithms promise of channels, the ideal network keeps of ports.
TEST(Ideal, EdnMeetsNobodyAtThePorts) {
  const Workplace w;
  for (const char* operation : {"broadcast", "reduce"}) {
    const auto result = run_ideal(w, std::string("--firmware native --size 8x8 --bytes 2000 "
                                                 "--algorithm edn --root 2,5 --operation ") +
                                         operation);
    for (const auto& step : result["steps"]) {
      EXPECT_EQ(step["blocked_flit_cycles"]["stepwise_ejection"], 0) << operation;
    }
  }
}

// Uniform traffic fills the only port of each node.
TEST(Ideal, TrafficIsBoundByThePortsAlone) {
  const Workplace w;
  const Outcome o = w.annelid(
      "traffic --topology ideal --router one-port --local-vcs 8 --quiet "
      "--size 8x8 --load 0.5 --packets " +
      w.path("packets.csv").string() + " --out " + w.path("out").string());
  ASSERT_EQ(o.status, 0) << o.out << o.err;
  const auto result = w.result();
  EXPECT_NEAR(result["throughput"]["accepted"].get<double>(), 0.5, 0.01);
  EXPECT_NEAR(result["throughput"]["ideal"].get<double>(), 1.0, 1e-9);
  EXPECT_EQ(result["hops"]["mean"], 1.0);
  EXPECT_THAT(w.text("packets.csv"), HasSubstr(" ej0 "));
}

class WithoutRouters : public ::testing::TestWithParam<Refusal> {};

TEST_P(WithoutRouters, WhatIsAboutThemIsRefused) {
  const Workplace w;
  const std::string arguments = GetParam().arguments;
  const bool runs = arguments.starts_with("run");
  expect_refused(w, w.annelid(arguments + (runs ? " --out " + w.path("out").string() : "")),
                 GetParam().parts);
}

INSTANTIATE_TEST_SUITE_P(
    Ideal, WithoutRouters,
    ::testing::Values(
        Refusal{"Rtl", "run --topology ideal --rtl 3", {"--rtl", "ideal", "a mesh or torus"}},
        Refusal{
            "Wave", "run --topology ideal --wave x.fst", {"--wave", "ideal", "a mesh or torus"}},
        Refusal{"Cost", "cost --topology ideal", {"--topology", "ideal", "with routers"}},
        Refusal{"Mixed", "run --topology ideal,mesh", {"--topology", "\"ideal\" alone"}},
        Refusal{"Ports", "run --topology ideal --local-ports 5", {"--local-ports", "1..4"}},
        Refusal{"Svg", "schedule --topology ideal --svg x.svg", {"--svg", "ideal"}}),
    name_of);

}  // namespace
}  // namespace annelid::end_to_end
