// Blocks of different lengths: the key collective.counts, the words of the call, and runs.
// State space: all operations that take lengths, lists, random lengths and files, groups, lengths
// of 0; every mistake; firmware that changes the list.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <numeric>

#include "base/input_error.hpp"
#include "base/new_file.hpp"
#include "simulation/checks/checks.hpp"
#include "simulation/machine/call_words.hpp"
#include "simulation/machine/contents.hpp"
#include "simulation/results/collect.hpp"
#include "simulation/scenario/count_keys.hpp"
#include "systemc/modules/elaboration.hpp"
#include "testbench/parameter_name.hpp"
#include "testbench/simulation/lying_firmware.hpp"

namespace annelid::simulation {
namespace {

using ::testing::ElementsAre;
using ::testing::Ge;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using Values = std::vector<std::pair<const char*, std::string>>;

Scenario scenario_of(const Values& values) {
  Settings settings(run_keys());
  settings.set("firmware", "native");
  settings.set("network.size", "3x2");
  for (const auto& [key, value] : values) settings.set(key, value);
  return Scenario::from(settings);
}

std::vector<std::uint64_t> lengths_of(const Values& values) {
  return scenario_of(values).call().collective.lengths;
}

std::vector<std::string> failed(const Scenario& scenario,
                                const std::function<void(nic::Nic&)>& before_end = {}) {
  const systemc::Elaboration elaboration;
  const std::vector<reference::Inputs> inputs = inputs_of(scenario);
  Simulation simulation(scenario, nullptr, {}, plan_memory(scenario).end);
  if (before_end) {
    simulation.nic(4).load(std::make_unique<OnBus>(
        std::make_unique<AroundTheEnd>(simulation.nic(4), before_end, AroundTheEnd::Action{})));
  }
  Progress silent;
  simulation.run(inputs, silent);
  RunResult result = checked_result(scenario, simulation, inputs);
  std::vector<std::string> names;
  for (const Check& check : result.checks) {
    if (check.verdict == Verdict::kFailed) names.push_back(check.name + ": " + check.detail);
  }
  return names;
}

TEST(Counts, AreAListARangeOrAFile) {
  EXPECT_THAT(
      lengths_of({{"collective.operation", "gather"}, {"collective.counts", "8,0,3,1,9,64"}}),
      ElementsAre(8, 0, 3, 1, 9, 64));
  const auto drawn = lengths_of(
      {{"collective.operation", "reduce-scatter"}, {"collective.counts", "random:5..100"}});
  EXPECT_THAT(drawn, ::testing::SizeIs(6));
  for (const std::uint64_t length : drawn) {
    EXPECT_THAT(length, Ge(8u));
    EXPECT_LE(length, 100u);
    EXPECT_EQ(length % 4, 0u);
  }
  EXPECT_EQ(drawn, lengths_of({{"collective.operation", "reduce-scatter"},
                               {"collective.counts", "random:5..100"}}));
  EXPECT_NE(drawn, lengths_of({{"collective.operation", "reduce-scatter"},
                               {"collective.counts", "random:5..100"},
                               {"collective.seed", "2"}}));
  const TemporaryFolder folder;
  const std::filesystem::path file = folder.path() / "matrix.csv";
  std::ofstream(file) << "0, 1\n2,3\n";
  EXPECT_THAT(lengths_of({{"network.size", "2"},
                          {"collective.operation", "all-to-all"},
                          {"collective.counts", file.string()}}),
              ElementsAre(0, 1, 2, 3));
}

TEST(Counts, ChooseAnAlgorithmThatTakesThem) {
  const Scenario s =
      scenario_of({{"collective.operation", "scatter"}, {"collective.counts", "1,2,3,4,5,6"}});
  EXPECT_EQ(s.call().collective.algorithm->name, "intercom");
  EXPECT_EQ(s.call().collective.bytes, 4u);
}

TEST(Counts, AreWordsOfTheCallAndOfAList) {
  const Scenario s = scenario_of({{"collective.operation", "all-to-all"},
                                  {"network.size", "2"},
                                  {"collective.counts", "5,6,7,8"}});
  const Collective& c = s.call().collective;
  const MemoryLayout layout = plan_memory(s).calls[0];
  EXPECT_EQ(layout.lengths.bytes, 16u);
  EXPECT_EQ(layout.source.bytes, 15u) << "of rank 1, the longest";
  EXPECT_EQ(layout.target.bytes, 14u) << "of rank 1";
  const auto words = length_words(c, {1, 0});
  EXPECT_THAT(words, ::testing::SizeIs(16));
  EXPECT_THAT((std::vector{words[0], words[4], words[8], words[12]}),
              ElementsAre(std::byte{7}, std::byte{8}, std::byte{6}, std::byte{8}));
  const nic::Call call = call_of(c, layout, 1);
  EXPECT_EQ(call.words[static_cast<std::size_t>(reg::CallWord::kCount)], 0u);
  EXPECT_EQ(call.words[static_cast<std::size_t>(reg::CallWord::kParameter0)],
            layout.lengths.offset);
  EXPECT_EQ(call.words[static_cast<std::size_t>(reg::CallWord::kFlags)], 8u);
}

class CountedCalls : public ::testing::TestWithParam<const char*> {};

TEST_P(CountedCalls, Hold) {
  for (const char* counts : {"random:0..200", "random:0..8", "random:0..0"}) {
    EXPECT_THAT(
        failed(scenario_of({{"collective.operation", GetParam()}, {"collective.counts", counts}})),
        IsEmpty())
        << counts;
    EXPECT_THAT(failed(scenario_of({{"collective.operation", GetParam()},
                                    {"collective.group", "2,1 0,0 1,1"},
                                    {"collective.counts", counts}})),
                IsEmpty())
        << counts;
  }
}

INSTANTIATE_TEST_SUITE_P(All, CountedCalls,
                         ::testing::Values("scatter", "gather", "all-gather", "reduce-scatter",
                                           "all-to-all"),
                         test::ParameterName());

TEST(CountChecks, SeeAListThatTheFirmwareChanges) {
  const Scenario s =
      scenario_of({{"collective.operation", "all-gather"}, {"collective.counts", "random:0..200"}});
  const std::uint64_t list = plan_memory(s).calls[0].lengths.offset;
  for (const auto& [offset, name] :
       {std::pair{list + 8, "the list of lengths, byte 8"},
        std::pair{list + 24, "the bytes behind the list of lengths, byte 0"}}) {
    const auto scribble = [offset = offset](nic::Nic& nic) {
      const std::byte byte{0xEE};
      nic.write_memory(static_cast<std::uint32_t>(offset), {&byte, 1});
    };
    EXPECT_THAT(failed(s, scribble),
                ElementsAre(HasSubstr(std::string("bytes: node (1,1): ") + name)));
  }
}

struct BadCounts {
  const char* name;
  Values values;
  std::vector<const char*> parts;
};

class CountMistakes : public ::testing::TestWithParam<BadCounts> {};

TEST_P(CountMistakes, AreRefused) {
  try {
    (void)scenario_of(GetParam().values);
    FAIL();
  } catch (const InputError& error) {
    for (const char* part : GetParam().parts) EXPECT_THAT(error.what(), HasSubstr(part));
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, CountMistakes,
    ::testing::Values(
        BadCounts{"TooFew",
                  {{"collective.operation", "gather"}, {"collective.counts", "1,2"}},
                  {"collective.counts", "2 numbers", "6, one for each rank"}},
        BadCounts{"TooFewForAMatrix",
                  {{"collective.operation", "all-to-all"}, {"collective.counts", "1,2,3,4,5,6"}},
                  {"6 numbers", "36: for each rank"}},
        BadCounts{
            "NoWholeElement",
            {{"collective.operation", "reduce-scatter"}, {"collective.counts", "4,4,4,4,4,6"}},
            {"a block of 6 bytes", "a multiple of the 4 bytes of int32"}},
        BadCounts{"TooLong",
                  {{"collective.operation", "gather"}, {"collective.counts", "0,0,0,0,0,16777217"}},
                  {"16777217", "16777216"}},
        BadCounts{"TooLongTogether",
                  {{"collective.operation", "gather"}, {"collective.counts", "0,0,0,0,1,16777216"}},
                  {"16777217 bytes in all blocks together", "at most 16777216"}},
        BadCounts{"AnotherOperation",
                  {{"collective.operation", "broadcast"}, {"collective.counts", "1,2,3,4,5,6"}},
                  {"different lengths for broadcast", "gather by \"intercom\"",
                   "all-to-all by \"direct\""}},
        BadCounts{"AnotherAlgorithm",
                  {{"collective.operation", "gather"},
                   {"collective.algorithm", "recursive-doubling"},
                   {"collective.counts", "1,2,3,4,5,6"}},
                  {"by \"recursive-doubling\"", "gather by \"intercom\""}},
        BadCounts{"Auto",
                  {{"collective.operation", "gather"},
                   {"collective.algorithm", "auto"},
                   {"collective.counts", "1,2,3,4,5,6"}},
                  {"by \"auto", "gather by \"intercom\""}},
        BadCounts{"WithBytes",
                  {{"collective.operation", "gather"},
                   {"collective.bytes", "8"},
                   {"collective.counts", "1,2,3,4,5,6"}},
                  {"collective.bytes", "not both"}},
        BadCounts{"BackwardsRange",
                  {{"collective.operation", "gather"}, {"collective.counts", "random:9..3"}},
                  {"\"random:9..3\"", "random:A..B"}},
        BadCounts{"ARangeWithoutAnElement",
                  {{"collective.operation", "reduce-scatter"},
                   {"collective.type", "int64"},
                   {"collective.counts", "random:9..15"}},
                  {"\"random:9..15\"", "a multiple of the 8 bytes of int64"}},
        BadCounts{"HalfARange",
                  {{"collective.operation", "gather"}, {"collective.counts", "random:9"}},
                  {"\"random:9\"", "random:A..B"}},
        BadCounts{"NoFile",
                  {{"collective.operation", "gather"}, {"collective.counts", "no-such.csv"}},
                  {"no-such.csv", "random:A..B"}},
        BadCounts{"NegativeNumbers",
                  {{"collective.operation", "gather"}, {"collective.counts", "1,2,3,4,5,-6"}},
                  {"1,2,3,4,5,-6"}}),
    [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace annelid::simulation
