// InterCom as a user asks for it: the seven operations by hybrids, on the modelled core and native,
// and hybrids that there are not (docs/internals/algorithms/intercom.md).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>

#include "testbench/end_to_end/program.hpp"
#include "testbench/parameter_name.hpp"

namespace annelid::end_to_end {
namespace {

nlohmann::json run_intercom(const Workplace& w, const std::string& arguments) {
  const Outcome o = w.annelid("run --quiet --algorithm intercom --out " + w.path("out").string() +
                              " " + arguments);
  EXPECT_EQ(o.status, 0) << arguments << '\n' << o.out << o.err;
  return o.status == 0 ? w.result() : nlohmann::json{};
}

class Intercom : public ::testing::TestWithParam<const char*> {};

TEST_P(Intercom, LeavesTheRightBytesByEveryFirmware) {
  const Workplace w;
  const std::string operation = GetParam();
  const bool rooted = operation.starts_with("broadcast") || operation.starts_with("reduce ") ||
                      operation.starts_with("scatter") || operation.starts_with("gather");
  for (const char* hybrid :
       {"", "--template long", "--logical-mesh 2x2x3", "--logical-mesh 4x3 --template long",
        "--logical-mesh 3x2x2 --dimensions far-first"}) {
    for (const char* firmware : {"native", "rv32"}) {
      const auto result = run_intercom(w, std::string("--size 4x3 --bytes 200 --operation ") +
                                              operation + (rooted ? " --root 2,1" : "") +
                                              " --firmware " + firmware + " " + hybrid);
      if (result.is_null()) continue;
      EXPECT_EQ(result["nodes_verified"], 12);
    }
  }
}

TEST_P(Intercom, RunsOnTheFirstRanksOfAnEmbeddingAndOnOnePortRouters) {
  const Workplace w;
  for (const char* more :
       {"--size 5x3 --ranks 12 --embedding snake --logical-mesh 3x4 --bytes 1000",
        "--size 4x4 --topology torus --ranks 15 --embedding quadrants --logical-mesh 5x3 "
        "--template long --bytes 8",
        "--size 4x4x2 --router one-port --logical-mesh 4x8 --template long --bytes 0",
        "--size 1x1"}) {
    run_intercom(w, std::string("--firmware native --operation ") + GetParam() + " " + more);
  }
}

INSTANTIATE_TEST_SUITE_P(Operations, Intercom,
                         ::testing::Values("broadcast", "scatter", "gather", "all-gather",
                                           "reduce --type float32", "all-reduce --operator max",
                                           "reduce-scatter"),
                         test::ParameterName());

TEST(IntercomResult, NamesTheHybrid) {
  const Workplace w;
  const auto result = run_intercom(
      w,
      "--firmware native --size 6x2 --logical-mesh 2x2x3 --template long --dimensions far-first");
  const auto& collective = result["configuration"]["collective"];
  EXPECT_EQ(collective["logical_mesh"], nlohmann::json({2, 2, 3}));
  EXPECT_EQ(collective["template"], "long");
  EXPECT_EQ(collective["dimensions"], "far-first");
}

TEST(IntercomResult, SaysWhatTheProcessesChose) {
  const Workplace w;
  const Outcome o = w.annelid(
      "run --algorithm intercom --operation all-gather --size 5x7 --bytes 2000 --firmware native "
      "--out " +
      w.path("out").string());
  EXPECT_EQ(o.status, 0) << o.out << o.err;
  EXPECT_THAT(o.out, ::testing::HasSubstr("chosen by rule: 7x5 long, far dimensions first"));
  EXPECT_EQ(w.result()["configuration"]["collective"]["hybrid"], "chosen");
  const auto named = run_intercom(w, "--size 5x7 --firmware native --template short");
  EXPECT_FALSE(named["configuration"]["collective"].contains("hybrid"));
}

/// The two extremes have one dimension. What is chosen wins by more than choosing takes.
TEST(IntercomChoice, IsFasterThanBothExtremes) {
  const Workplace w;
  const auto cycles = [&](const std::string& arguments) {
    return run_intercom(w, "--topology mesh " + arguments)["cycles"].get<std::uint64_t>();
  };
  for (const char* call :
       {"--size 8x8 --bytes 65536", "--size 5x7 --operation all-gather --bytes 1000",
        "--size 5x7 --operation all-reduce --bytes 65536 --router one-port"}) {
    const std::uint64_t chosen = cycles(call);
    EXPECT_LT(chosen, cycles(std::string(call) + " --template short")) << call;
    EXPECT_LT(chosen, cycles(std::string(call) + " --template long")) << call;
    EXPECT_EQ(chosen, cycles(call)) << call;
  }
}

/// A call that leaves its hybrid open, and the call that names the hybrid that was chosen.
TEST(IntercomChoice, TakesAtMostATwentiethOfTheCall) {
  const Workplace w;
  for (const char* call :
       {"--size 30x1 --operation all-gather --bytes 8", "--size 30x1 --bytes 16k",
        "--size 8x8 --operation reduce-scatter --bytes 1k"}) {
    const auto open = run_intercom(w, call);
    if (open.is_null()) continue;
    const auto& collective = open["configuration"]["collective"];
    std::string sizes;
    for (const int size : collective["logical_mesh"])
      sizes += (sizes.empty() ? "" : "x") + std::to_string(size);
    const auto named =
        run_intercom(w, std::string(call) + " --logical-mesh " + sizes + " --template " +
                            collective["template"].get<std::string>() + " --dimensions " +
                            collective["dimensions"].get<std::string>());
    if (named.is_null()) continue;
    const auto cycles = named["cycles"].get<std::uint64_t>();
    EXPECT_GT(open["cycles"], cycles) << call;
    EXPECT_LE(open["cycles"], cycles + cycles / 20) << call;
  }
}

TEST(IntercomResult, IsOfAScenarioToo) {
  const Workplace w;
  const std::string file = w.file("hybrid.toml",
                                  "[network]\nsize = [4, 3]\n[collective]\n"
                                  "operation = \"reduce-scatter\"\nalgorithm = \"intercom\"\n"
                                  "logical_mesh = [4, 3]\ntemplate = \"long\"\n");
  const Outcome o = w.annelid("run " + file + " --firmware native --out " + w.path("out").string());
  EXPECT_EQ(o.status, 0) << o.err;
  EXPECT_THAT(o.out, ::testing::HasSubstr("4x3 long, near dimensions first"));
}

TEST(IntercomAffine, IsCombinedWhereTheOrderIsKept) {
  const Workplace w;
  for (const char* call : {"reduce --root 2,1", "all-reduce --logical-mesh 2x6",
                           "reduce-scatter --logical-mesh 2x2x3"}) {
    run_intercom(w,
                 std::string("--firmware native --size 4x3 --operator affine --operation ") + call);
  }
  const Outcome by_auto = w.annelid(
      "run --quiet --firmware native --size 4x3 --operation reduce-scatter --operator affine "
      "--algorithm auto --out " +
      w.path("out").string());
  EXPECT_EQ(by_auto.status, 0) << by_auto.out << by_auto.err;
}

TEST(IntercomSchedule, IsShownStepByStep) {
  const Workplace w;
  const Outcome o = w.annelid(
      "schedule --algorithm intercom --topology mesh --size 12 --logical-mesh 2x2x3 --bytes 32");
  EXPECT_EQ(o.status, 0) << o.err;
  EXPECT_THAT(o.out, ::testing::HasSubstr("step 6"));
  EXPECT_THAT(o.out, ::testing::Not(::testing::HasSubstr("step 7")));
}

class IntercomOptions : public ::testing::TestWithParam<Refusal> {};

TEST_P(IntercomOptions, AreRefusedWithTheReason) {
  const Workplace w;
  expect_refused(
      w, w.annelid("run --size 4x3 --out " + w.path("out").string() + " " + GetParam().arguments),
      GetParam().parts);
}

INSTANTIATE_TEST_SUITE_P(
    Bad, IntercomOptions,
    ::testing::Values(
        Refusal{"NoFactorization",
                "--algorithm intercom --logical-mesh 5x3",
                {"--logical-mesh", "found 5x3", "a factorization of 12", "1 to 7 sizes"}},
        Refusal{"OfAllNodesForSome",
                "--algorithm intercom --logical-mesh 4x3 --ranks 11",
                {"--logical-mesh", "found 4x3", "a factorization of 11"}},
        Refusal{"SizeOfZero",
                "--algorithm intercom --logical-mesh 12x0",
                {"--logical-mesh", "found 12x0", "a factorization of 12"}},
        Refusal{"TooManySizes",
                "--algorithm intercom --logical-mesh 2x2x3x1x1x1x1x1",
                {"--logical-mesh", "a factorization of 12", "1 to 7 sizes"}},
        Refusal{"Template",
                "--algorithm intercom --template medium",
                {"--template", "\"medium\"", "\"short\"", "\"long\""}},
        Refusal{"Dimensions",
                "--algorithm intercom --dimensions middle-first",
                {"--dimensions", "\"middle-first\"", "\"near-first\"", "\"far-first\""}},
        Refusal{"Parameter",
                "--algorithm intercom --parameter 3",
                {"--parameter", "--logical-mesh", "--template"}},
        Refusal{"AnotherAlgorithm",
                "--algorithm binomial --logical-mesh 4x3",
                {"--logical-mesh", "\"binomial\"", "\"intercom\""}},
        Refusal{"Auto", "--algorithm auto --template long", {"--template", "\"auto\""}},
        Refusal{"Order",
                "--operation all-reduce --algorithm intercom --operator affine --logical-mesh 3x4",
                {"--operator", "order", "\"intercom\""}},
        Refusal{"OperatorOfAGather",
                "--operation gather --algorithm intercom --operator sum",
                {"--operator", "a value for gather", "reduce-scatter"}}),
    name_of);

TEST(IntercomLimits, AreNamed) {
  const Workplace w;
  const std::string out = " --algorithm intercom --out " + w.path("out").string();
  expect_refused(w, w.annelid("run --size 256x256 --logical-mesh 65536x1" + out),
                 {"--logical-mesh", "found 65536x1", "all but the last are at most 32767"});
  expect_refused(w, w.annelid("run --size 64x128 --template long" + out),
                 {"--template", "8192 long", "at most 16777216 messages"});
  expect_refused(w, w.annelid("run --size 64x128 --operation gather --bytes 4k" + out),
                 {"--bytes", "at most 2048 bytes"});
}

}  // namespace
}  // namespace annelid::end_to_end
