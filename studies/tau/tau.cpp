#include "studies/tau/tau.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <stdexcept>

#include "base/files.hpp"
#include "base/input_error.hpp"
#include "base/json.hpp"
#include "base/result_folder.hpp"
#include "studies/reproduce/markdown.hpp"
#include "studies/reproduce/plot.hpp"
#include "studies/tau/sources.hpp"

namespace annelid::studies {
namespace {

namespace fs = std::filesystem;
namespace tau = reference::tau;
using reference::Growth;
using MeasuredPoint = reference::models::Point;

/// A line that is still read.
struct Runs {
  nlohmann::json configuration;  ///< without what may differ; null for a file of times
  std::string first;             ///< file, for messages
  TauLine line;
};

void add_run(const TimeSource& source, std::vector<Runs>& all) {
  const RunTimes& run = *source.run;
  auto runs = std::ranges::find(all, run.configuration, &Runs::configuration);
  if (runs == all.end()) {
    const nlohmann::json family = without_nodes(run.configuration);
    TauLine line{title_of(run.configuration), {}, {}, "cycles", run.nodes};
    line.family = json_text(family);
    line.family_title = title_of(run.configuration, false);
    runs = all.insert(runs, {run.configuration, source.file, std::move(line)});
  }
  runs->line.samples.push_back({run.bytes, run.cycles});
}

/// A line for each number of nodes and messages. If --nodes gave them, the files are one family.
void add_points(const TimeSource& source, bool nodes_given, std::vector<Runs>& all) {
  std::map<std::pair<double, double>, std::size_t> lines;
  for (const MeasuredPoint& p : source.points) {
    const auto [at, is_new] = lines.try_emplace({p.nodes, p.messages}, all.size());
    if (is_new) {
      TauLine line{source.title, {}, {}, source.unit};
      const std::string messages = p.messages == 1 ? "" : fmt::format(", {} messages", p.messages);
      if (source.has_nodes) {
        line.nodes = p.nodes;
        line.family_title = (nodes_given ? "the files of times" : source.title) + messages;
        line.family = line.family_title;
        line.title += fmt::format(", {} nodes", p.nodes);
      }
      line.title += messages;
      all.push_back({nullptr, source.file, std::move(line)});
    }
    all[at->second].line.samples.push_back({p.bytes, p.time});
  }
}

/// "T_s, cycles": a name with its unit, if that is known.
std::string with_unit(std::string_view name, std::string_view unit) {
  return unit.empty() ? std::string(name) : fmt::format("{}, {}", name, unit);
}

std::string unit_of(std::span<const TauLine> lines) {
  for (const TauLine& l : lines) {
    if (!l.unit.empty()) return l.unit;
  }
  return {};
}

std::string per(const reference::LengthFunction& f) { return f.is_length() ? "byte" : "f"; }

std::string term_text(const Growth& g) {
  if (g.order == reference::Order::kConstant) return fmt::format("{:.5g}", g.start);
  return fmt::format("{:.5g} {} {:.5g} {}", g.start, g.slope < 0 ? "-" : "+", std::abs(g.slope),
                     name_of(g.order));
}

}  // namespace

std::vector<TauLine> fit_tau(std::span<const std::string> results, const TauOptions& options) {
  std::vector<Runs> all;
  for (const TimeSource& source : read_sources(results, options.nodes)) {
    if (source.run) {
      add_run(source, all);
    } else {
      add_points(source, !options.nodes.empty(), all);
    }
  }
  std::vector<TauLine> lines;
  for (Runs& runs : all) {
    TauLine& line = lines.emplace_back(std::move(runs.line));
    try {
      line.fit = tau::fit(line.samples, options.f);
    } catch (const std::invalid_argument&) {
      if (!runs.configuration.is_null()) {
        throw InputError(runs.first, "no other length of \"" + line.title + "\"",
                         "runs of at least two lengths");
      }
      throw InputError(runs.first,
                       fmt::format("{} of \"{}\"",
                                   line.samples.size() == 1 ? "only one length"
                                                            : "only lengths of the same f(L)",
                                   line.title),
                       "at least two lengths");
    }
  }
  return lines;
}

std::vector<TauFamily> tau_families(std::span<const TauLine> lines) {
  std::vector<TauFamily> families;
  std::set<std::string> seen;
  for (std::size_t first = 0; first < lines.size(); ++first) {
    const std::string& name = lines[first].family;
    if (name.empty() || !seen.insert(name).second) continue;
    TauFamily family{lines[first].family_title, {}, {}, {}};
    for (std::size_t i = first; i < lines.size(); ++i) {
      if (lines[i].family == name) family.lines.push_back(i);
    }
    std::ranges::stable_sort(family.lines, {}, [&](std::size_t i) { return lines[i].nodes; });
    std::vector<reference::NodeValue> start, per_length;
    for (const std::size_t i : family.lines) {
      start.push_back({lines[i].nodes, lines[i].fit.line.start});
      per_length.push_back({lines[i].nodes, lines[i].fit.line.per_length});
    }
    try {
      family.start = reference::fit_growth(start);
      family.per_length = reference::fit_growth(per_length);
    } catch (const std::invalid_argument&) {
      continue;  // too few numbers of nodes: no family
    }
    families.push_back(std::move(family));
  }
  return families;
}

reproduction::Table tau_table(std::span<const TauLine> lines, const reference::LengthFunction& f) {
  const std::string unit = unit_of(lines);
  reproduction::Table table{
      {"algorithm", "runs", with_unit("T_s", unit),
       with_unit("T_n", unit.empty() ? "" : unit + "/" + per(f)), "tau, 1/" + per(f), "worst"},
      {}};
  for (const TauLine& l : lines) {
    table.rows.push_back(
        {l.title, std::to_string(l.samples.size()), fmt::format("{:.6g}", l.fit.line.start),
         fmt::format("{:.5g}", l.fit.line.per_length), fmt::format("{:.4g}", l.fit.line.tau()),
         fmt::format("{:.2f} %", 100 * l.fit.worst)});
  }
  return table;
}

std::string growth_text(const reference::GrowthFit& growth) {
  std::string text = fmt::format("{}; largest deviation {:.2f} %", term_text(growth.best),
                                 100 * growth.best.worst);
  if (!growth.told_apart) {
    text += fmt::format(". These numbers of nodes do not tell it from {}; {:.2f} %",
                        term_text(growth.second), 100 * growth.second.worst);
  }
  return text;
}

void write_tau(std::span<const TauLine> lines, const fs::path& folder,
               const reference::LengthFunction& f) {
  const ResultFolder lock(folder, {"tau.csv"});
  write_file(folder / "tau.csv", csv(tau_table(lines, f)));
  reproduction::Plot plot{
      "tau-plot", "tau = T_n / T_s, 1/" + per(f), with_unit("T_s", unit_of(lines)), {}, true, true};
  for (const TauLine& l : lines) {
    plot.curves.push_back({l.title, {{l.fit.line.tau(), l.fit.line.start}}, false});
  }
  draw_plots({plot}, folder, "tau");
}

}  // namespace annelid::studies
