// What a tuning leaves for programs, from fabricated measurements.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cli/tune.hpp"
#include "simulation/scenario/tuned_json.hpp"
#include "studies/tune/result.hpp"

namespace annelid::studies {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// A reduction on a mesh of 4 x 4, three algorithms: one by coordinates that is the fastest at
/// first, two by rank of which one keeps the order.
class TuneResults : public ::testing::Test {
 protected:
  void SetUp() override {
    const std::vector<simulation::Override> options = {
        {"tune.operation", "--operation", "reduce"},
        {"tune.algorithm", "--algorithm", "edn,two-tree,butterfly"},
        {"network.size", "--size", "4x4"},
        {"tune.bytes", "--bytes", "64,1k,8k"},
        {"firmware", "--firmware", "native"}};
    grid_ = TuneGrid::read("", options);
    ASSERT_EQ(grid_.points.size(), 9u);
  }
  /// Cycles by algorithm and size, in the order of the catalogue.
  TuneResult result(const std::vector<std::vector<std::uint64_t>>& cycles) {
    TuneMeasurements table(grid_, "none.csv");
    for (const TunePoint& p : grid_.points) {
      const auto size =
          static_cast<std::size_t>(std::ranges::find(grid_.bytes, p.bytes) - grid_.bytes.begin());
      table.set(p, {cycles.at(p.curve).at(size), 10 * p.curve + size});
    }
    return result_of(grid_, table, 0);
  }
  TuneGrid grid_;
};

TEST_F(TuneResults, NameTheFastestAmongAllAmongRanksAndAmongThoseInOrder) {
  // edn, two-tree, butterfly
  const TuneResult r = result({{100, 600, 9000}, {200, 400, 3000}, {150, 700, 4000}});
  EXPECT_THAT(r.ranking(0), ElementsAre(0, 2, 1));
  EXPECT_THAT(r.ranking(1), ElementsAre(1, 0, 2));
  EXPECT_DOUBLE_EQ(r.bandwidth(1, 2), 8192.0 / 3000);
  EXPECT_THAT(r.curves[1].control, ElementsAre(10, 11, 12));
  const auto tables = tables_of(r);
  ASSERT_EQ(tables.size(), 3u);
  const auto names = [](const simulation::TunedTable& table) {
    std::vector<std::string> all;
    for (const simulation::TunedChoice& c : table.choices) {
      all.push_back(std::to_string(c.from) + " " + std::string(c.algorithm->name));
    }
    return all;
  };
  // 100 + 500 t against 200 + 200 t: t = 1/3 of 960 bytes behind 64, in flits 392.
  EXPECT_THAT(tables[0].among, ElementsAre(simulation::TunedAmong::kAll));
  EXPECT_THAT(names(tables[0]), ElementsAre("0 edn", "392 two-tree"));
  // 150 + 550 t against 200 + 200 t: t = 1/7: 201.1, in flits 208.
  EXPECT_THAT(tables[1].among, ElementsAre(simulation::TunedAmong::kRanked));
  EXPECT_THAT(names(tables[1]), ElementsAre("0 butterfly", "208 two-tree"));
  EXPECT_THAT(tables[2].among, ElementsAre(simulation::TunedAmong::kOrdered));
  EXPECT_THAT(names(tables[2]), ElementsAre("0 butterfly"));
}

TEST_F(TuneResults, AreOneTableWhereOneAlgorithmIsTheFastestOfAll) {
  const auto tables = tables_of(result({{9, 9, 9}, {8, 8, 8}, {1, 2, 3}}));
  ASSERT_EQ(tables.size(), 1u);
  EXPECT_THAT(tables[0].among,
              ElementsAre(simulation::TunedAmong::kAll, simulation::TunedAmong::kRanked,
                          simulation::TunedAmong::kOrdered));
}

TEST_F(TuneResults, GiveTheFirmwareAndTheProgramTheSameTables) {
  const TuneResult r = result({{100, 600, 9000}, {200, 400, 3000}, {150, 700, 4000}});
  const auto json = nlohmann::json::parse(tune_json(grid_, {r}));
  EXPECT_EQ(simulation::read_tuned(json, "test"), tables_of(r));
  EXPECT_EQ(json["cases"][0]["winners"], nlohmann::json({"edn", "two-tree", "two-tree"}));
  const auto& crossover = json["cases"][0]["crossovers"][0];
  EXPECT_EQ(crossover["bytes"], 392);
  EXPECT_EQ(crossover["between"], nlohmann::json({64, 1024}));
  EXPECT_EQ(json["cases"][0]["curves"][1]["cycles"], nlohmann::json({200, 400, 3000}));
  const std::string header = tuned_header({r}, "test");
  EXPECT_THAT(header, HasSubstr("TUNED_TABLE(kReduce, kMesh, kAllPort, 16, kAmongAll)\n"
                                "TUNED_ROW(0, kEdn, kRows)\n"
                                "TUNED_ROW(392, kTwoTree, kSnake)\n"
                                "TUNED_TABLE(kReduce, kMesh, kAllPort, 16, kAmongRanked)\n"
                                "TUNED_ROW(0, kButterfly, kQuadrants)\n"));
}

TEST_F(TuneResults, AreToldWithTheirCrossovers) {
  const TuneResult r = result({{100, 600, 9000}, {200, 400, 3000}, {150, 700, 4000}});
  const std::string text = cli::tune_summary(r, 0);
  EXPECT_THAT(text, HasSubstr("reduce on the 4x4 mesh, 16 processes: 3 algorithms"));
  EXPECT_THAT(text, HasSubstr("interpolated between the sizes that were measured"));
  EXPECT_THAT(text, HasSubstr("from      392 bytes  two-tree (before: edn)"));
  EXPECT_THAT(text, HasSubstr("butterfly (+50.0 %)"));
}

/// A tuning of two algorithms for one size.
TuneGrid grid_of_kinds(const std::vector<simulation::Override>& more) {
  std::vector<simulation::Override> options = {{"tune.algorithm", "--algorithm", "edn,binomial"},
                                               {"network.size", "--size", "4x4"},
                                               {"tune.bytes", "--bytes", "64"}};
  options.insert(options.end(), more.begin(), more.end());
  return TuneGrid::read("", options);
}

const simulation::Override kPrepared{"collective.prepared", "--prepared", "true"};
const simulation::Override kNative{"firmware", "--firmware", "native"};
simulation::Override columns(const char* names) { return {"tune.columns", "--columns", names}; }

TEST(TuneKinds, AreThoseOfTheSettingsAndOfTheColumns) {
  using simulation::FirmwareChoice;
  struct Expected {
    CallKind kind;
    FirmwareChoice::Kind firmware;
    bool prepared;
  };
  constexpr auto kRv32 = FirmwareChoice::Kind::kRv32, kHost = FirmwareChoice::Kind::kNative;
  const std::vector<Expected> all = {{CallKind::kNative, kHost, false},
                                     {CallKind::kFirst, kRv32, false},
                                     {CallKind::kPrepared, kRv32, true}};
  const auto expect = [](const TuneGrid& grid, std::vector<Expected> expected) {
    ASSERT_EQ(grid.points.size(), 2 * expected.size());
    for (std::size_t i = 0; i < grid.points.size(); ++i) {
      const TunePoint& point = grid.points[i];
      const Expected& e = expected[i % expected.size()];
      EXPECT_EQ(point.curve, i / expected.size());
      EXPECT_EQ(point.calls, e.kind);
      EXPECT_EQ(point.scenario.firmware.kind, e.firmware);
      EXPECT_EQ(point.scenario.call().collective.prepared, e.prepared);
      EXPECT_EQ(point.scenario.repeat, e.prepared ? kMeasuredStarts : 1);
    }
  };
  expect(grid_of_kinds({}), {all[1]});
  expect(grid_of_kinds({kNative}), {all[0]});
  expect(grid_of_kinds({kPrepared}), {all[2]});
  expect(grid_of_kinds({columns("prepared,native")}), all);
  expect(grid_of_kinds({kNative, columns("prepared,first")}), all);
  expect(grid_of_kinds({kPrepared, columns("native,first,prepared")}), all);
  // The preparation alone is native then.
  expect(grid_of_kinds({kPrepared, kNative, columns("first")}),
         {all[1], {CallKind::kPrepared, kHost, true}});
}

TEST(TuneKinds, ShareTheirRowsWhicheverFindsTheFastest) {
  const TuneGrid first = grid_of_kinds({columns("prepared")});
  const TuneGrid prepared = grid_of_kinds({kPrepared, columns("first")});
  ASSERT_EQ(first.points.size(), prepared.points.size());
  for (std::size_t i = 0; i < first.points.size(); ++i) {
    EXPECT_EQ(first.points[i].configuration.hash, prepared.points[i].configuration.hash);
    EXPECT_EQ(run_command(first.points[i].scenario), run_command(prepared.points[i].scenario));
  }
  EXPECT_NE(first.points[0].configuration.hash, first.points[1].configuration.hash);
  EXPECT_EQ(run_command(first.points[1].scenario),
            "annelid run --algorithm edn --bytes 64 --operation broadcast --prepared --repeat 2 "
            "--size 4,4");
}

TEST(TuneKinds, OfColumnsAreShownBesideTheKindThatFindsTheFastest) {
  const TuneGrid grid = grid_of_kinds({kPrepared, columns("first,native")});
  TuneMeasurements table(grid, "none.csv");
  for (const TunePoint& p : grid.points) {
    const bool edn = p.curve == 0;
    table.set(p, p.calls == CallKind::kPrepared ? TuneMeasurement{edn ? 105U : 110U, 1}
                 : p.calls == CallKind::kFirst  ? TuneMeasurement{edn ? 4820U : 3000U, 2}
                                                : TuneMeasurement{edn ? 100U : 90U, 3});
  }
  const TuneResult result = result_of(grid, table, 0);
  EXPECT_THAT(result.ranking(0), ElementsAre(0, 1));
  EXPECT_THAT(result.curves[0].control, ElementsAre(1));
  const std::string text = cli::tune_summary(result, 0);
  EXPECT_THAT(text, HasSubstr("2 algorithms, prepared calls\n"));
  EXPECT_THAT(text, HasSubstr("control waits      first     native  second\n"));
  EXPECT_THAT(text, HasSubstr("            1       4820        100  binomial (+4.8 %)"));
  const auto json = nlohmann::json::parse(tune_json(grid, {result}));
  EXPECT_EQ(json["prepared"], true);
  EXPECT_EQ(json["cases"][0]["curves"][1]["cycles"], nlohmann::json({110}));
  EXPECT_EQ(json["cases"][0]["curves"][1]["columns"],
            nlohmann::json({{"native", {90}}, {"first", {3000}}}));
  EXPECT_EQ(simulation::read_tuned(json, "test"), tables_of(result));
  EXPECT_TRUE(tables_of(result).front().prepared);
  const std::string header = tuned_header({result}, "test");
  EXPECT_THAT(header, HasSubstr("\nTUNED_PREPARED(kBroadcast, kMesh, kAllPort, 16, kAmongAll)\n"));
  EXPECT_THAT(header, ::testing::Not(HasSubstr("TUNED_TABLE")));
}

TEST(TuneSizes, AreAscendingAndEachOnce) {
  EXPECT_THAT(parse_sizes("8:64", "x"), ElementsAre(8, 16, 32, 64));
  EXPECT_THAT(parse_sizes("1:100:10", "x"), ElementsAre(1, 10, 100));
  EXPECT_THAT(parse_sizes("2k,8,1M,8", "x"), ElementsAre(8, 2048, 1048576));
}

TEST(TuneCases, LeaveTheEmbeddingToTheAlgorithmWhereItIsAllTheSame) {
  const auto embedding_of = [](const char* operation, const char* ranks, const char* op) {
    const std::vector<simulation::Override> options = {
        {"tune.operation", "--operation", operation},
        {"tune.algorithm", "--algorithm", "two-tree"},
        {"tune.ranks", "--ranks", ranks},
        {"collective.operator", "--operator", op},
        {"tune.bytes", "--bytes", "64"},
        {"network.size", "--size", "5x5"},
        {"firmware", "--firmware", "native"}};
    return TuneGrid::read("", options).points.at(0).scenario.call().collective.ranks.embedding;
  };
  using enum reference::Embedding;
  EXPECT_EQ(embedding_of("all-reduce", "25", "sum"), kQuadrants);
  EXPECT_EQ(embedding_of("all-reduce", "24", "sum"), kRows);
  EXPECT_EQ(embedding_of("all-reduce", "25", "affine"), kRows);
  EXPECT_EQ(embedding_of("scan", "25", "sum"), kRows);
}

TuneGrid grid_of_counts(const char* operation, const char* counts) {
  const std::vector<simulation::Override> options = {{"tune.operation", "--operation", operation},
                                                     {"collective.counts", "--counts", counts},
                                                     {"network.size", "--size", "3x2"},
                                                     {"firmware", "--firmware", "native"}};
  return TuneGrid::read("", options);
}

TEST(TuneCounts, AreMeasuredOnceByTheAlgorithmsThatTakeThem) {
  const TuneGrid grid = grid_of_counts("gather,all-to-all", "random:0..90");
  ASSERT_EQ(grid.points.size(), 2u);
  const auto& gather = grid.points[0].scenario.call().collective;
  EXPECT_EQ(gather.algorithm->name, "intercom");
  EXPECT_EQ(gather.lengths.size(), 6u);
  EXPECT_EQ(grid.points[0].bytes, gather.bytes) << "an equal share";
  EXPECT_EQ(grid.points[1].scenario.call().collective.algorithm->name, "direct");
  EXPECT_EQ(grid.points[1].scenario.call().collective.lengths.size(), 36u);
  EXPECT_THAT(describe(grid.cases[0]), HasSubstr("6 processes, blocks of "));
}

TEST(TuneCounts, LeaveNoTablesForAuto) {
  const TuneGrid grid = grid_of_counts("gather", "8,0,24,1,2,3");
  TuneMeasurements table(grid, "none.csv");
  table.set(grid.points.at(0), {1000, 0});
  const auto json = nlohmann::json::parse(tune_json(grid, {result_of(grid, table, 0)}));
  EXPECT_TRUE(json["tables"].empty());
  EXPECT_EQ(json["cases"][0]["call"]["counts"], nlohmann::json({8, 0, 24, 1, 2, 3}));
  EXPECT_EQ(json["cases"][0]["bytes"], nlohmann::json({7})) << "38 bytes for 6 ranks";
}

TEST(TuneCases, LeaveOutWhatDoesNotKeepTheOrder) {
  const std::vector<simulation::Override> options = {
      {"tune.operation", "--operation", "reduce"},
      {"collective.operator", "--operator", "affine"},
      {"collective.root", "--root", "2,2"},
      {"network.size", "--size", "4x4"},
      {"tune.bytes", "--bytes", "64"},
      {"firmware", "--firmware", "native"}};
  std::vector<std::string_view> names;
  for (const TunePoint& p : TuneGrid::read("", options).points) {
    names.push_back(p.scenario.call().collective.algorithm->name);
  }
  EXPECT_THAT(names, ElementsAre("butterfly", "rabenseifner", "elimination-butterfly", "intercom"));
}

}  // namespace
}  // namespace annelid::studies
