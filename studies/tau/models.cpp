#include "studies/tau/models.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

#include "base/input_error.hpp"
#include "base/nearest.hpp"
#include "studies/tau/sources.hpp"

namespace annelid::studies {
namespace {

using reference::models::Model;
using MeasuredPoint = reference::models::Point;
namespace models = reference::models;

constexpr std::array<std::string_view, models::kModels> kModelNames = {"postal", "logp", "loggp",
                                                                       "hockney", "xu-hwang"};

/// Points that one fit takes.
struct PointSet {
  nlohmann::json configuration;  ///< without what the model has parameters for; null: from files
  std::string first;             ///< file, for messages
  std::string title, unit;
  std::vector<MeasuredPoint> points;
};

/// The point of a run. Sets the configuration that it shares with the other points of its fit.
MeasuredPoint point_of(Model model, const TimeSource& source, nlohmann::json& configuration) {
  const RunTimes& run = *source.run;
  configuration = run.configuration;
  if (model == Model::kXuHwang) configuration = without_nodes(configuration);
  MeasuredPoint point{run.nodes, 1, run.bytes, run.cycles};
  if (!models::is_of_streams(model)) return point;
  if (run.nodes != 2 || run.operation != "broadcast" || run.messages < 1) {
    throw InputError(source.file, fmt::format("{} of {} processes", run.operation, run.nodes),
                     fmt::format("a broadcast of 2, which is a stream of messages between them, "
                                 "for {} (--algorithm linear-pipeline --ranks 2 --packets K)",
                                 models::name_of(model)));
  }
  configuration.at("collective").erase("packets");
  point.messages = run.messages;
  point.bytes = run.bytes / run.messages;
  return point;
}

void add_source(Model model, const TimeSource& source, std::vector<PointSet>& sets) {
  if (source.run) {
    nlohmann::json configuration;
    const MeasuredPoint point = point_of(model, source, configuration);
    auto set = std::ranges::find(sets, configuration, &PointSet::configuration);
    if (set == sets.end()) {
      const std::string title = title_of(source.run->configuration, model != Model::kXuHwang);
      set = sets.insert(set, {configuration, source.file, title, source.unit, {}});
    }
    set->points.push_back(point);
    return;
  }
  if (model == Model::kXuHwang && !source.has_nodes) {
    throw InputError(source.file, "times without a number of nodes",
                     "a column \"nodes\", or --nodes with a number for each file");
  }
  // Files of other numbers of nodes continue the set of the first one.
  const bool continues = model == Model::kXuHwang;
  auto set = std::ranges::find_if(
      sets, [&](const PointSet& s) { return continues && s.configuration.is_null(); });
  if (set == sets.end()) {
    set = sets.insert(set, {nullptr, source.file, source.title, source.unit, {}});
  } else {
    set->title += ", " + source.title;
  }
  set->points.insert(set->points.end(), source.points.begin(), source.points.end());
}

/// Clear errors for what reference::models::fit() refuses, and for too few points.
void require_fit(Model model, const PointSet& set) {
  const auto refuse = [&](const std::string& found, const std::string& expected) {
    throw InputError(set.first, found, fmt::format("{} for {}", expected, models::name_of(model)));
  };
  const MeasuredPoint& first = set.points.front();
  std::map<double, std::set<double>> lengths;  // by nodes
  std::set<double> messages;
  for (const MeasuredPoint& p : set.points) {
    if (models::is_of_streams(model) && p.nodes != 2) {
      refuse(fmt::format("{} nodes", p.nodes), "2 nodes");
    }
    if (!models::is_of_streams(model) && p.messages != 1) {
      refuse(fmt::format("{} messages", p.messages), "1 message");
    }
    if (model == Model::kHockney && p.nodes != first.nodes) {
      refuse(fmt::format("{} and {} nodes", first.nodes, p.nodes), "one number of nodes");
    }
    lengths[p.nodes].insert(p.bytes);
    messages.insert(p.messages);
  }
  if (models::is_of_streams(model)) {
    if (set.points.size() < 2) refuse("one point", "at least two");
    return;
  }
  for (const auto& [nodes, of_nodes] : lengths) {
    if (of_nodes.size() > 1) continue;
    refuse(model == Model::kXuHwang ? fmt::format("one length of {} nodes", nodes) : "one length",
           "at least two lengths");
  }
}

}  // namespace

Model model_of(const std::string& name) {
  const auto found = std::ranges::find(kModelNames, name);
  if (found == kModelNames.end()) {
    throw InputError(
        "--fit", "\"" + name + "\"",
        "postal, logp, loggp, hockney, xu-hwang or ccl" + did_you_mean(name, kModelNames));
  }
  return static_cast<Model>(found - kModelNames.begin());
}

std::vector<ModelReport> fit_model(Model model, std::span<const std::string> results,
                                   std::span<const int> nodes) {
  std::vector<PointSet> sets;
  for (const TimeSource& source : read_sources(results, nodes)) add_source(model, source, sets);
  std::vector<ModelReport> reports;
  for (PointSet& set : sets) {
    require_fit(model, set);
    reports.push_back({set.title, set.unit, models::fit(model, set.points), {}, {}});
  }
  return reports;
}

}  // namespace annelid::studies
