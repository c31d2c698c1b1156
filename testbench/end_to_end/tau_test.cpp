// annelid tau: models fitted to simulated points. The expected values come from
// docs/internals/nic/engines.md: a flit of 8
// bytes a cycle, start-ups that a processor pays for each message, the cycles of an empty network.
// State space: each model; start-ups of send and receive; both firmwares; every point as a run of
// its own; options that have no effect.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "base/csv.hpp"
#include "testbench/end_to_end/program.hpp"

namespace annelid::end_to_end {
namespace {

using ::testing::HasSubstr;
using Rows = std::vector<std::vector<std::string>>;

Rows rows_of(const Workplace& w, const std::string& file) { return split_csv(w.text(file)); }

/// The values of parameters.csv, by symbol.
std::map<std::string, double> fitted(const Workplace& w, const std::string& arguments) {
  const Outcome o = w.shell("$A tau --out fit " + arguments);
  EXPECT_EQ(o.status, 0) << arguments << '\n' << o.err;
  std::map<std::string, double> values;
  if (o.status != 0) return values;
  const Rows rows = rows_of(w, "fit/parameters.csv");
  for (std::size_t i = 1; i < rows.size(); ++i) {
    if (rows[i][1] != "?") values[rows[i][0]] = std::stod(rows[i][1]);
  }
  return values;
}

TEST(CommunicationModel, LogPSeesStartUpsInItsOverheadsAlone) {
  const Workplace w;
  auto less = fitted(w, "--fit logp --firmware native --alpha 28");
  auto more = fitted(w, "--fit logp --firmware native --alpha 100 --gamma 5");
  EXPECT_EQ(less["o, sender"], 28);
  EXPECT_EQ(more["o, sender"], 100);
  EXPECT_EQ(more["o, receiver"] - less["o, receiver"], 5);
  EXPECT_EQ(more["g"] - less["g"], 72);
  // With h = 1 and F = 3 flits, the receive's completion is visible h + F + 3 cycles after the go
  // of an eager send (docs/internals/nic/engines.md, "Exact cycles").
  EXPECT_EQ(less["L"], 1 + 3 + 3);
  EXPECT_EQ(more["L"], 1 + 3 + 3);
}

TEST(CommunicationModel, EveryModelFindsAFlitACycle) {
  const Workplace w;
  EXPECT_NEAR(fitted(w, "--fit hockney --firmware native --alpha 28")["r_inf"], 8, 0.01);
  EXPECT_NEAR(fitted(w, "--fit loggp --firmware native --alpha 28")["G"], 1.0 / 8, 0.0005);
}

TEST(CommunicationModel, PostalsUnitIsLogPsGap) {
  const Workplace w;
  auto log_p = fitted(w, "--fit logp --firmware native --alpha 100");
  auto postal = fitted(w, "--fit postal --firmware native --alpha 100");
  EXPECT_EQ(postal["u"], log_p["g"]);
  EXPECT_NEAR(postal["lambda"] * postal["u"], log_p["L + 2 o"], 0.01);
}

TEST(CommunicationModel, FirmwareOnTheCoreCostsOverheadAndNoLatency) {
  const Workplace w;
  auto native = fitted(w, "--fit logp --alpha 28 --firmware native");
  auto core = fitted(w, "--fit logp --alpha 28 --firmware rv32");
  EXPECT_GT(core["o, sender"], native["o, sender"] + 50);
  EXPECT_EQ(core["L"], native["L"]);
  EXPECT_GT(core["set-up"], 500);
}

TEST(CommunicationModel, EveryPointIsTheRunThatItNames) {
  const Workplace w;
  (void)fitted(w, "--fit loggp --firmware native --alpha 28 --bytes 8,512");
  const Rows points = rows_of(w, "fit/points.csv");
  ASSERT_EQ(points.size(), 9u);
  for (const std::size_t i : {1u, 4u, 8u}) {
    std::string command = points[i][6];
    ASSERT_EQ(command.substr(0, 12), "annelid run ");
    const Outcome o = w.shell("$A" + command.substr(7) + " --out out --quiet");
    ASSERT_EQ(o.status, 0) << command << '\n' << o.err;
    EXPECT_EQ(w.result()["cycles"], std::stoi(points[i][3])) << command;
    EXPECT_EQ(w.result()["messages"], std::stoi(points[i][1])) << command;
  }
}

TEST(CommunicationModel, ResultsOfRunsGiveTheSameFit) {
  const Workplace w;
  auto simulated = fitted(w, "--fit hockney --firmware native --alpha 28 --bytes 8,512,4096");
  for (const char* bytes : {"8", "512", "4096"}) {
    const Outcome o = w.shell(std::string("$A run --quiet --size 4x4 --topology ideal --firmware "
                                          "native --alpha 28 --algorithm linear-pipeline --ranks 2 "
                                          "--packets 1 --bytes ") +
                              bytes + " --out runs/" + bytes);
    ASSERT_EQ(o.status, 0) << o.err;
  }
  EXPECT_EQ(fitted(w, "--fit hockney runs/*"), simulated);
}

TEST(CommunicationModel, XuHwangFindsTheLogarithmOfABinomialTree) {
  const Workplace w;
  const Outcome o =
      w.shell("$A tau --fit xu-hwang --firmware native --alpha 100 --bytes 8,512,4096");
  ASSERT_EQ(o.status, 0) << o.err;
  const std::size_t at = o.out.find("t0(n)        = ");
  ASSERT_NE(at, std::string::npos) << o.out;
  EXPECT_THAT(o.out.substr(at, o.out.find('\n', at) - at), HasSubstr("log2 N"));
  EXPECT_THAT(o.out, HasSubstr("6 nodes, 512 bytes"));  // which is not in the fit
}

TEST(TauCommand, PrintsTimesOfAnOsuBenchmark) {
  const Workplace w;
  w.file(
      "osu.txt",
      "# OSU MPI Latency Test v5.6.2\n# Size          Latency (us)\n"
      "0                       1.00\n1024                    2.00\n4096                    5.00\n");
  const Outcome o = w.shell("$A tau osu.txt");
  ASSERT_EQ(o.status, 0) << o.err;
  EXPECT_THAT(o.out, HasSubstr("T_s, us"));
  EXPECT_THAT(o.out, HasSubstr("0.00097656"));  // 4 us over 4,096 bytes
}

/// A byte of a flit of 8 takes 1/8 cycle. What runs on the network is in points.csv, with commands
/// that can be repeated.
TEST(CommunicationModel, CclsStartUpIsThatOfTheMachineAndItsRunsCanBeRepeated) {
  const Workplace w;
  auto less = fitted(w, "--fit ccl --firmware native --alpha 28 --size 4x2 --bytes 64,512");
  const Rows points = rows_of(w, "fit/points.csv");
  auto more = fitted(w, "--fit ccl --firmware native --alpha 100 --size 4x2 --bytes 64,512");
  EXPECT_NEAR(less["tc"], 1.0 / 8, 0.02);
  EXPECT_NEAR(more["ts"] - less["ts"], 72, 20);
  std::set<std::string> parts;
  for (std::size_t i = 1; i < points.size(); ++i) parts.insert(points[i][0]);
  EXPECT_EQ(parts, (std::set<std::string>{"of the fit", "other groups", "other lengths",
                                          "other operations"}));
  const Outcome o = w.shell("$A" + points[1].back().substr(7) + " --quiet --out again");
  ASSERT_EQ(o.status, 0) << o.err;
  const nlohmann::json result = w.result("again");
  EXPECT_EQ(std::to_string(result.at("bytes_in_sequence").get<int>()), points[1][7]);
  EXPECT_EQ(std::to_string(result.at("bytes").get<int>()), points[1][8]);
  EXPECT_EQ(std::to_string(result.at("cycles").get<int>()), points[1][9]);
}

TEST(CommunicationModel, AFolderThatCannotBeMadeIsRefusedBeforeAnythingIsPrinted) {
  const Workplace w;
  expect_refused(w, w.shell("$A tau --fit hockney --firmware native --bytes 8,64 --out /proc/x"),
                 {"--out", "/proc/x"});
}

/// The lists of prepared calls take no time of the core: its overheads are those of the host.
TEST(CommunicationModel, PreparedCallsHaveTheOverheadsOfNativeFirmware) {
  const Workplace w;
  auto native = fitted(w, "--fit logp --firmware native");
  auto prepared = fitted(w, "--fit logp --prepared");
  const Rows points = rows_of(w, "fit/points.csv");
  EXPECT_EQ(prepared["o, sender"], native["o, sender"]);
  EXPECT_EQ(prepared["o, receiver"], native["o, receiver"]);
  EXPECT_NEAR(prepared["g"], native["g"], 2);
  EXPECT_LT(prepared["set-up"], 10);
  EXPECT_THAT(points.back().back(), HasSubstr(" --prepared --repeat 2 "));
  const Outcome o = w.shell("$A" + points.back().back().substr(7) + " --out again --quiet");
  ASSERT_EQ(o.status, 0) << o.err;
  EXPECT_EQ(w.result("again")["cycles"], std::stoi(points.back()[3]));
}

TEST(CommunicationModel, CclsOperationsCanBePrepared) {
  const Workplace w;
  const Outcome o = w.shell("$A tau --fit ccl --size 2x2 --bytes 64 --prepared --firmware native");
  ASSERT_EQ(o.status, 0) << o.err;
  EXPECT_THAT(o.out, HasSubstr("2x2 mesh; alpha 0, gamma 0, native, prepared"));
}

class TauOptions : public ::testing::TestWithParam<Refusal> {};

TEST_P(TauOptions, AreRefusedWithTheirNameWhatWasFoundAndWhatWasExpected) {
  const Workplace w;
  w.file("t.csv", "8,2\n64,3\n");
  w.file("bad.csv", "8,2\n64,3\n64,4\n");
  expect_refused(w, w.shell(std::string("$A tau --out out ") + GetParam().arguments),
                 GetParam().parts);
  EXPECT_FALSE(std::filesystem::exists(w.path("out")));
}

INSTANTIATE_TEST_SUITE_P(
    Bad, TauOptions,
    ::testing::Values(
        Refusal{"Nothing", "", {"RESULT", "no file", "--fit"}},
        Refusal{"File", "bad.csv", {"bad.csv:3: ", "64 a second time, after line 2"}},
        Refusal{"Formula", "t.csv --f 'L +'", {"--f", "found the end", "expected a number"}},
        Refusal{"NoLengthFunction", "t.csv --f L+1", {"--f", "f(0) = 1", "f(0) = 0"}},
        Refusal{"FormulaOfAModel", "t.csv --f L^2 --fit hockney", {"--f", "beside --fit"}},
        Refusal{
            "Model", "t.csv --fit hockny", {"--fit", "\"hockny\"", "did you mean \"hockney\"?"}},
        Refusal{"Nodes", "t.csv --nodes 2,x", {"--nodes", "\"x\"", "2,4,8"}},
        Refusal{"IdleOption", "t.csv --fit hockney --alpha 3", {"--alpha", "not simulated"}},
        Refusal{"IdleCalls", "t.csv --fit hockney --prepared", {"--prepared", "not simulated"}},
        Refusal{"IdleBytes", "t.csv --bytes 8", {"--bytes", "not simulated"}},
        Refusal{
            "OddLength", "--fit hockney --bytes 8,12", {"--bytes", "found 12", "multiple of 8"}},
        Refusal{"OneLength", "--fit hockney --bytes 8", {"--bytes", "one length", "at least two"}},
        Refusal{
            "LengthsOfLogP", "--fit logp --bytes 8,16", {"--bytes", "2 lengths", "one for LogP"}},
        Refusal{"Algorithm", "--fit logp --algorithm binomial", {"--algorithm", "xu-hwang"}},
        Refusal{"OneNode", "--fit logp --size 1", {"--size", "found 1 node", "at least 2"}},
        Refusal{"TooManyNodes", "--fit xu-hwang --nodes 2,32", {"--nodes", "found 32", "16 nodes"}},
        Refusal{"CclResult", "t.csv --fit ccl", {"RESULT", "a file for CCL", "simulated"}},
        Refusal{"CclIdeal", "--fit ccl --topology ideal", {"--topology", "ideal", "mesh or torus"}},
        Refusal{"CclOperation", "--fit ccl --operation reduce", {"--operation", "fixed"}},
        Refusal{"CclGroups", "--fit ccl --nodes 2,4", {"--nodes", "found 2", "4 to 16"}},
        Refusal{"CclLength", "--fit ccl --bytes 12", {"--bytes", "found 12", "multiple of 8"}},
        Refusal{"CclNodes", "--fit ccl --size 3", {"--size", "found 3 nodes", "at least 4"}},
        Refusal{"NoAlgorithmByRank",
                "--fit xu-hwang --algorithm edn --size 4x4 --topology mesh",
                {"--ranks", "\"edn\"", "by rank"}}),
    [](const auto& test) { return name_of(test); });

}  // namespace
}  // namespace annelid::end_to_end
