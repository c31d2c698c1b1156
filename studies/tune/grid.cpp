#include "studies/tune/grid.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>

#include "base/fnv1a.hpp"
#include "base/input_error.hpp"
#include "simulation/scenario/collective_keys.hpp"
#include "simulation/scenario/count_keys.hpp"
#include "simulation/scenario/network_keys.hpp"
#include "simulation/scenario/nic_keys.hpp"
#include "simulation/scenario/option_words.hpp"
#include "studies/check/cost.hpp"
#include "studies/common/stored_configuration.hpp"
#include "studies/tune/case_maker.hpp"
#include "studies/tune/grid_keys.hpp"
#include "studies/tune/hybrids.hpp"
#include "studies/tune/kinds.hpp"

namespace annelid::studies {
namespace {

using reference::Algorithm;

/// What decides the cycles of a run; without the scenario's name.
nlohmann::ordered_json configuration_of(const simulation::Scenario& s, std::uint64_t image) {
  nlohmann::ordered_json json = {
      {"network", simulation::network_json(s.network)},
      {"router", simulation::router_json(s.network)},
      {"nic", simulation::nic_json(s.nic)},
      {"firmware", name_of(s.firmware)},
      {"image", fmt::format("{:016x}", image)},
      {"collective", simulation::collective_json(s.call().collective, s.network)},
      {"seed", s.call().collective.seed},
      {"bytes", s.call().collective.bytes}};
  if (s.repeat > 1) json["repeat"] = s.repeat;
  return json;
}

std::uint64_t hash_of(const simulation::FirmwareChoice& firmware, const std::string& where) {
  const nic::Image image = simulation::read_image(firmware, where);
  return fnv1a({reinterpret_cast<const char*>(image.ram.data()), image.ram.size()});
}

simulation::Scenario with_bytes(const simulation::Settings& settings, std::uint64_t bytes,
                                CallKind kind) {
  simulation::Settings s = as_kind(settings, kind);
  if (s.has(kCountsKey)) return simulation::Scenario::from(s);
  s.set("collective.bytes", simulation::Value::of_integer(static_cast<std::int64_t>(bytes)),
        s.origin("tune.bytes"));
  return simulation::Scenario::from(s);
}

}  // namespace

TuneGrid TuneGrid::read(const std::filesystem::path& file,
                        std::span<const simulation::Override> overrides) {
  TuneGrid grid;
  const simulation::Settings settings(tune_keys(), file, overrides);
  require_tuning(settings);
  grid.name = settings.name("tune");
  grid.has_counts = settings.has(kCountsKey);
  if (!grid.has_counts) grid.bytes = read_sizes(settings);
  grid.refine = static_cast<int>(settings.integer("tune.refine", 0, 0, 20));
  grid.hybrids = static_cast<int>(settings.integer("tune.hybrids", 0, 1, 1000));
  grid.radices = settings.boolean("tune.radices", false);
  grid.calls = kind_of(settings);
  grid.columns = read_columns(settings);
  if (settings.has("tune.sizes")) {
    settings.refuse_idle(
        "network.size", "tune.sizes",
        fmt::format("a value beside {}, which replaces it", settings.origin("tune.sizes")),
        "one of the two");
  }
  make_cases(grid, settings);
  require_tuned_effect(settings, grid);
  return grid;
}

void TuneGrid::add(std::size_t in_case, std::uint64_t size) {
  const std::vector<simulation::Scenario>& algorithms = cases[in_case].algorithms;
  std::set<CallKind> kinds(columns.begin(), columns.end());
  kinds.insert(calls);
  for (std::size_t curve = 0; curve < algorithms.size(); ++curve) {
    for (const CallKind kind : kinds) {
      const simulation::Settings& s = algorithms[curve].settings;
      add_point({in_case, curve, size, kind, with_bytes(s, size, kind), {}});
    }
  }
}

void TuneGrid::add_hybrids(std::size_t in_case, std::uint64_t size) {
  const simulation::Scenario open =
      with_bytes(cases[in_case].algorithms.front().settings, size, calls);
  const auto ranking = ranked_hybrids(open.call().collective, model_start_up(open.firmware));
  add_point({in_case, 0, size, calls, open, {}, 0, {}, ranking.size()});
  for (const HybridCandidate& candidate :
       simulated_hybrids(ranking, static_cast<std::size_t>(hybrids), open.call().collective.hybrid,
                         open.call().collective.seed)) {
    const simulation::Settings s = naming(open.settings, candidate.hybrid);
    add_point(
        {in_case, 0, size, calls, simulation::Scenario::from(s), {}, 0, candidate, ranking.size()});
  }
}

void TuneGrid::add_point(TunePoint point) {
  const simulation::Scenario& run = point.scenario;
  const simulation::Settings& s = run.settings;
  const auto [image, is_new] = images_.try_emplace(name_of(run.firmware));
  if (is_new) image->second = hash_of(run.firmware, s.origin("firmware"));
  point.configuration = stored_configuration(configuration_of(run, image->second));
  const bool rv32 = run.firmware.kind != simulation::FirmwareChoice::Kind::kNative;
  const Algorithm& algorithm = *run.call().collective.algorithm;
  try {
    const CallCost cost(algorithm, run.call().collective.network, point.bytes);
    point.seconds = cost.seconds(point.bytes, rv32);
    if (point.calls == CallKind::kPrepared) {
      point.seconds += kMeasuredStarts * cost.seconds(point.bytes, false);
    }
  } catch (const std::invalid_argument& error) {  // more messages than the reference lists
    throw InputError(s.origin("tune.bytes"),
                     fmt::format("{} by \"{}\": {}", point.bytes, algorithm.name, error.what()),
                     "less, or other algorithms");
  }
  points.push_back(std::move(point));
}

std::string describe(const TuneCase& c) {
  std::string text = fmt::format("{} on the {}, {} processes", name_of(c.operation),
                                 simulation::describe_network(c.network), c.processes);
  if (c.algorithms.empty()) return text;
  const simulation::Collective& call = c.algorithms.front().call().collective;
  return call.lengths.empty() ? text : text + ", blocks of " + simulation::block_text(call);
}

std::string file_name(const TuneCase& c) {
  return fmt::format("{}-{}-{}", name_of(c.operation), simulation::size_text(c.network),
                     c.processes);
}

std::string run_command(const simulation::Scenario& scenario) {
  std::string text = "annelid run";
  for (const std::string& assignment : scenario.settings.assignments()) {
    const std::size_t equals = assignment.find('=');
    const simulation::Key& key = *scenario.settings.find_key(assignment.substr(0, equals));
    if (key.option == nullptr || std::string_view(key.name).starts_with("tune.")) continue;
    text += " " + simulation::option_words(key, assignment.substr(equals + 1));
  }
  return text;
}

}  // namespace annelid::studies
