// Which hybrid a call takes that names none, as the program reads it: by fabricated tables with
// known answers, and by the rule without them.
// Parameter space: operations, firmware, rings, extents, bytes around a row's first, operators,
// blocks of different lengths, and texts that are no table.
#include "simulation/scenario/tuned_hybrids.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <stdexcept>

#include "simulation/scenario/hybrid_keys.hpp"
#include "simulation/scenario/tuned_json.hpp"

namespace annelid::simulation {
namespace {

using reference::HybridChoice;
using reference::Operation;

const HybridChoice kShortRow{{2, 4}, false, true}, kLongRow{{8}, true, false};

TunedHybrids table(Operation operation = Operation::kReduce, std::vector<int> extents = {8}) {
  return {
      operation, false, false, std::move(extents), {{8, kShortRow}, {96, kLongRow}, {1001, {}}}};
}

Collective call(std::uint64_t bytes, Operation operation = Operation::kReduce,
                reference::Network network = {8, 1}) {
  Collective c;
  c.algorithm = reference::find_algorithm(operation, "intercom");
  c.network = network;
  c.bytes = bytes;
  return c;
}

/// What the call takes; nothing if that is by the rule.
std::optional<HybridChoice> by_table(Collective c, bool native = false,
                                     const std::vector<TunedHybrids>& tables = {table()}) {
  choose_hybrid(c, native, tables);
  EXPECT_TRUE(c.hybrid_open);
  if (!c.hybrid_tuned) return std::nullopt;
  return c.hybrid;
}

TEST(TunedHybrids, HaveARowForEveryLengthThatWasMeasured) {
  EXPECT_EQ(by_table(call(4)), std::nullopt) << "before the first";
  EXPECT_EQ(by_table(call(8)), kShortRow);
  EXPECT_EQ(by_table(call(92)), kShortRow);
  EXPECT_EQ(by_table(call(96)), kLongRow);
  EXPECT_EQ(by_table(call(1000)), kLongRow);
  EXPECT_EQ(by_table(call(1004)), std::nullopt) << "behind the last";
}

TEST(TunedHybrids, AreForOneOperationGroupFirmwareAndKindOfNetwork) {
  EXPECT_EQ(by_table(call(8, Operation::kAllReduce)), std::nullopt);
  EXPECT_EQ(by_table(call(8), true), std::nullopt);
  EXPECT_EQ(by_table(call(8, Operation::kReduce, {4, 2})), std::nullopt);
  EXPECT_EQ(by_table(call(8, Operation::kReduce, {1, 8})), kShortRow) << "a line, too";
  EXPECT_EQ(by_table(call(8, Operation::kReduce, {8, 1, 1, {true}})), std::nullopt) << "a ring";
  Collective snake = call(8, Operation::kReduce, {4, 2});
  snake.ranks.embedding = reference::Embedding::kSnake;
  EXPECT_EQ(by_table(snake), kShortRow) << "a linear array";
  TunedHybrids later = table();
  later.choices = {{0, kLongRow}, {2000, {}}};
  EXPECT_EQ(by_table(call(8), false, {table(), later}), kShortRow) << "the first of two";
}

TEST(TunedHybrids, AreForOperatorsThatCommute) {
  Collective c = call(8);
  c.op = reference::Operator::kAffine;
  EXPECT_EQ(by_table(c), std::nullopt);
}

TEST(TunedHybrids, AreForAnEqualShareOfBlocksOfDifferentLengths) {
  Collective c = call(4, Operation::kReduceScatter);
  c.lengths = {0, 0, 0, 8 * 92, 0, 0, 0, 0};
  const std::vector<TunedHybrids> tables = {table(Operation::kReduceScatter)};
  EXPECT_EQ(by_table(c, false, tables), kShortRow);
  c.lengths[5] = 8 * 3 + 1;
  EXPECT_EQ(by_table(c, false, tables), kLongRow);
}

TEST(TunedHybrids, WithoutATableTheRuleOfTheFirmwareChooses) {
  Collective core = call(16384, Operation::kBroadcast, {8, 8}), native = core;
  choose_hybrid(core, false, {});
  choose_hybrid(native, true, {});
  EXPECT_FALSE(core.hybrid_tuned);
  EXPECT_EQ(describe_hybrid(core), "chosen by rule: 2x32 short, near dimensions first");
  EXPECT_NE(core.hybrid, native.hybrid) << "steps take the core longer";
  choose_hybrid(core, false,
                {{Operation::kBroadcast, false, false, {8, 8}, {{0, HybridChoice{{64}}}}}});
  EXPECT_EQ(describe_hybrid(core), "chosen by tuning: 64 short, near dimensions first");
}

TEST(TunedHybrids, OfAPreparedCallAreThoseOfNativeFirmware) {
  TunedHybrids of_native = table();
  of_native.native = true;
  Collective c = call(8);
  c.prepared = true;
  EXPECT_EQ(by_table(c), std::nullopt) << "the table is the core's";
  EXPECT_EQ(by_table(c, false, {of_native}), kShortRow);
  Collective core = call(16384, Operation::kBroadcast, {8, 8}), native = core;
  core.prepared = true;
  choose_hybrid(core, false, {});
  choose_hybrid(native, true, {});
  EXPECT_EQ(core.hybrid, native.hybrid);
}

TEST(TunedHybrids, AreReadAsTheyWereWritten) {
  TunedHybrids other = table(Operation::kAllGather, {4, 2});
  other.rings = other.native = true;
  const nlohmann::json tuning = {{"hybrid_tables", {tuned_json(table()), tuned_json(other)}}};
  EXPECT_EQ(read_tuned_hybrids(tuning, "here"), (std::vector{table(), other}));
  EXPECT_TRUE(read_tuned(tuning, "here").empty()) << "none of algorithms";
  EXPECT_TRUE(read_tuned_hybrids({{"tables", nlohmann::json::array()}}, "here").empty());
}

TEST(TunedHybridsErrors, WhatIsNoTableIsRefused) {
  const nlohmann::json sound = tuned_json(table());
  const auto refused = [](const nlohmann::json& table) {
    EXPECT_THROW((void)read_tuned_hybrids({{"hybrid_tables", {table}}}, "here"), std::runtime_error)
        << table;
  };
  for (const auto& [key, value] : sound.items()) {
    nlohmann::json without = sound;
    without.erase(key);
    refused(without);
  }
  for (const char* key : {"operation", "firmware"}) {
    nlohmann::json wrong = sound;
    wrong[key] = "nonsense";
    refused(wrong);
  }
  nlohmann::json none = sound, uneven = sound, large = sound;
  none["choices"] = nlohmann::json::array();
  refused(none);
  uneven["choices"][1]["logical_mesh"] = {2, 3};
  refused(uneven);
  large["extents"] = {1024};
  large["choices"] = {
      {{"from", 0}, {"logical_mesh", {1024}}, {"template", "long"}, {"dimensions", "near-first"}}};
  refused(large);
}

}  // namespace
}  // namespace annelid::simulation
