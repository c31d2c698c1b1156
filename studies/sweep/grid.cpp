#include "studies/sweep/grid.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/input_error.hpp"
#include "base/json.hpp"
#include "base/nearest.hpp"
#include "base/split.hpp"
#include "simulation/scenario/network_keys.hpp"

namespace annelid::studies {
namespace {

using Type = simulation::Value::Type;

constexpr std::size_t kMostSweepPoints = 100'000;
constexpr std::array kFlags = {
    simulation::Key{"sweep.stop_when_saturated", simulation::Key::Kind::kBoolean, "true or false",
                    "--stop-when-saturated", nullptr,
                    "Ends each curve at its first load that is saturated in a repeat too.",
                    "false"},
    simulation::Key{
        "sweep.cost", simulation::Key::Kind::kBoolean, "true or false", "--cost", nullptr,
        "Synthesizes each different router, and adds its area and times in nanoseconds.", "false"},
};

[[noreturn]] void refuse_values(const std::string& origin, const std::string& found) {
  throw InputError(origin, found, "a list of values, or { from = .., to = .., step = .. }");
}

/// from, from + step, ... up to `to`, as short decimal numbers.
std::vector<simulation::Value> range(const std::string& origin, const simulation::Value& from,
                                     const simulation::Value& to, const simulation::Value& step) {
  const double steps = (to.number - from.number) / step.number;
  if (!from.is_number() || !to.is_number() || !step.is_number() || !(step.number > 0) ||
      !(steps >= 0 && steps < kMostSweepPoints)) {
    refuse_values(origin,
                  fmt::format("from {} to {} in steps of {}", from.shown, to.shown, step.shown));
  }
  const bool whole = from.type == Type::kInteger && step.type == Type::kInteger;
  std::vector<simulation::Value> values;
  for (int i = 0; i <= static_cast<int>(std::floor(steps + 1e-9)); ++i) {
    const double value = from.number + i * step.number;
    values.push_back(whole
                         ? simulation::Value::of_integer(std::llround(value))
                         : simulation::Value::of_number(std::stod(fmt::format("{:.12g}", value))));
  }
  return values;
}

std::vector<simulation::Value> values_of(const std::string& origin, const simulation::Value& v) {
  if (v.type == Type::kList && !v.list.empty()) return v.list;
  if (v.type != Type::kTable || v.table.size() != 3 || !v.table.contains("from") ||
      !v.table.contains("to") || !v.table.contains("step")) {
    refuse_values(origin, v.shown);
  }
  return range(origin, v.table.at("from"), v.table.at("to"), v.table.at("step"));
}

bool can_be_swept(std::string_view key) { return key != "name" && key != "traffic.trace"; }

std::string nearest_key(const std::string& key) {
  const std::vector<simulation::Key> keys = simulation::traffic_keys();
  std::vector<std::string_view> known = simulation::names_of_keys(keys);
  std::erase_if(known, [](std::string_view name) { return !can_be_swept(name); });
  return did_you_mean(key, known);
}

/// "router.vcs=1,2,4" or "traffic.load=0.05:0.5:0.05".
SweptKey parse_option(const simulation::Settings& settings, const std::string& text) {
  const std::size_t equals = std::min(text.find('='), text.size());
  SweptKey swept{text.substr(0, equals), "--sweep " + text.substr(0, equals), {}};
  const simulation::Key* key = settings.find_key(swept.key);
  if (key == nullptr || equals == text.size()) {
    throw InputError("--sweep", "\"" + text + "\"",
                     "KEY=VALUES with a known key" + nearest_key(swept.key));
  }
  std::string values = text.substr(equals + 1);
  const auto parse = [&](const std::string& item) {
    const auto value = simulation::parse_value(key->kind, item);
    if (!value) throw InputError(swept.origin, "\"" + item + "\"", key->shape);
    return *value;
  };
  std::vector<simulation::Value> items;
  const bool is_range =
      values.find(':') != std::string::npos &&
      (key->kind == simulation::Key::Kind::kNumber || key->kind == simulation::Key::Kind::kInteger);
  for (const std::string_view item : split(values, is_range ? ":" : ",")) {
    items.push_back(parse(std::string(item)));
  }
  if (!is_range) {
    swept.values = std::move(items);
  } else if (items.size() == 3) {
    swept.values = range(swept.origin, items[0], items[1], items[2]);
  } else {
    throw InputError(swept.origin, "\"" + values + "\"", "FROM:TO:STEP, or values with , between");
  }
  return swept;
}

bool is_of_option(const std::string& origin) { return origin.starts_with("--sweep "); }

/// Values of a key that is swept with others are a mistake; those of the file may be replaced.
void require_swept_effect(const SweepGrid& grid, const simulation::Settings& settings,
                          const SweptKey& swept) {
  const auto before = std::ranges::find(grid.keys, swept.key, &SweptKey::key);
  if (before != grid.keys.end() && is_of_option(before->origin)) {
    throw InputError(swept.origin, "values for " + swept.key + " a second time",
                     "one --sweep for each key, with all its values");
  }
  if (!settings.has(swept.key) || settings.from_file(swept.key)) return;
  throw InputError(settings.origin(swept.key),
                   fmt::format("a value beside {}, which sweeps the key", swept.origin),
                   "one of the two");
}

void add(SweepGrid& grid, const simulation::Settings& settings, SweptKey swept) {
  if (settings.find_key(swept.key) == nullptr || !can_be_swept(swept.key)) {
    throw InputError(
        swept.origin, "a key that cannot be swept",
        "a key of the network or of synthetic traffic, as in router.vcs" + nearest_key(swept.key));
  }
  require_swept_effect(grid, settings, swept);
  std::erase_if(grid.keys, [&](const SweptKey& k) { return k.key == swept.key; });
  grid.keys.push_back(std::move(swept));
}

void read_table(SweepGrid& grid, const simulation::Settings& settings,
                const std::filesystem::path& file) {
  for (const simulation::TomlEntry& entry : simulation::read_toml(file)) {
    constexpr std::string_view kTable = "sweep.";
    if (!entry.key.starts_with(kTable)) continue;
    const std::string origin = fmt::format("{}:{}: {}", file.string(), entry.line, entry.key);
    const auto flag = std::ranges::find(kFlags, entry.key, &simulation::Key::name);
    if (flag != kFlags.end()) {
      if (entry.value.type != Type::kBoolean)
        throw InputError(origin, entry.value.shown, flag->shape);
      (flag == kFlags.begin() ? grid.stop_when_saturated : grid.cost) = entry.value.boolean;
      continue;
    }
    add(grid, settings, {entry.key.substr(kTable.size()), origin, values_of(origin, entry.value)});
  }
}

void make_points(SweepGrid& grid, const simulation::Settings& base) {
  std::size_t count = 1;
  for (const SweptKey& k : grid.keys) {
    count *= k.values.size();
    if (count > kMostSweepPoints) {
      throw InputError(k.origin, fmt::format("more than {} points", kMostSweepPoints), "fewer");
    }
  }
  const auto idle = std::make_shared<simulation::IdleValues>();
  for (std::size_t i = 0; i < count; ++i) {
    simulation::Settings settings = base;
    settings.collect_idle(idle);
    std::vector<std::string> values(grid.keys.size());
    std::size_t rest = i;
    for (std::size_t k = grid.keys.size(); k-- > 0;) {
      const SweptKey& swept = grid.keys[k];
      const simulation::Value& value = swept.values[rest % swept.values.size()];
      rest /= swept.values.size();
      settings.set(swept.key, value, swept.origin);
      values[k] = simulation::option_text(value);
    }
    grid.points.push_back({std::move(values), {}, simulation::TrafficScenario::from(settings)});
  }
  idle->require_use(count);  // a value that has an effect at one point has one
}

/// A comparison of routers must not differ in more than what it says.
void find_defaults(SweepGrid& grid) {
  std::vector<nlohmann::ordered_json> routers;
  routers.reserve(grid.points.size());
  for (const SweepPoint& p : grid.points) {
    routers.push_back(simulation::router_json(p.scenario.network));
  }
  for (const auto& item : routers.front().items()) {
    const std::string &name = item.key(), key = "router." + name;
    if (std::ranges::find(grid.keys, key, &SweptKey::key) != grid.keys.end()) continue;
    const auto text = [&name](const nlohmann::ordered_json& router) {
      return router.contains(name) ? json_text(router.at(name)) : "none";
    };
    const std::string first = json_text(item.value());
    if (std::ranges::all_of(routers, [&](const auto& r) { return text(r) == first; })) continue;
    grid.defaults.push_back(key);
    for (std::size_t i = 0; i < routers.size(); ++i) {
      grid.points[i].defaults.push_back(text(routers[i]));
    }
  }
}

}  // namespace

std::span<const simulation::Key> sweep_flags() { return kFlags; }

std::size_t SweepGrid::load_key() const {
  const auto load = std::ranges::find(keys, "traffic.load", &SweptKey::key);
  return static_cast<std::size_t>(load - keys.begin());
}

std::string SweepGrid::curve(const SweepPoint& point) const {
  std::string text;
  for (std::size_t k = 0; k < keys.size(); ++k) {
    if (k == load_key()) continue;
    text += fmt::format("{}{}={}", text.empty() ? "" : " ", keys[k].key, point.values[k]);
  }
  for (std::size_t k = 0; k < defaults.size(); ++k) {
    text += fmt::format("{}({}={})", text.empty() ? "" : " ", defaults[k], point.defaults[k]);
  }
  return text;
}

SweepGrid SweepGrid::read(const std::filesystem::path& file,
                          std::span<const simulation::Override> overrides,
                          std::span<const std::string> swept) {
  SweepGrid grid;
  const simulation::Settings base(simulation::traffic_keys(), file, overrides, "sweep.");
  if (base.has("traffic.trace")) base.refuse("traffic.trace", "synthetic traffic in a sweep");
  grid.name = base.name("sweep");
  if (!file.empty()) read_table(grid, base, file);
  for (const std::string& text : swept) add(grid, base, parse_option(base, text));
  if (grid.keys.empty()) {
    throw InputError(file.empty() ? "--sweep" : file.string() + ": sweep", "nothing to sweep",
                     "a table [sweep] with keys and their values, or --sweep KEY=VALUES");
  }
  make_points(grid, base);
  find_defaults(grid);
  return grid;
}

}  // namespace annelid::studies
