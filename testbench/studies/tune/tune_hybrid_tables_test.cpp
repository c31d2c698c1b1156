// What a tuning of hybrids leaves for programs, from fabricated cycles.
// State space: the fastest hybrid changes or stays between lengths, is measured at some of them
// only, or is little faster; cases that leave no table.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "studies/tune/hybrid_tables.hpp"

namespace annelid::studies {
namespace {

using reference::HybridChoice;
using simulation::TunedHybrid;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

const HybridChoice kOneTree{{12}, false, false}, kByRows{{4, 3}, true, false},
    kByColumns{{3, 4}, false, true};

HybridLength length_with(std::uint64_t bytes,
                         std::vector<std::pair<HybridChoice, std::uint64_t>> cycles) {
  HybridLength l;
  l.bytes = bytes;
  for (auto& [hybrid, taken] : cycles) l.runs.push_back({{hybrid, 1, 0}, taken});
  return l;
}

TEST(TuneHybridTables, TakeTheFastestFromTheGeometricMiddleOn) {
  EXPECT_THAT(
      tuned_choices({length_with(8, {{kOneTree, 100}, {kByRows, 200}}),
                     length_with(1024, {{kOneTree, 210}, {kByRows, 200}}),
                     length_with(4096, {{kOneTree, 400}, {kByRows, 205}, {kByColumns, 190}})}),
      ElementsAre(TunedHybrid{8, kOneTree}, TunedHybrid{96, kByRows}, TunedHybrid{2048, kByColumns},
                  TunedHybrid{4097, {}}))
      << "the middle of 8 and 1024 is 90.5, in words of 8 bytes";
}

TEST(TuneHybridTables, KeepAHybridThatIsAsFastWithinAHundredth) {
  EXPECT_THAT(tuned_choices({length_with(8, {{kOneTree, 1000}}),
                             length_with(16, {{kOneTree, 1010}, {kByRows, 1000}})}),
              ElementsAre(TunedHybrid{8, kOneTree}, TunedHybrid{17, {}}));
  EXPECT_THAT(tuned_choices({length_with(8, {{kOneTree, 1000}}),
                             length_with(16, {{kOneTree, 1011}, {kByRows, 1000}})}),
              ElementsAre(TunedHybrid{8, kOneTree}, TunedHybrid{16, kByRows}, TunedHybrid{17, {}}));
  EXPECT_THAT(
      tuned_choices({length_with(8, {{kOneTree, 1000}}), length_with(64, {{kByRows, 1000}})}),
      ElementsAre(TunedHybrid{8, kOneTree}, TunedHybrid{24, kByRows}, TunedHybrid{65, {}}))
      << "not measured there";
}

TuneGrid tuned_grid(std::initializer_list<std::pair<const char*, const char*>> values) {
  std::vector<simulation::Override> options = {{"tune.algorithm", "--algorithm", "intercom"},
                                               {"tune.hybrids", "--hybrids", "1"},
                                               {"network.size", "--size", "4x3"}};
  for (const auto& [key, value] : values) options.push_back({key, key, value});
  return TuneGrid::read("", options);
}

std::vector<simulation::TunedHybrids> tables_from(const TuneGrid& grid) {
  HybridResult result;
  result.of = &grid.cases.front();
  result.lengths = {length_with(64, {{kOneTree, 1000}}), length_with(1024, {{kByColumns, 1000}})};
  return hybrid_tables(grid, {result});
}

TEST(TuneHybridTables, AreForTheCallsGroupAndFirmware) {
  const auto of_mesh = tables_from(tuned_grid({{"tune.bytes", "64,1k"}}));
  ASSERT_EQ(of_mesh.size(), 1u);
  EXPECT_EQ(of_mesh[0],
            (simulation::TunedHybrids{reference::Operation::kBroadcast,
                                      false,
                                      false,
                                      {4, 3},
                                      {{64, kOneTree}, {256, kByColumns}, {1025, {}}}}));
  const auto of_line = tables_from(tuned_grid({{"tune.bytes", "64,1k"},
                                               {"firmware", "native"},
                                               {"network.topology", "torus"},
                                               {"collective.embedding", "snake"}}));
  ASSERT_EQ(of_line.size(), 1u);
  EXPECT_TRUE(of_line[0].rings);
  EXPECT_TRUE(of_line[0].native);
  EXPECT_THAT(of_line[0].extents, ElementsAre(12));
}

TEST(TuneHybridTables, AreNotForOrdersAndBlocksOfDifferentLengths) {
  EXPECT_TRUE(tables_from(tuned_grid({{"tune.operation", "reduce"},
                                      {"tune.bytes", "64"},
                                      {"collective.operator", "affine"},
                                      {"collective.type", "uint32"}}))
                  .empty());
  EXPECT_TRUE(
      tables_from(tuned_grid({{"tune.operation", "gather"}, {"collective.counts", "random:0..64"}}))
          .empty());
}

TEST(TuneHybridTables, AreWrittenForTheFirmware) {
  const std::string text =
      hybrids_header(tables_from(tuned_grid({{"tune.bytes", "64,1k"}})), "mine");
  EXPECT_THAT(text, HasSubstr("(mine)"));
  EXPECT_THAT(text, HasSubstr("TUNED_HYBRIDS(kRv32, kBroadcast, kMesh, 4, 3, 0)\n"
                              "TUNED_HYBRID(64, kShort, kNearFirst, 12)\n"
                              "TUNED_HYBRID(256, kShort, kFarFirst, 3, 4)\n"
                              "TUNED_RULE(1025)\n"));
}

}  // namespace
}  // namespace annelid::studies
