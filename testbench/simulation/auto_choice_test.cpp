// What auto stands for, by fabricated tables with known answers.
// Parameter space: tables near and far, sizes around a crossover, operators, who takes part.
#include "simulation/scenario/auto_choice.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "simulation/scenario/tuned_json.hpp"

namespace annelid::simulation {
namespace {

using reference::Embedding;
using reference::Operation;

TunedChoice choice(Operation operation, std::uint64_t from, const char* name,
                   Embedding embedding = Embedding::kRows) {
  return {from, reference::find_algorithm(operation, name), embedding};
}

TunedTable table(int processes, const char* small, const char* large, bool rings = false,
                 bool one_port = false) {
  constexpr auto kBroadcast = Operation::kBroadcast;
  return {kBroadcast,
          false,
          rings,
          one_port,
          processes,
          {TunedAmong::kAll, TunedAmong::kRanked},
          {choice(kBroadcast, 0, small, Embedding::kSnake),
           choice(kBroadcast, 100, large, Embedding::kQuadrants)}};
}

Collective call(Operation operation, reference::Network network, std::uint64_t bytes,
                int ranks = 0) {
  Collective c;
  c.algorithm = &fallback(operation);
  c.by_auto = true;
  c.network = network;
  c.bytes = bytes;
  c.ranks.count = ranks;
  return c;
}

std::string chosen(Collective c, const std::vector<TunedTable>& tables, bool one_port = false) {
  choose_algorithm(c, {.one_port = one_port}, tables);
  return std::string(c.algorithm->name);
}

constexpr reference::Network kMesh{8, 8};

TEST(Auto, TakesTheRowOfTheBytes) {
  const std::vector<TunedTable> tables = {table(64, "binomial", "two-tree")};
  for (const std::uint64_t bytes : {0, 1, 99}) {
    EXPECT_EQ(chosen(call(Operation::kBroadcast, kMesh, bytes), tables), "binomial") << bytes;
  }
  for (const std::uint64_t bytes : {100, 101, 1 << 24}) {
    EXPECT_EQ(chosen(call(Operation::kBroadcast, kMesh, bytes), tables), "two-tree") << bytes;
  }
}

TEST(Auto, TakesTheNearestTable) {
  const std::vector<TunedTable> tables = {table(16, "binomial", "binomial"),
                                          table(64, "two-tree", "two-tree"),
                                          table(64, "circulant", "circulant", true),
                                          table(16, "binary-tree", "binary-tree", false, true),
                                          table(64, "linear-pipeline", "linear-pipeline")};
  const auto of = [&](int ranks, bool one_port = false, reference::Network network = kMesh) {
    return chosen(call(Operation::kBroadcast, network, 8, ranks), tables, one_port);
  };
  EXPECT_EQ(of(64), "two-tree");  // the first of two that are alike
  EXPECT_EQ(of(16), "binomial");
  EXPECT_EQ(of(31), "binomial");
  EXPECT_EQ(of(32), "binomial") << "as far by ratio: the lower one";
  EXPECT_EQ(of(33), "two-tree");
  EXPECT_EQ(of(1), "binomial");
  EXPECT_EQ(of(64, true), "binary-tree") << "ports count more than processes";
  EXPECT_EQ(of(64, true, {8, 8, 1, {true, true}}), "binary-tree") << "and more than rings";
  EXPECT_EQ(of(4, false, {8, 8, 1, {true, true}}), "circulant") << "rings more than processes";
}

TEST(Auto, TakesTablesOfPreparedCallsForThemAlone) {
  std::vector<TunedTable> tables = {table(64, "binomial", "binomial"),
                                    table(16, "two-tree", "two-tree", true, true)};
  tables[1].prepared = true;
  Collective c = call(Operation::kBroadcast, kMesh, 8);
  EXPECT_EQ(chosen(c, tables), "binomial");
  EXPECT_EQ(chosen(c, {tables[1]}), "binomial") << "the last resort";
  c.prepared = true;
  EXPECT_EQ(chosen(c, tables), "two-tree") << "which counts more than ports, rings and processes";
  tables[0].choices[0].algorithm = reference::find_algorithm(Operation::kBroadcast, "circulant");
  EXPECT_EQ(chosen(c, {tables[0]}), "circulant") << "where there are no others";
}

TEST(Auto, TakesTheHybridOfThePreparedCallThatItStandsFor) {
  const std::vector<TunedTable> tables = {table(64, "intercom", "intercom")};
  Collective ordinary = call(Operation::kBroadcast, kMesh, 16384), prepared = ordinary;
  prepared.prepared = true;
  choose_algorithm(ordinary, {}, tables);
  choose_algorithm(prepared, {}, tables);
  EXPECT_NE(ordinary.hybrid, prepared.hybrid);
}

TEST(Auto, EmbedsWhereItIsAllTheSame) {
  const std::vector<TunedTable> tables = {table(64, "binomial", "two-tree")};
  Collective c = call(Operation::kBroadcast, kMesh, 1000);
  choose_algorithm(c, {}, tables);
  EXPECT_EQ(c.ranks.embedding, Embedding::kQuadrants);
  c = call(Operation::kBroadcast, kMesh, 1000, 63);
  choose_algorithm(c, {}, tables);
  EXPECT_EQ(c.ranks.embedding, Embedding::kRows);
  EXPECT_EQ(c.ranks.count, 63);
}

TEST(Auto, DoesNotTakeWhatTheCallDoesNotAllow) {
  constexpr auto kReduce = Operation::kReduce;
  const std::vector<TunedTable> tables = {
      {kReduce, false, false, false, 64, {TunedAmong::kAll}, {choice(kReduce, 0, "edn")}},
      {kReduce, false, false, false, 64, {TunedAmong::kRanked}, {choice(kReduce, 0, "two-tree")}},
      {kReduce,
       false,
       false,
       false,
       64,
       {TunedAmong::kOrdered},
       {choice(kReduce, 0, "rabenseifner")}}};
  EXPECT_EQ(chosen(call(kReduce, kMesh, 64), tables), "edn");
  EXPECT_EQ(chosen(call(kReduce, {5, 3}, 64), tables), "two-tree") << "EDN runs on no 5 x 3";
  EXPECT_EQ(chosen(call(kReduce, kMesh, 64, 63), tables), "two-tree") << "nor without all nodes";
  Collective ordered = call(kReduce, kMesh, 64, 63);
  ordered.op = reference::Operator::kAffine;
  EXPECT_EQ(chosen(ordered, tables), "two-tree") << "from rank 0, an even number in the trees";
  ordered.root = {3, 1};
  EXPECT_EQ(chosen(ordered, tables), "rabenseifner");
  EXPECT_EQ(chosen(ordered, {}), "butterfly");
}

TEST(Auto, HasAFallbackForEveryOperation) {
  for (const reference::Algorithm& a : reference::algorithms()) {
    for (const reference::Network& network :
         {reference::Network{4, 4}, {5, 3}, {3, 2, 4}, {7}, {4, 4, 1, {true, true}}}) {
      if (a.operation == Operation::kTranspose && network.x != network.y) continue;
      if (a.operation == Operation::kTranspose && network.has_rings()) continue;
      Collective c = call(a.operation, network, 64);
      choose_algorithm(c, {}, {});
      EXPECT_TRUE(c.algorithm->supports(network));
      EXPECT_EQ(c.operation(), a.operation);
      EXPECT_NO_THROW((void)c.schedule());
    }
  }
}

TEST(TunedTables, AreReadAsTheyWereWritten) {
  const TunedTable written = table(64, "edn", "two-tree", true, true);
  const nlohmann::json tuning = {{"tables", {nlohmann::json(tuned_json(written))}}};
  const auto read = read_tuned(tuning, "test");
  ASSERT_EQ(read.size(), 1u);
  TunedTable expected = written;
  expected.choices[0].embedding = Embedding::kRows;  // EDN knows none
  EXPECT_EQ(read[0], expected);
}

TEST(TunedTables, ThatSayNothingOfPreparedCallsAreOfOrdinaryOnes) {
  TunedTable written = table(64, "binomial", "two-tree");
  written.prepared = true;
  nlohmann::json json = tuned_json(written);
  EXPECT_EQ(read_tuned({{"tables", {json}}}, "test").at(0), written);
  json.erase("prepared");
  EXPECT_FALSE(read_tuned({{"tables", {json}}}, "test").at(0).prepared);
}

TEST(TunedTables, AreRefusedIfTheyAreNone) {
  const auto broken = [](const char* text) {
    return [text] { (void)read_tuned(nlohmann::json::parse(text), "here"); };
  };
  EXPECT_THROW(broken("{}")(), std::runtime_error);
  EXPECT_THROW(broken(R"({"tables": [{"operation": "broadcast"}]})")(), std::runtime_error);
  EXPECT_THROW(broken(R"({"tables": [{"operation": "broadcast", "rings": false, "one_port": false,
      "processes": 4, "among": ["all"], "choices": [{"from": 0, "algorithm": "none"}]}]})")(),
               std::runtime_error);
  EXPECT_THROW(broken(R"({"tables": [{"operation": "broadcast", "rings": false, "one_port": false,
      "processes": 4, "among": ["all"], "choices": [{"from": 8, "algorithm": "edn"}]}]})")(),
               std::runtime_error);
}

}  // namespace
}  // namespace annelid::simulation
