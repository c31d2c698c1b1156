#include "cli/tau_command.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/files.hpp"
#include "base/input_error.hpp"
#include "reference/tau_model.hpp"
#include "studies/reproduce/markdown.hpp"
#include "studies/reproduce/reproduce_plot.hpp"

namespace annelid::cli {
namespace {

namespace fs = std::filesystem;
namespace tau = reference::tau;
using nlohmann::json;

/// Runs of one configuration.
struct Line {
  json configuration;  ///< without what may differ
  std::string title;
  std::string first;  ///< file, for messages
  std::vector<tau::Sample> samples;
  tau::Fit fit;
};

/// Operation, algorithm, network and start-ups.
std::string title_of(const json& c) {
  const auto size = c.at("network").at("size").get<std::vector<int>>();
  const auto& collective = c.at("collective");
  return fmt::format("{} {} {}, alpha {}, gamma {}", collective.at("operation").get<std::string>(),
                     collective.at("algorithm").get<std::string>(), fmt::join(size, "x"),
                     c.at("nic").at("alpha").get<long>(), c.at("nic").at("gamma").get<long>());
}

void add_run(const std::string& name, std::vector<Line>& lines) {
  const fs::path file = fs::is_directory(name) ? fs::path(name) / "result.json" : fs::path(name);
  try {
    const json result = json::parse(read_text(file));
    json configuration = result.at("configuration");
    const double bytes = configuration.at("collective").at("bytes").get<double>();
    const double cycles = result.at("cycles").get<double>();
    for (const char* key : {"bytes", "crc32", "seed", "payload", "root"}) {
      configuration.at("collective").erase(key);
    }
    configuration.erase("name");
    configuration.erase("limits");
    auto line = std::ranges::find(lines, configuration, &Line::configuration);
    if (line == lines.end()) {
      line = lines.insert(line, {configuration, title_of(configuration), file.string(), {}, {}});
    }
    line->samples.push_back({bytes, cycles});
  } catch (const json::exception&) {
    throw InputError(file.string(), "something else", "a result.json of annelid run");
  }
}

void fit(std::vector<Line>& lines) {
  for (Line& line : lines) {
    try {
      line.fit = tau::fit(line.samples);
    } catch (const std::invalid_argument&) {
      throw InputError(line.first, "no other length of \"" + line.title + "\"",
                       "runs of at least two lengths");
    }
  }
}

std::string region_name(tau::Region region) {
  constexpr std::array kNames = {"A: faster at every length", "B: slower at every length",
                                 "C: for long messages", "D: for short messages",
                                 "on an axis of its plot"};
  return kNames[static_cast<std::size_t>(region)];
}

reproduction::Table table_of(const std::vector<Line>& lines) {
  reproduction::Table table{
      {"algorithm", "runs", "T_s, cycles", "T_n, cycles/byte", "tau, 1/byte", "worst"}, {}};
  for (const Line& l : lines) {
    table.rows.push_back(
        {l.title, std::to_string(l.samples.size()), fmt::format("{:.6g}", l.fit.line.start),
         fmt::format("{:.5g}", l.fit.line.per_length), fmt::format("{:.4g}", l.fit.line.tau()),
         fmt::format("{:.2f} %", 100 * l.fit.worst)});
  }
  return table;
}

void print(const std::vector<Line>& lines, const reproduction::Table& table) {
  std::size_t width = table.columns[0].size();
  for (const Line& l : lines) width = std::max(width, l.title.size());
  const auto row = [&](const std::vector<std::string>& c) {
    fmt::print("{:<{}}  {:>4}  {:>12}  {:>16}  {:>12}  {:>8}\n", c[0], width, c[1], c[2], c[3],
               c[4], c[5]);
  };
  row(table.columns);
  for (const auto& r : table.rows) row(r);
  for (std::size_t a = 0; a < lines.size(); ++a) {
    for (std::size_t b = a + 1; b < lines.size(); ++b) {
      const auto length = tau::crossover_length(lines[a].fit.line, lines[b].fit.line);
      fmt::print("\n{}\n  seen from {}: region {}{}\n", lines[b].title, lines[a].title,
                 region_name(tau::region(lines[b].fit.line, lines[a].fit.line)),
                 length ? fmt::format("; L* = {:.1f} bytes", *length) : "");
    }
  }
}

}  // namespace

int run_tau(const TauArguments& arguments) {
  std::vector<Line> lines;
  for (const std::string& name : arguments.results) add_run(name, lines);
  fit(lines);
  const reproduction::Table table = table_of(lines);
  print(lines, table);
  if (arguments.out.empty()) return 0;

  const fs::path out = arguments.out;
  prepare_folder(out, {"tau.csv"});
  write_file(out / "tau.csv", csv(table));
  reproduction::Plot plot{"tau-plot", "tau = T_n / T_s, 1/byte", "T_s, cycles", {}, true, true};
  for (const Line& l : lines) {
    plot.curves.push_back({l.title, {{l.fit.line.tau(), l.fit.line.start}}, false});
  }
  studies::draw_plots({plot}, out, "tau");
  return 0;
}

}  // namespace annelid::cli
