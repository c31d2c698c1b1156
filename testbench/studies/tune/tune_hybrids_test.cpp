// A tuning of InterCom's hybrids: which ones are ranked and simulated, and what fabricated cycles
// say about the processes' choice and the model.
// State space: groups of 1, 6 and 64 processes, five operations, all hybrids of a call.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "base/input_error.hpp"
#include "cli/tune.hpp"
#include "studies/tune/hybrids.hpp"

namespace annelid::studies {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TuneGrid grid_of(std::initializer_list<std::pair<const char*, const char*>> values) {
  std::vector<simulation::Override> options = {{"tune.algorithm", "--algorithm", "intercom"},
                                               {"firmware", "--firmware", "native"}};
  for (const auto& [key, value] : values) options.push_back({key, key, value});
  return TuneGrid::read("", options);
}

TEST(TuneHybrids, RanksEveryFactorizationTemplateAndOrderOnce) {
  const TuneGrid grid =
      grid_of({{"network.size", "3x2"}, {"tune.hybrids", "100"}, {"tune.bytes", "64"}});
  // 6, 2x3, 3x2; one dimension has one order; broadcast has two templates.
  ASSERT_EQ(grid.points.size(), 1u + 2 * (1 + 2 * 2));
  EXPECT_FALSE(grid.points.front().candidate.has_value());
  EXPECT_TRUE(grid.points.front().scenario.call().collective.hybrid_open);
  std::set<std::string> names;
  double model = 0;
  for (std::size_t i = 1; i < grid.points.size(); ++i) {
    const HybridCandidate& candidate = grid.points[i].candidate.value();
    names.insert(hybrid_text(candidate.hybrid, 6));
    EXPECT_EQ(candidate.place, i);
    EXPECT_GE(candidate.model, model) << "the fastest first";
    model = candidate.model;
    const simulation::Collective& call = grid.points[i].scenario.call().collective;
    EXPECT_FALSE(call.hybrid_open);
    EXPECT_EQ(call.hybrid.sizes, candidate.hybrid.sizes);
    EXPECT_EQ(call.hybrid.is_long, candidate.hybrid.is_long);
    EXPECT_EQ(call.hybrid.far_first, candidate.hybrid.far_first);
  }
  EXPECT_THAT(names, ElementsAre("2x3 long far", "2x3 long near", "2x3 short far", "2x3 short near",
                                 "3x2 long far", "3x2 long near", "3x2 short far", "3x2 short near",
                                 "6 long", "6 short"));
}

TEST(TuneHybrids, SimulatesTheModelsFirstSomeOthersAndTheChoice) {
  std::vector<HybridCandidate> ranking;
  for (int i = 1; i <= 40; ++i) ranking.push_back({{{i, 2}, true, false}, std::size_t(i), 1.0 * i});
  std::set<std::vector<std::size_t>> drawn;
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    std::vector<std::size_t> places;
    for (const auto& c : simulated_hybrids(ranking, 3, ranking[39].hybrid, seed)) {
      places.push_back(c.place);
    }
    EXPECT_GE(places.size(), 6u);
    EXPECT_LE(places.size(), 7u);
    EXPECT_THAT(std::vector(places.begin(), places.begin() + 3), ElementsAre(1, 2, 3));
    EXPECT_EQ(places.back(), 40u);
    EXPECT_TRUE(std::ranges::is_sorted(places));
    drawn.insert(places);
  }
  EXPECT_EQ(drawn.size(), 3u) << "another seed, other hybrids";
  EXPECT_EQ(simulated_hybrids(ranking, 20, ranking[0].hybrid, 1).size(), 40u);
}

TEST(TuneHybrids, SaysHowFarTheChoiceAndTheModelAreFromTheBest) {
  const TuneGrid grid =
      grid_of({{"network.size", "3x2"}, {"tune.hybrids", "100"}, {"tune.bytes", "64"}});
  TuneMeasurements table(grid, "none.csv");
  // The call that chooses takes 1100 cycles; the hybrid in place 4 1000, all others 2000.
  for (const TunePoint& p : grid.points) {
    table.set(p, {!p.candidate ? 1100U : p.candidate->place == 4 ? 1000U : 2000U, 0});
  }
  const HybridResult result = hybrid_result_of(grid, table, 0);
  ASSERT_EQ(result.lengths.size(), 1u);
  const HybridLength& length = result.lengths.front();
  EXPECT_EQ(length.hybrids, 10u);
  EXPECT_EQ(length.best().candidate.place, 4u);
  EXPECT_NEAR(length.loss_of_choice(), 0.1, 1e-12);
  EXPECT_NEAR(length.loss_of_model(), 1.0, 1e-12);
  const std::string text = cli::hybrids_summary(result);
  EXPECT_THAT(text, HasSubstr("+10.0 %"));
  EXPECT_THAT(text, HasSubstr("+100.0 %"));
  const auto json = nlohmann::json::parse(hybrids_json(grid, {result}));
  EXPECT_EQ(json["hybrids"][0]["lengths"][0]["runs"].size(), 10u);
  EXPECT_EQ(json["hybrids"][0]["lengths"][0]["runs"][3]["cycles"], 1000);
  EXPECT_EQ(json["hybrids"][0]["lengths"][0]["chosen_cycles"], 1100);
}

TEST(TuneHybrids, TheModelCountsEachBlockWithItsLength) {
  const auto first = [](const char* counts) {
    const TuneGrid grid = grid_of({{"tune.operation", "scatter"},
                                   {"network.size", "4x1"},
                                   {"network.topology", "mesh"},
                                   {"tune.hybrids", "100"},
                                   {"collective.counts", counts}});
    return grid.points[1].candidate.value().model;
  };
  // One tree: 0 -> 2 with the blocks of two ranks, and then 0 -> 1 and 2 -> 3 with one block each.
  EXPECT_EQ(first("8000,8000,8000,8000"), 2 * 20 + 2000 + 1000);
  EXPECT_EQ(first("0,0,8000,24000"), 2 * 20 + 4000 + 3000);
  EXPECT_EQ(first("32000,0,0,0"), 2 * 20) << "the root's own block";
}

TEST(TuneHybrids, EveryOperationOfInterComHasThem) {
  for (const char* operation :
       {"broadcast", "reduce", "gather", "scatter", "all-gather", "all-reduce", "reduce-scatter"}) {
    const TuneGrid grid = grid_of({{"tune.operation", operation},
                                   {"network.size", "3x2"},
                                   {"tune.hybrids", "2"},
                                   {"tune.bytes", "8,1k"}});
    EXPECT_GE(grid.points.size(), 2u * (1 + 4)) << operation;
  }
  EXPECT_EQ(
      grid_of({{"network.size", "1x1"}, {"tune.hybrids", "2"}, {"tune.bytes", "8"}}).points.size(),
      3u);
}

TEST(TuneHybrids, WithoutSizesTheLongestCallsAreLeftOut) {
  // All blocks of an all-gather on 64 nodes fit into 16 MiB up to 256 KiB each.
  const TuneGrid grid = grid_of({{"tune.operation", "all-gather"}, {"tune.hybrids", "1"}});
  std::set<std::uint64_t> sizes;
  for (const TunePoint& p : grid.points) sizes.insert(p.bytes);
  EXPECT_THAT(sizes, ElementsAre(8, 1024, 16384, 131072));
}

TEST(TuneHybrids, AnOrderedOperatorHasTheHybridsThatKeepTheOrder) {
  const TuneGrid grid = grid_of({{"tune.operation", "reduce"},
                                 {"network.size", "3x2"},
                                 {"collective.operator", "affine"},
                                 {"collective.type", "uint32"},
                                 {"tune.hybrids", "100"},
                                 {"tune.bytes", "64"}});
  for (const TunePoint& p : grid.points) {
    EXPECT_TRUE(p.scenario.call().collective.algorithm->keeps_order(
        p.scenario.call().collective.request()));
  }
  EXPECT_GE(grid.points.size(), 3u);
}

TEST(TuneHybridsErrors, OtherAlgorithmsAndRoundsAreRefused) {
  EXPECT_THROW(
      TuneGrid::read("", std::vector<simulation::Override>{{"tune.hybrids", "--hybrids", "2"}}),
      InputError);
  EXPECT_THROW(grid_of({{"tune.hybrids", "0"}}), InputError);
  EXPECT_THROW(grid_of({{"tune.hybrids", "2"}, {"tune.refine", "1"}}), InputError);
  EXPECT_THROW(grid_of({{"tune.hybrids", "2"}, {"tune.operation", "scan"}}), InputError);
}

}  // namespace
}  // namespace annelid::studies
