#include "studies/tune/hybrids.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>

#include "base/json.hpp"
#include "base/random.hpp"
#include "base/version.hpp"
#include "simulation/scenario/hybrid_keys.hpp"
#include "simulation/scenario/network_keys.hpp"
#include "simulation/scenario/tuned_json.hpp"
#include "studies/tune/hybrid_tables.hpp"
#include "studies/tune/json_lines.hpp"

namespace annelid::studies {
namespace {

using Json = nlohmann::ordered_json;
using reference::Operation;
using reference::intercom::Collective;
using reference::intercom::Hybrid;

constexpr std::size_t kMostSizes = 7;  // that a call can name

Collective collective_of(Operation operation) {
  switch (operation) {
    case Operation::kBroadcast:
      return Collective::kBroadcast;
    case Operation::kScatter:
      return Collective::kScatter;
    case Operation::kGather:
      return Collective::kGather;
    case Operation::kAllGather:
      return Collective::kCollect;
    case Operation::kReduce:
      return Collective::kCombineToOne;
    case Operation::kAllReduce:
      return Collective::kCombineToAll;
    default:
      return Collective::kDistributedCombine;
  }
}

reference::HybridChoice choice_of(const Hybrid& hybrid) {
  const auto& dimensions = hybrid.mesh.dimensions();
  reference::HybridChoice choice;
  for (const auto& dimension : dimensions) choice.sizes.push_back(dimension.size);
  choice.is_long = hybrid.form == reference::intercom::Template::kLong;
  choice.far_first = dimensions.front().stride > dimensions.back().stride;
  return choice;
}

bool can_be_called(const simulation::Collective& call, const Hybrid& hybrid) {
  simulation::Collective named = call;
  named.hybrid = choice_of(hybrid);
  const int processes = reference::rank_count(call.network, call.ranks);
  if (named.hybrid.sizes.size() > kMostSizes) return false;
  if (simulation::hybrid_messages(call.operation(), named.hybrid, processes) >
      simulation::kMostHybridMessages) {
    return false;
  }
  const bool in_order = call.reduces() && !reference::commutes(call.op);
  return !in_order || call.algorithm->keeps_order(named.request());
}

/// Where both templates have the same messages, the ranking has one of them.
std::size_t place_of(const std::vector<HybridCandidate>& ranking,
                     const reference::HybridChoice& chosen) {
  const auto same_mesh = [&](const HybridCandidate& c) {
    return c.hybrid.sizes == chosen.sizes &&
           (chosen.sizes.size() == 1 || c.hybrid.far_first == chosen.far_first);
  };
  auto found = std::ranges::find_if(ranking, [&](const HybridCandidate& c) {
    return same_mesh(c) && c.hybrid.is_long == chosen.is_long;
  });
  if (found == ranking.end()) found = std::ranges::find_if(ranking, same_mesh);
  if (found == ranking.end()) throw std::logic_error("a hybrid that is not ranked");
  return static_cast<std::size_t>(found - ranking.begin());
}

double loss(std::uint64_t cycles, std::uint64_t best) {
  return static_cast<double>(cycles) / static_cast<double>(best) - 1;
}

Json length_json(const HybridLength& length) {
  Json runs = Json::array();
  for (const HybridRun& run : length.runs) {
    Json json = simulation::hybrid_json(run.candidate.hybrid);
    json["place"] = run.candidate.place;
    json["model_cycles"] = run.candidate.model;
    json["cycles"] = run.cycles;
    runs.push_back(std::move(json));
  }
  return {{"bytes", length.bytes},
          {"hybrids", length.hybrids},
          {"chosen", simulation::hybrid_json(length.chosen)},
          {"chosen_by", length.chosen_by_tuning ? "tuning" : "rule"},
          {"chosen_cycles", length.chosen_cycles},
          {"loss_of_choice", length.loss_of_choice()},
          {"loss_of_model", length.loss_of_model()},
          {"runs", std::move(runs)}};
}

}  // namespace

std::vector<HybridCandidate> ranked_hybrids(const simulation::Collective& call, double start_up) {
  constexpr double kCyclesOfAByte = 1.0 / 8;  // a flit of eight bytes a cycle
  const int processes = reference::rank_count(call.network, call.ranks);
  const Collective collective = collective_of(call.operation());
  reference::intercom::Call priced{collective, 0, {call.bytes}};
  if (reference::intercom::has_root(collective)) {
    priced.root = reference::rank_of(call.network, call.ranks, call.root);
  }
  if (!call.lengths.empty()) {
    priced.counts = call.lengths;
  } else if (reference::intercom::has_blocks(collective)) {
    priced.counts.assign(static_cast<std::size_t>(processes), call.bytes);
  }
  std::vector<Hybrid> hybrids = reference::intercom::hybrids_of(collective, processes);
  std::erase_if(hybrids, [&](const Hybrid& hybrid) { return !can_be_called(call, hybrid); });
  std::vector<HybridCandidate> ranking;
  for (const auto& ranked : reference::intercom::ranking(
           priced, hybrids, call.network, reference::members(call.network, call.ranks),
           {start_up, kCyclesOfAByte, 0})) {
    ranking.push_back({choice_of(ranked.hybrid), ranking.size() + 1, ranked.time});
  }
  return ranking;
}

std::vector<HybridCandidate> simulated_hybrids(const std::vector<HybridCandidate>& ranking,
                                               std::size_t count,
                                               const reference::HybridChoice& chosen,
                                               std::uint64_t seed) {
  if (ranking.size() <= 2 * count) return ranking;
  std::set<std::size_t> places;
  for (std::size_t i = 0; i < count; ++i) places.insert(i);
  Random random(seed);
  while (places.size() < 2 * count) {
    places.insert(random.below(static_cast<std::uint32_t>(ranking.size())));
  }
  places.insert(place_of(ranking, chosen));
  std::vector<HybridCandidate> all;
  all.reserve(places.size());
  for (const std::size_t place : places) all.push_back(ranking[place]);
  return all;
}

simulation::Settings naming(const simulation::Settings& call,
                            const reference::HybridChoice& hybrid) {
  simulation::Settings s = call;
  std::vector<simulation::Value> sizes;
  for (const int d : hybrid.sizes) sizes.push_back(simulation::Value::of_integer(d));
  const std::string where = s.origin("tune.hybrids");
  s.set("collective.logical_mesh", simulation::Value::of_list(sizes), where);
  s.set("collective.template", simulation::Value::of_text(hybrid.is_long ? "long" : "short"),
        where);
  s.set("collective.dimensions",
        simulation::Value::of_text(hybrid.far_first ? "far-first" : "near-first"), where);
  return s;
}

double model_start_up(const simulation::FirmwareChoice& firmware) {
  constexpr double kOfTheCore = 1250, kOfTheHost = 20;  // cycles
  const bool native = firmware.kind == simulation::FirmwareChoice::Kind::kNative;
  return native ? kOfTheHost : kOfTheCore;
}

const HybridRun& HybridLength::best() const {
  return *std::ranges::min_element(runs, {}, &HybridRun::cycles);
}
double HybridLength::loss_of_choice() const { return loss(chosen_cycles, best().cycles); }
double HybridLength::loss_of_model() const { return loss(runs.front().cycles, best().cycles); }

HybridResult hybrid_result_of(const TuneGrid& grid, const TuneMeasurements& table,
                              std::size_t in_case) {
  HybridResult result;
  result.of = &grid.cases[in_case];
  result.start_up = model_start_up(result.of->algorithms.front().firmware);
  for (const TunePoint& point : grid.points) {
    if (point.in_case != in_case) continue;
    const std::uint64_t cycles = table.find(point).value().cycles;
    if (!point.candidate) {  // the open call comes first
      HybridLength& length = result.lengths.emplace_back();
      length.bytes = point.bytes;
      length.hybrids = point.hybrids;
      length.chosen = point.scenario.call().collective.hybrid;
      length.chosen_by_tuning = point.scenario.call().collective.hybrid_tuned;
      length.chosen_cycles = cycles;
    } else {
      result.lengths.back().runs.push_back({*point.candidate, cycles});
    }
  }
  return result;
}

std::string hybrid_text(const reference::HybridChoice& hybrid, int processes) {
  const std::string sizes = hybrid.sizes.empty() ? std::to_string(processes)
                                                 : fmt::format("{}", fmt::join(hybrid.sizes, "x"));
  return fmt::format("{} {}{}", sizes, hybrid.is_long ? "long" : "short",
                     hybrid.sizes.size() < 2 ? ""
                     : hybrid.far_first      ? " far"
                                             : " near");
}

std::string hybrids_json(const TuneGrid& grid, const std::vector<HybridResult>& results) {
  const auto case_json = [](const HybridResult& result) {
    const Json json = {{"operation", name_of(result.of->operation)},
                       {"network", simulation::network_json(result.of->network)},
                       {"router", simulation::router_json(result.of->network)},
                       {"processes", result.of->processes},
                       {"model", {{"start_up", result.start_up}, {"cycles_of_a_word", 1}}}};
    const std::string lengths = json_lines(result.lengths, "    ", [](const HybridLength& length) {
      return json_text(length_json(length));
    });
    std::string text = json_text(json);
    text.pop_back();
    return text + ",\n   \"lengths\": " + lengths + "}";
  };
  return fmt::format(
      "{{\"annelid\": {}, \"name\": {}, \"firmware\": {},\n \"hybrids\": {},\n "
      "\"hybrid_tables\": {}}}\n",
      Json(kVersion).dump(), json_text(Json(grid.name)),
      json_text(Json(name_of(results.front().of->algorithms.front().firmware))),
      json_lines(results, "  ", case_json),
      json_lines(hybrid_tables(grid, results), "  ", [](const simulation::TunedHybrids& table) {
        return json_text(simulation::tuned_json(table));
      }));
}

}  // namespace annelid::studies
