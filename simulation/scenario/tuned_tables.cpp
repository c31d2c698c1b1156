#include "simulation/scenario/tuned_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "simulation/scenario/tuned_json.hpp"

// A list of the texts of all tune.json; the assembler copies the files.
__asm__(
    ".section .rodata\n"
    "annelid_tuned_begin: .ascii \"[\"\n"
#include "tuned_json.inc"
    ".ascii \"null]\"\n"
    "annelid_tuned_end:\n"
    ".globl annelid_tuned_begin, annelid_tuned_end\n"
    ".previous\n");

extern "C" {
extern const char annelid_tuned_begin[];
extern const char annelid_tuned_end[];
}

namespace annelid::simulation {
namespace {

using reference::Embedding;
using reference::Operation;

constexpr std::array<std::string_view, kTunedAmongs> kAmongNames = {"all", "ranked", "ordered"};

/// The value of an enumeration that has this name.
template <typename Name>
Name named(const nlohmann::json& name, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    if (name_of(static_cast<Name>(i)) == name.get<std::string>()) return static_cast<Name>(i);
  }
  throw std::runtime_error("unknown name " + name.dump());
}

TunedChoice choice_of(const nlohmann::json& json, Operation operation) {
  TunedChoice choice;
  choice.from = json.at("from").get<std::uint64_t>();
  choice.algorithm = reference::find_algorithm(operation, json.at("algorithm").get<std::string>());
  if (choice.algorithm == nullptr) {
    throw std::runtime_error("unknown algorithm " + json.at("algorithm").dump());
  }
  if (choice.algorithm->by_rank) {
    choice.embedding = named<Embedding>(json.at("embedding"), reference::kEmbeddings);
  }
  return choice;
}

TunedTable table_of(const nlohmann::json& json) {
  TunedTable table;
  table.operation = named<Operation>(json.at("operation"), reference::kOperations);
  table.prepared = json.value("prepared", false);
  table.rings = json.at("rings").get<bool>();
  table.one_port = json.at("one_port").get<bool>();
  table.processes = json.at("processes").get<int>();
  for (const nlohmann::json& among : json.at("among")) {
    table.among.push_back(named<TunedAmong>(among, kTunedAmongs));
  }
  for (const nlohmann::json& choice : json.at("choices")) {
    table.choices.push_back(choice_of(choice, table.operation));
  }
  if (table.choices.empty() || table.choices.front().from != 0 || table.processes < 1) {
    throw std::runtime_error("a table without a choice for 0 bytes");
  }
  return table;
}

}  // namespace

std::string_view name_of(TunedAmong among) { return kAmongNames[static_cast<std::size_t>(among)]; }

nlohmann::ordered_json tuned_json(const TunedTable& table) {
  nlohmann::ordered_json json = {{"operation", name_of(table.operation)}};
  if (table.prepared) json["prepared"] = true;
  json["rings"] = table.rings;
  json["one_port"] = table.one_port;
  json["processes"] = table.processes;
  for (const TunedAmong among : table.among) json["among"].push_back(name_of(among));
  for (const TunedChoice& c : table.choices) {
    nlohmann::ordered_json choice = {{"from", c.from}, {"algorithm", c.algorithm->name}};
    if (c.algorithm->by_rank) choice["embedding"] = name_of(c.embedding);
    json["choices"].push_back(choice);
  }
  return json;
}

std::vector<TunedTable> read_tuned(const nlohmann::json& tuning, const std::string& where) {
  try {
    std::vector<TunedTable> tables;
    if (tuning.contains("hybrid_tables")) return tables;  // a tuning of hybrids has no others
    for (const nlohmann::json& table : tuning.at("tables")) tables.push_back(table_of(table));
    return tables;
  } catch (const std::exception& error) {
    throw std::runtime_error(
        fmt::format("{}: found {}, expected what `annelid tune` writes", where, error.what()));
  }
}

nlohmann::json built_in_tunings() {
  nlohmann::json all = nlohmann::json::parse(annelid_tuned_begin, annelid_tuned_end);
  all.erase(all.size() - 1);  // the null at the end of the list
  return all;
}

const std::vector<TunedTable>& built_in_tuned() {
  static const std::vector<TunedTable> all = [] {
    std::vector<TunedTable> tables;
    for (const nlohmann::json& tuning : built_in_tunings()) {
      for (TunedTable& table : read_tuned(tuning, "the tune.json of ANNELID_TUNED")) {
        tables.push_back(std::move(table));
      }
    }
    return tables;
  }();
  return all;
}

}  // namespace annelid::simulation
