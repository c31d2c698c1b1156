// tune.json and tuned.inc: what a tuning leaves for programs. The firmware reads the one, the
// program that checks it the other.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>

#include "base/json.hpp"
#include "base/version.hpp"
#include "simulation/scenario/collective_keys.hpp"
#include "simulation/scenario/network_keys.hpp"
#include "simulation/scenario/nic_keys.hpp"
#include "simulation/scenario/tuned_json.hpp"
#include "studies/tune/enumerator.hpp"
#include "studies/tune/json_lines.hpp"
#include "studies/tune/result.hpp"

namespace annelid::studies {
namespace {

using Json = nlohmann::ordered_json;

Json call_json(const TuneResult& r) {
  Json json =
      simulation::collective_json(r.of->algorithms.front().call().collective, r.of->network);
  for (const char* of_algorithm : {"algorithm", "embedding", "ranks"}) json.erase(of_algorithm);
  json["processes"] = r.of->processes;
  return json;
}

Json curve_json(const TuneCurve& curve) {
  Json json = {{"algorithm", curve.name}};
  if (curve.algorithm->by_rank) json["embedding"] = name_of(curve.embedding);
  json["cycles"] = curve.cycles;
  json["control_wait_flit_cycles"] = curve.control;
  for (const auto& [kind, cycles] : curve.columns) json["columns"][name_of(kind)] = cycles;
  return json;
}

std::string case_json(const TuneResult& r) {
  Json winners = Json::array(), crossovers = Json::array();
  for (std::size_t i = 0; i < r.bytes.size(); ++i) {
    winners.push_back(r.curves[r.ranking(i).front()].name);
  }
  for (std::size_t i = 1; i < r.fastest.size(); ++i) {
    const std::uint64_t at = r.fastest[i].from;
    const auto high = std::ranges::lower_bound(r.bytes, at);
    crossovers.push_back({{"bytes", at},
                          {"from", r.curves[r.fastest[i - 1].curve].name},
                          {"to", r.curves[r.fastest[i].curve].name},
                          {"between", {*std::prev(high), *high}}});
  }
  return fmt::format(
      "{{\"network\": {},\n   \"router\": {},\n   \"nic\": {},\n   \"call\": {},\n   "
      "\"bytes\": {},\n   \"curves\": {},\n   \"winners\": {},\n   \"crossovers\": {}}}",
      simulation::network_json(r.of->network).dump(), simulation::router_json(r.of->network).dump(),
      simulation::nic_json(r.of->algorithms.front().nic).dump(), call_json(r).dump(),
      Json(r.bytes).dump(),
      json_lines(r.curves, "    ", [](const TuneCurve& c) { return curve_json(c).dump(); }),
      winners.dump(), json_lines(crossovers, "    ", [](const Json& c) { return c.dump(); }));
}

std::string among_text(const simulation::TunedTable& table) {
  std::string text;
  for (const simulation::TunedAmong among : table.among) {
    text += (text.empty() ? "kAmong" : " | kAmong") + enumerator(name_of(among)).substr(1);
  }
  return text;
}

std::string_view table_macro(bool prepared) { return prepared ? "TUNED_PREPARED" : "TUNED_TABLE"; }

std::string table_text(const simulation::TunedTable& table) {
  std::string text =
      fmt::format("{}({}, {}, {}, {}, {})\n", table_macro(table.prepared),
                  enumerator(name_of(table.operation)), table.rings ? "kRings" : "kMesh",
                  table.one_port ? "kOnePort" : "kAllPort", table.processes, among_text(table));
  for (const simulation::TunedChoice& c : table.choices) {
    text += fmt::format("TUNED_ROW({}, {}, {})\n", c.from, enumerator(c.algorithm->name),
                        enumerator(name_of(c.embedding)));
  }
  return text;
}

}  // namespace

std::string tuned_header(const std::vector<TuneResult>& results, const std::string& name) {
  std::string text = fmt::format(
      "// Written by `annelid tune` ({}): which algorithm is the fastest from so many bytes on.\n"
      "// {}(operation, rings, ports, processes, among which algorithms), and its rows\n"
      "// TUNED_ROW(from bytes, algorithm, embedding): docs/internals/algorithms/auto.md.\n",
      name, table_macro(results.front().calls == CallKind::kPrepared));
  for (const TuneResult& r : results) {
    text += fmt::format("\n// {}\n", describe(*r.of));
    for (const simulation::TunedTable& table : tables_of(r)) text += table_text(table);
  }
  return text;
}

std::string tune_json(const TuneGrid& grid, const std::vector<TuneResult>& results) {
  std::vector<simulation::TunedTable> tables;  // of what auto serves alone
  for (const TuneResult& r : results) {
    if (grid.has_counts || grid.radices) break;
    for (simulation::TunedTable& table : tables_of(r)) tables.push_back(std::move(table));
  }
  return fmt::format(
      "{{\"annelid\": {}, \"name\": {}, \"firmware\": {}{},\n \"cases\": {},\n \"tables\": {}}}\n",
      Json(kVersion).dump(), json_text(Json(grid.name)),
      json_text(Json(name_of(results.front().of->algorithms.front().firmware))),
      grid.calls == CallKind::kPrepared ? ", \"prepared\": true" : "",
      json_lines(results, "  ", case_json),
      json_lines(tables, "  ",
                 [](const simulation::TunedTable& t) { return simulation::tuned_json(t).dump(); }));
}

}  // namespace annelid::studies
