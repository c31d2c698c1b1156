#include "simulation/scenario/tuned_hybrids.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <iterator>
#include <nlohmann/json.hpp>
#include <numeric>
#include <span>
#include <stdexcept>

#include "reference/intercom/choice.hpp"
#include "simulation/scenario/tuned_json.hpp"

namespace annelid::simulation {
namespace {

constexpr std::array<std::string_view, 2> kTunedTemplates = {"short", "long"};
constexpr std::array<std::string_view, 2> kTunedOrders = {"near-first", "far-first"};
constexpr std::array<std::string_view, 2> kTunedFirmware = {"rv32", "native"};

/// Whether it is the second of two names.
bool is_second_name(const nlohmann::json& name, const std::array<std::string_view, 2>& names) {
  const auto text = name.get<std::string>();
  if (text != names[0] && text != names[1]) throw std::runtime_error("unknown name " + name.dump());
  return text == names[1];
}

int ranks_in(const std::vector<int>& sizes) {
  return std::accumulate(sizes.begin(), sizes.end(), 1, std::multiplies());
}

std::optional<reference::HybridChoice> tuned_hybrid_of(const nlohmann::json& json) {
  if (json.size() == 1) return std::nullopt;  // "from" alone: the rule chooses
  reference::HybridChoice hybrid;
  hybrid.sizes = json.at("logical_mesh").get<std::vector<int>>();
  hybrid.is_long = is_second_name(json.at("template"), kTunedTemplates);
  hybrid.far_first = is_second_name(json.at("dimensions"), kTunedOrders);
  return hybrid;
}

TunedHybrids hybrid_table_of(const nlohmann::json& json) {
  TunedHybrids table;
  for (std::size_t i = 0; i <= reference::kOperations; ++i) {
    if (i == reference::kOperations) throw std::runtime_error("unknown operation");
    table.operation = static_cast<reference::Operation>(i);
    if (name_of(table.operation) == json.at("operation").get<std::string>()) break;
  }
  table.rings = json.at("rings").get<bool>();
  table.native = is_second_name(json.at("firmware"), kTunedFirmware);
  table.extents = json.at("extents").get<std::vector<int>>();
  if (!can_be_tuned(table.extents)) throw std::runtime_error("extents that no table can have");
  for (const nlohmann::json& choice : json.at("choices")) {
    table.choices.push_back({choice.at("from").get<std::uint64_t>(), tuned_hybrid_of(choice)});
    const auto& hybrid = table.choices.back().hybrid;
    if (hybrid && ranks_in(hybrid->sizes) != ranks_in(table.extents)) {
      throw std::runtime_error("a logical mesh of another number of ranks");
    }
  }
  if (table.choices.empty()) throw std::runtime_error("a table without choices");
  return table;
}

}  // namespace

bool can_be_tuned(const std::vector<int>& extents) {
  constexpr std::array kEnds = {1024, 512, 64};  // what the firmware's word for a table holds
  if (extents.empty() || extents.size() > kEnds.size()) return false;
  return std::ranges::equal(extents, std::span(kEnds).first(extents.size()),
                            [](int extent, int end) { return 1 < extent && extent < end; });
}

nlohmann::ordered_json hybrid_json(const reference::HybridChoice& hybrid) {
  return {{"logical_mesh", hybrid.sizes},
          {"template", kTunedTemplates[hybrid.is_long ? 1 : 0]},
          {"dimensions", kTunedOrders[hybrid.far_first ? 1 : 0]}};
}

nlohmann::ordered_json tuned_json(const TunedHybrids& table) {
  nlohmann::ordered_json json = {{"operation", name_of(table.operation)},
                                 {"rings", table.rings},
                                 {"firmware", kTunedFirmware[table.native ? 1 : 0]},
                                 {"extents", table.extents}};
  for (const TunedHybrid& c : table.choices) {
    nlohmann::ordered_json choice = {{"from", c.from}};
    if (c.hybrid) choice.update(hybrid_json(*c.hybrid));
    json["choices"].push_back(std::move(choice));
  }
  return json;
}

std::vector<TunedHybrids> read_tuned_hybrids(const nlohmann::json& tuning,
                                             const std::string& where) {
  try {
    std::vector<TunedHybrids> tables;
    if (!tuning.contains("hybrid_tables")) return tables;
    for (const nlohmann::json& table : tuning.at("hybrid_tables")) {
      tables.push_back(hybrid_table_of(table));
    }
    return tables;
  } catch (const std::exception& error) {
    throw std::runtime_error(
        fmt::format("{}: found {}, expected what `annelid tune` writes", where, error.what()));
  }
}

std::optional<reference::HybridChoice> find_tuned_hybrid(const std::vector<TunedHybrids>& tables,
                                                         reference::Operation operation,
                                                         const reference::Request& request,
                                                         bool native) {
  const std::vector<int> extents = reference::intercom::extents_of(request.network, request.ranks);
  const auto table = std::ranges::find_if(tables, [&](const TunedHybrids& t) {
    return t.operation == operation && t.rings == request.network.has_rings() &&
           t.native == native && t.extents == extents;
  });
  if (table == tables.end()) return std::nullopt;
  const std::uint64_t bytes = reference::intercom::share_of(request);
  const auto behind = std::ranges::upper_bound(table->choices, bytes, {}, &TunedHybrid::from);
  return behind == table->choices.begin() ? std::nullopt : std::prev(behind)->hybrid;
}

const std::vector<TunedHybrids>& built_in_hybrids() {
  static const std::vector<TunedHybrids> all = [] {
    std::vector<TunedHybrids> tables;
    for (const nlohmann::json& tuning : built_in_tunings()) {
      for (TunedHybrids& table : read_tuned_hybrids(tuning, "the tune.json of ANNELID_TUNED")) {
        tables.push_back(std::move(table));
      }
    }
    return tables;
  }();
  return all;
}

}  // namespace annelid::simulation
