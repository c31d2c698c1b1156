#include "studies/tau/tau.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "base/files.hpp"
#include "base/input_error.hpp"
#include "base/json.hpp"
#include "base/result_folder.hpp"
#include "studies/reproduce/markdown.hpp"
#include "studies/reproduce/plot.hpp"

namespace annelid::studies {
namespace {

namespace fs = std::filesystem;
namespace tau = reference::tau;

/// A line that is still read.
struct Runs {
  nlohmann::json configuration;  ///< without what may differ
  std::string first;             ///< file, for messages
  TauLine line;
};

/// Operation, algorithm, network and start-ups.
std::string title_of(const nlohmann::json& c) {
  const auto size = c.at("network").at("size").get<std::vector<int>>();
  const auto& collective = c.at("collective");
  return fmt::format("{} {} {}, alpha {}, gamma {}", collective.at("operation").get<std::string>(),
                     collective.at("algorithm").get<std::string>(), fmt::join(size, "x"),
                     c.at("nic").at("alpha").get<long>(), c.at("nic").at("gamma").get<long>());
}

void add_run(const std::string& name, std::vector<Runs>& all) {
  std::error_code error;
  const fs::path file =
      fs::is_directory(name, error) ? fs::path(name) / "result.json" : fs::path(name);
  try {
    const nlohmann::json result = parse_json(read_text(file), file.string());
    nlohmann::json configuration = result.at("configuration");
    const double bytes = configuration.at("collective").at("bytes").get<double>();
    const double cycles = result.at("cycles").get<double>();
    for (const char* key : {"bytes", "crc32", "seed", "payload", "root"}) {
      configuration.at("collective").erase(key);
    }
    configuration.erase("name");
    configuration.erase("limits");
    auto runs = std::ranges::find(all, configuration, &Runs::configuration);
    if (runs == all.end()) {
      TauLine line{title_of(configuration), {}, {}};
      runs = all.insert(runs, {configuration, file.string(), std::move(line)});
    }
    runs->line.samples.push_back({bytes, cycles});
  } catch (const nlohmann::json::exception&) {
    throw InputError(file.string(), "something else", "a result.json of annelid run");
  }
}

}  // namespace

std::vector<TauLine> fit_tau(std::span<const std::string> results) {
  std::vector<Runs> all;
  for (const std::string& name : results) add_run(name, all);
  std::vector<TauLine> lines;
  for (Runs& runs : all) {
    TauLine& line = lines.emplace_back(std::move(runs.line));
    try {
      line.fit = tau::fit(line.samples);
    } catch (const std::invalid_argument&) {
      throw InputError(runs.first, "no other length of \"" + line.title + "\"",
                       "runs of at least two lengths");
    }
  }
  return lines;
}

reproduction::Table tau_table(std::span<const TauLine> lines) {
  reproduction::Table table{
      {"algorithm", "runs", "T_s, cycles", "T_n, cycles/byte", "tau, 1/byte", "worst"}, {}};
  for (const TauLine& l : lines) {
    table.rows.push_back(
        {l.title, std::to_string(l.samples.size()), fmt::format("{:.6g}", l.fit.line.start),
         fmt::format("{:.5g}", l.fit.line.per_length), fmt::format("{:.4g}", l.fit.line.tau()),
         fmt::format("{:.2f} %", 100 * l.fit.worst)});
  }
  return table;
}

void write_tau(std::span<const TauLine> lines, const fs::path& folder) {
  const ResultFolder lock(folder, {"tau.csv"});
  write_file(folder / "tau.csv", csv(tau_table(lines)));
  reproduction::Plot plot{"tau-plot", "tau = T_n / T_s, 1/byte", "T_s, cycles", {}, true, true};
  for (const TauLine& l : lines) {
    plot.curves.push_back({l.title, {{l.fit.line.tau(), l.fit.line.start}}, false});
  }
  draw_plots({plot}, folder, "tau");
}

}  // namespace annelid::studies
