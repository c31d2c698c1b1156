// `annelid keys`: the keys of a scenario file, from the tables that the program itself reads.
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <initializer_list>
#include <iterator>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/input_error.hpp"
#include "base/nearest.hpp"
#include "base/wrapped_text.hpp"
#include "cli/commands.hpp"
#include "cli/option_values.hpp"
#include "cli/standard_output.hpp"
#include "simulation/scenario/collective_keys.hpp"
#include "simulation/scenario/network_keys.hpp"
#include "simulation/scenario/nic_keys.hpp"
#include "simulation/scenario/own_collective.hpp"
#include "studies/sweep/grid.hpp"
#include "studies/tune/grid.hpp"

namespace annelid::cli {
namespace {

using simulation::Key;
using Keys = std::vector<Key>;

constexpr std::size_t kLine = 94;  // behind an indentation of 6

/// Keys that belong together, and the commands that take them.
struct KeyTable {
  std::string name, title, commands;
  Keys keys;
};

/// The keys of `all` that are in none of the others.
Keys without(const Keys& all, std::initializer_list<std::span<const Key>> others) {
  Keys rest;
  std::ranges::copy_if(all, std::back_inserter(rest), [&](const Key& key) {
    return std::ranges::none_of(others, [&](std::span<const Key> other) {
      return std::ranges::find(other, std::string_view(key.name), &Key::name) != other.end();
    });
  });
  return rest;
}

std::vector<KeyTable> key_tables() {
  const auto network = simulation::network_keys(), nic = simulation::nic_keys(),
             collective = simulation::collective_keys(), own = simulation::own_keys();
  const auto copy = [](std::span<const Key> keys) { return Keys(keys.begin(), keys.end()); };
  const Keys run = simulation::run_keys();
  return {{"network", "The network and its routers",
           "run, traffic, sweep, tune, cost, firmware run", copy(network)},
          {"nic", "The network interfaces", "run, tune, firmware run", copy(nic)},
          {"collective", "The collective operation", "run", copy(collective)},
          {"own", "A collective of your own", "run", copy(own)},
          {"run", "The run itself", "run, tune", without(run, {network, nic, collective, own})},
          {"traffic", "Traffic without NICs", "traffic, sweep",
           without(simulation::traffic_keys(), {network})},
          {"sweep", "A sweep", "sweep", copy(studies::sweep_flags())},
          {"tune", "A tuning", "tune", without(studies::tune_keys(), {run})}};
}

/// The arguments of `annelid keys`.
struct KeysArguments {
  std::string table;
  bool json = false;
};

CLI::App* add_options(CLI::App& program, KeysArguments& a) {
  CLI::App* keys =
      program.add_subcommand("keys", "Lists the keys of a scenario file, with their defaults.");
  CLI::Option* const table =
      keys->add_option("table", a.table,
                       "network, nic, collective, own, run, traffic, sweep or tune. Default: all.")
          ->type_name("TABLE");
  std::vector<std::string> names;
  for (const KeyTable& known : key_tables()) names.push_back(known.name);
  note_values(*table, names);
  keys->add_flag("--json", a.json, "Prints the tables as JSON, for programs.");
  keys->footer(
      "A scenario file is TOML: the key router.vcs is vcs in the table [router]. Most keys have an "
      "option of the same meaning, which replaces the value of the file. "
      "docs/reference/scenarios.md explains the file.\n"
      "\n"
      "Examples:\n"
      "  annelid keys\n"
      "  annelid keys network\n"
      "  annelid keys traffic --json\n"
      "\n"
      "Exit status: 0 if the keys were listed; 2 for bad input.");
  return keys;
}

std::string option_of(const Key& key) {
  if (key.option == nullptr) return "";
  return key.metavar == nullptr ? key.option : fmt::format("{} {}", key.option, key.metavar);
}

std::string text_of(const KeyTable& table) {
  std::string text = fmt::format("{} (annelid {}):\n", table.title, table.commands);
  const auto add = [&text](const std::string& line) {
    for (const char c : wrapped(line, kLine) + "\n") {
      if (text.back() == '\n') text += "      ";
      text += c;
    }
  };
  for (const Key& key : table.keys) {
    text += fmt::format("\n  {:<28}{}", key.name, option_of(key));
    text.erase(text.find_last_not_of(' ') + 1);
    text += '\n';
    add(key.help);
    if (*key.otherwise != '\0') add(fmt::format("Default: {}.", key.otherwise));
  }
  return text;
}

nlohmann::ordered_json json_of(const KeyTable& table) {
  nlohmann::ordered_json keys = nlohmann::ordered_json::array();
  for (const Key& key : table.keys) {
    keys.push_back({{"key", key.name},
                    {"value", key.shape},
                    {"option", option_of(key)},
                    {"meaning", key.help},
                    {"default", key.otherwise}});
  }
  return {
      {"table", table.name}, {"title", table.title}, {"commands", table.commands}, {"keys", keys}};
}

int run(const KeysArguments& a) {
  std::vector<KeyTable> tables = key_tables();
  if (!a.table.empty()) {
    std::vector<std::string_view> names;
    names.reserve(tables.size());
    for (const KeyTable& table : tables) names.emplace_back(table.name);
    if (std::ranges::find(names, a.table) == names.end()) {
      throw InputError("annelid keys", fmt::format("\"{}\"", a.table),
                       fmt::format("{}{}", fmt::join(names, ", "), did_you_mean(a.table, names)));
    }
    std::erase_if(tables, [&](const KeyTable& table) { return table.name != a.table; });
  }
  if (a.json) {
    nlohmann::ordered_json all = nlohmann::ordered_json::array();
    for (const KeyTable& table : tables) all.push_back(json_of(table));
    put_text(all.dump(1) + "\n");
    return 0;
  }
  for (const KeyTable& table : tables) {
    put_text((&table == tables.data() ? "" : "\n") + text_of(table));
  }
  return 0;
}

}  // namespace

Command add_keys(CLI::App& program) { return command<KeysArguments>(program, add_options, run); }

}  // namespace annelid::cli
