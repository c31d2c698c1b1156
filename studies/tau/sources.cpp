#include "studies/tau/sources.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <numeric>

#include "base/files.hpp"
#include "base/input_error.hpp"
#include "base/json.hpp"
#include "studies/tau/point_file.hpp"

namespace annelid::studies {
namespace {

namespace fs = std::filesystem;

double processes_of(const nlohmann::json& configuration) {
  const auto& collective = configuration.at("collective");
  if (collective.contains("ranks")) return collective.at("ranks").get<double>();
  const auto size = configuration.at("network").at("size").get<std::vector<double>>();
  return std::accumulate(size.begin(), size.end(), 1.0, std::multiplies());
}

/// What is printed as a whole number must be one: anybody may have written the file.
void require_whole(const std::string& file, const std::string& key, const nlohmann::json& value) {
  constexpr double kMost = 0x1p53;  // doubles are exact up to here
  if (value.is_number() && value >= 0 && value <= kMost &&
      value.get<double>() == std::floor(value.get<double>())) {
    return;
  }
  throw InputError(file + ": " + key, json_text(value), "a whole number, from 0 to 2^53");
}

void require_whole(const std::string& file, const nlohmann::json& configuration) {
  for (const auto& side : configuration.at("network").at("size")) {
    require_whole(file, "configuration.network.size", side);
  }
  for (const char* const key : {"alpha", "gamma"}) {
    require_whole(file, std::string("configuration.nic.") + key, configuration.at("nic").at(key));
  }
  require_whole(file, "configuration.collective.bytes", configuration.at("collective").at("bytes"));
}

RunTimes run_times(const std::string& file, const std::string& text) {
  try {
    const nlohmann::json result = parse_json(text, file);
    RunTimes run;
    run.configuration = result.at("configuration");
    auto& collective = run.configuration.at("collective");
    run.nodes = processes_of(run.configuration);
    run.messages = result.value("messages", 0.0);
    require_whole(file, run.configuration);
    run.operation = collective.at("operation").get<std::string>();
    run.bytes = collective.at("bytes").get<double>();
    run.cycles = result.at("cycles").get<double>();
    for (const char* key : {"bytes", "crc32", "seed", "payload", "root"}) collective.erase(key);
    run.configuration.erase("name");
    run.configuration.erase("limits");
    (void)title_of(run.configuration);  // it has what a title needs
    return run;
  } catch (const nlohmann::json::exception&) {
    throw InputError(file, "something else", "a result.json of annelid run");
  }
}

bool is_json(const std::string& text) {
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  return begin != std::string::npos && (text[begin] == '{' || text[begin] == '[');
}

TimeSource read_source(const std::string& name) {
  std::error_code error;
  const fs::path file =
      fs::is_directory(name, error) ? fs::path(name) / "result.json" : fs::path(name);
  const std::string text = read_text(file);
  TimeSource source;
  source.file = file.string();
  if (is_json(text) || file.extension() == ".json") {
    source.run = run_times(source.file, text);
    source.unit = "cycles";
    return source;
  }
  PointFile points = parse_points(source.file, text);
  source.title = std::move(points.title);
  source.unit = std::move(points.unit);
  source.has_nodes = points.has_nodes;
  source.points = std::move(points.points);
  return source;
}

void set_nodes(std::vector<TimeSource>& sources, std::span<const int> nodes) {
  if (nodes.empty()) return;
  std::vector<TimeSource*> open;
  for (TimeSource& s : sources) {
    if (!s.run && !s.has_nodes) open.push_back(&s);
  }
  if (open.size() != nodes.size()) {
    throw InputError(
        "--nodes", fmt::format("{} number{}", nodes.size(), nodes.size() == 1 ? "" : "s"),
        fmt::format("{}, one for each file of times without a column of nodes", open.size()));
  }
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    open[i]->has_nodes = true;
    for (auto& point : open[i]->points) point.nodes = nodes[i];
  }
}

void require_one_unit(const std::vector<TimeSource>& sources) {
  const TimeSource* first = nullptr;
  for (const TimeSource& s : sources) {
    if (s.unit.empty()) continue;
    if (first != nullptr && s.unit != first->unit) {
      throw InputError(s.file, "times in " + s.unit,
                       fmt::format("{}, as in {}", first->unit, first->file));
    }
    if (first == nullptr) first = &s;
  }
}

}  // namespace

std::vector<TimeSource> read_sources(std::span<const std::string> names,
                                     std::span<const int> nodes) {
  std::vector<TimeSource> sources;
  for (const std::string& name : names) sources.push_back(read_source(name));
  set_nodes(sources, nodes);
  require_one_unit(sources);
  return sources;
}

std::string title_of(const nlohmann::json& c, bool with_nodes) {
  const auto size = c.at("network").at("size").get<std::vector<std::int64_t>>();
  const auto& collective = c.at("collective");
  return fmt::format(
      "{} {}{}, alpha {}, gamma {}, {}{}", collective.at("operation").get<std::string>(),
      collective.at("algorithm").get<std::string>(),
      with_nodes ? fmt::format(" {}", fmt::join(size, "x")) : "",
      c.at("nic").at("alpha").get<std::int64_t>(), c.at("nic").at("gamma").get<std::int64_t>(),
      c.at("firmware").get<std::string>(), collective.value("prepared", false) ? ", prepared" : "");
}

nlohmann::json without_nodes(nlohmann::json configuration) {
  configuration.at("network").erase("size");
  configuration.at("collective").erase("ranks");
  return configuration;
}

}  // namespace annelid::studies
