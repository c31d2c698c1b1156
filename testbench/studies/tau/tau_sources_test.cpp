// The tau-model and the models of communication from files: what forms a line, a family, a fit, and
// what is refused. State space: files of one and of several numbers of nodes, --nodes, units, f(L),
// results of runs that belong together and that do not.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "base/input_error.hpp"
#include "studies/tau/models.hpp"
#include "studies/tau/tau.hpp"
#include "testbench/base/scratch.hpp"

namespace annelid::studies {
namespace {

using reference::models::Model;
using ::testing::AllOf;
using ::testing::HasSubstr;

/// A file of times on a line.
std::string times(double start, double per_byte, const std::string& header = "") {
  std::string text = header;
  for (const double bytes : {8, 512, 4096}) {
    text += fmt::format("{},{}\n", bytes, start + per_byte * bytes);
  }
  return text;
}

/// The parts of a result.json that a fit reads.
std::string result(int nodes, int bytes, double cycles, int packets = 0) {
  const std::string more = packets > 0 ? fmt::format(", \"packets\": {}", packets) : "";
  return fmt::format(
      R"({{"cycles": {}, "messages": {}, "configuration": {{"network": {{"size": [16]}},)"
      R"("nic": {{"alpha": 28, "gamma": 0}}, "firmware": "rv32", "collective": {{"operation": "broadcast",)"
      R"("algorithm": "linear-pipeline", "ranks": {}, "bytes": {}{}}}}}}})",
      cycles, packets > 0 ? packets : nodes - 1, nodes, bytes, more);
}

std::string refusal_of(const std::function<void()>& f) {
  try {
    f();
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

/// A result with another text in place of one of its own.
std::string with(const std::string& old, const std::string& text) {
  std::string all = result(16, 8, 100);
  return all.replace(all.find(old), old.size(), text);
}

class TauFiles : public ::testing::Test {
 protected:
  std::string put(const std::string& name, const std::string& text) const {
    folder_.put(name, text);
    return (folder_ / name).string();
  }
  Scratch folder_;
};

TEST_F(TauFiles, GiveALineEach) {
  const std::vector<std::string> files = {put("a.csv", times(100, 0.5, "bytes,us\n")),
                                          put("b.csv", times(200, 0.25))};
  const std::vector<TauLine> lines = fit_tau(files);
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_NEAR(lines[0].fit.line.start, 100, 1e-9);
  EXPECT_NEAR(lines[1].fit.line.per_length, 0.25, 1e-12);
  EXPECT_EQ(tau_table(lines).columns[2], "T_s, us");
  EXPECT_TRUE(tau_families(lines).empty());
}

TEST_F(TauFiles, OfOneCallMadeInSeveralWaysGiveALineEach) {
  std::vector<std::string> files;
  for (const int bytes : {8, 64}) {
    const std::string first = result(16, bytes, 500 + bytes);
    std::string native = first, prepared = first;
    native.replace(native.find("rv32"), 4, "native");
    prepared.replace(prepared.find("\"ranks\""), 0, "\"prepared\": true, ");
    files.push_back(put(fmt::format("first-{}.json", bytes), first));
    files.push_back(put(fmt::format("native-{}.json", bytes), native));
    files.push_back(put(fmt::format("prepared-{}.json", bytes), prepared));
  }
  std::vector<std::string> titles;
  for (const TauLine& line : fit_tau(files)) titles.push_back(line.title);
  const std::string common = "broadcast linear-pipeline 16, alpha 28, gamma 0, ";
  EXPECT_THAT(titles, ::testing::ElementsAre(common + "rv32", common + "native",
                                             common + "rv32, prepared"));
}

TEST_F(TauFiles, HaveWholeNumbersWhereTheseArePrinted) {
  for (const auto& [old, text, key] :
       {std::array{"[16]", "[1.8e19]", "network.size"}, std::array{"[16]", "[-4]", "network.size"},
        std::array{"\"alpha\": 28", "\"alpha\": 1e300", "nic.alpha"},
        std::array{"\"gamma\": 0", "\"gamma\": 0.5", "nic.gamma"},
        std::array{"\"bytes\": 8", "\"bytes\": \"8\"", "collective.bytes"}}) {
    const std::vector<std::string> files = {put("result.json", with(old, text))};
    EXPECT_THAT(refusal_of([&] { (void)fit_tau(files); }),
                AllOf(HasSubstr(std::string("result.json: configuration.") + key),
                      HasSubstr("expected a whole number, from 0 to 2^53")))
        << text;
  }
}

TEST_F(TauFiles, OfSeveralNumbersOfNodesShowHowTheParametersGrow) {
  std::vector<std::string> files;
  std::string together = "nodes,bytes,cycles\n";
  for (const int n : {2, 4, 8, 16}) {
    const double start = 10 + 40 * std::log2(n);
    files.push_back(put(fmt::format("{}.csv", n), times(start, 0.125)));
    for (const double bytes : {8, 512}) {
      together += fmt::format("{},{},{}\n", n, bytes, start + 0.125 * bytes);
    }
  }
  const std::vector<TauLine> apart = fit_tau(files, {{}, {2, 4, 8, 16}});
  const std::vector<std::string> one = {put("all.csv", together)};
  for (const auto& lines : {apart, fit_tau(one)}) {
    const std::vector<TauFamily> families = tau_families(lines);
    ASSERT_EQ(families.size(), 1u);
    EXPECT_EQ(families[0].lines.size(), 4u);
    EXPECT_EQ(growth_text(families[0].start), "10 + 40 log2 N; largest deviation 0.00 %");
    EXPECT_EQ(growth_text(families[0].per_length), "0.125; largest deviation 0.00 %");
  }
  EXPECT_TRUE(tau_families(fit_tau(files)).empty());  // nobody said how many nodes
}

TEST_F(TauFiles, TakeAGeneralLengthFunction) {
  std::string text;
  for (const double bytes : {8, 512, 4096}) {
    text += fmt::format("{},{}\n", bytes, 100 + 0.5 * bytes * bytes);
  }
  const std::vector<std::string> files = {put("square.csv", text)};
  const TauOptions options{reference::LengthFunction::parse("L^2"), {}};
  const std::vector<TauLine> lines = fit_tau(files, options);
  EXPECT_NEAR(lines[0].fit.line.start, 100, 1e-6);
  EXPECT_NEAR(lines[0].fit.line.per_length, 0.5, 1e-9);
  EXPECT_EQ(tau_table(lines, options.f).columns[4], "tau, 1/f");
}

TEST_F(TauFiles, AreRefusedWhereTheyFormNoLine) {
  const std::string good = put("good.csv", times(100, 0.5, "bytes,us\n"));
  const std::string cycles = put("cycles.csv", times(100, 0.5, "bytes,cycles\n"));
  const std::string one = put("one.csv", "8,2\n");
  const auto refused = [](const std::vector<std::string>& files, const TauOptions& options = {}) {
    return refusal_of([&] { (void)fit_tau(files, options); });
  };
  EXPECT_THAT(refused({one}), AllOf(HasSubstr("one.csv"), HasSubstr("only one length")));
  EXPECT_THAT(refused({good, cycles}),
              AllOf(HasSubstr("cycles.csv"), HasSubstr("times in cycles, expected us")));
  EXPECT_THAT(refused({good}, {{}, {2, 4}}),
              AllOf(HasSubstr("--nodes"), HasSubstr("found 2 numbers, expected 1")));
  EXPECT_THAT(refused({good}, {reference::LengthFunction::parse("min(L, 8)"), {}}),
              HasSubstr("only lengths of the same f(L)"));
}

TEST_F(TauFiles, StreamsOfRunsFormOneFit) {
  std::vector<std::string> files;
  for (const int k : {1, 2, 4}) {
    for (const int m : {8, 64}) {
      const double time = 50 + k * (m - 1) * 0.125 + (k - 1) * 30;
      files.push_back(put(fmt::format("{}-{}.json", k, m), result(2, k * m, time, k)));
    }
  }
  const std::vector<ModelReport> reports = fit_model(Model::kLogGP, files, {});
  ASSERT_EQ(reports.size(), 1u);
  EXPECT_EQ(reports[0].fit.points.size(), 6u);
  EXPECT_EQ(reports[0].unit, "cycles");
  const reproduction::Table parameters = parameter_table(reports[0]);
  const auto& g = parameters.rows[3];
  EXPECT_THAT(g, ::testing::ElementsAre("g", "30", "cycles", HasSubstr("start of a message")));
  EXPECT_THAT(parameters.rows[1],
              ::testing::ElementsAre("L", "?", "cycles", HasSubstr("not determined: the points")));
}

TEST_F(TauFiles, ReadTheWrittenPointsAgain) {
  const std::vector<std::string> files = {put("points.csv",
                                              "messages,bytes,cycles,sender,receiver\n"
                                              "1,8,60,40,5\n2,8,95,70,5\n4,8,165,130,5\n")};
  const ModelReport report = fit_model(Model::kLogP, files, {}).at(0);
  write_model(report, folder_ / "out");
  const std::vector<std::string> again = {(folder_ / "out/points.csv").string()};
  const ModelReport second = fit_model(Model::kLogP, again, {}).at(0);
  EXPECT_EQ(parameter_table(second).rows, parameter_table(report).rows);
  EXPECT_EQ(point_table(second).rows, point_table(report).rows);
}

TEST_F(TauFiles, AreRefusedWhereTheModelDoesNotSpeakOfThem) {
  const auto refused = [](Model model, const std::vector<std::string>& files) {
    return refusal_of([&] { (void)fit_model(model, files, {}); });
  };
  const std::string single = put("single.csv", times(100, 0.5));
  const std::string nodes = put("nodes.csv", "nodes,bytes,time\n2,8,1\n2,64,2\n4,8,1\n4,64,3\n");
  const std::string one = put("one.csv", "nodes,bytes,time\n2,8,1\n4,8,1\n4,64,3\n");
  const std::string streams = put("streams.csv", "messages,bytes,time\n1,8,1\n2,8,2\n");
  const std::string eight = put("eight.json", result(8, 64, 100));
  EXPECT_THAT(refused(Model::kXuHwang, {single}),
              AllOf(HasSubstr("single.csv"), HasSubstr("without a number of nodes")));
  EXPECT_THAT(refused(Model::kHockney, {nodes}), HasSubstr("found 2 and 4 nodes"));
  EXPECT_THAT(refused(Model::kLogP, {nodes}), HasSubstr("found 4 nodes, expected 2 nodes"));
  EXPECT_THAT(refused(Model::kXuHwang, {one}), HasSubstr("one length of 2 nodes"));
  EXPECT_THAT(refused(Model::kHockney, {streams}), HasSubstr("found 2 messages"));
  EXPECT_THAT(refused(Model::kLogGP, {eight}),
              AllOf(HasSubstr("eight.json"), HasSubstr("broadcast of 8 processes")));
  EXPECT_THAT(refusal_of([] { (void)model_of("logg"); }),
              AllOf(HasSubstr("--fit"), HasSubstr("did you mean \"logp\"?")));
}

}  // namespace
}  // namespace annelid::studies
