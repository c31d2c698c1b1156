#include "studies/sweep/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <set>

#include "base/parse_number.hpp"
#include "simulation/results/traffic_json.hpp"
#include "simulation/results/traffic_result.hpp"
#include "studies/common/stored_configuration.hpp"

namespace annelid::studies {
namespace {

constexpr std::array kResults = {"state",           "offered",     "accepted",    "least",
                                 "saturated_by",    "repeat",      "total_mean",  "total_median",
                                 "total_p95",       "total_p99",   "total_max",   "network_mean",
                                 "network_median",  "network_p95", "network_p99", "network_max",
                                 "zero_load",       "ideal",       "hops",        "packets",
                                 "packets_ejected", "cycles"};
constexpr std::array kCosts = {"area_um2", "period_ns", "total_mean_ns", "zero_load_ns"};
constexpr const char* kSaturated = "saturated";
constexpr const char* kDeadlock = "deadlock";
constexpr const char* kEmpty = "empty";

/// A number, or nothing for null.
std::string cell(const nlohmann::json& value) { return value.is_null() ? "" : value.dump(); }

/// One window is no proof (Repeat).
const char* state_of(const nlohmann::json& result, const Repeat& repeat) {
  if (result["saturated"] == true && !repeat.refutes()) return kSaturated;
  return result["packets_ejected"] == 0 ? kEmpty : "ok";
}

}  // namespace

SweepTable::SweepTable(const SweepGrid& grid, std::filesystem::path file)
    : grid_(grid),
      file_(std::move(file)),
      rows_(grid.points.size()),
      kept_(rows_.size()),
      costs_(rows_.size()) {
  for (const SweepPoint& point : grid.points) {
    configurations_.push_back(stored_configuration(simulation::configuration_json(point.scenario)));
    curves_.push_back(grid.curve(point));
  }
}

void SweepTable::resume() {
  file_.read();
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    auto found = file_.find(configurations_[i]);
    if (!found) continue;
    SweepRow row;
    for (const char* column : kResults) {
      const std::string* const text = find_column(*found, column);
      if (text != nullptr) row.push_back(*text);
    }
    if (row.size() != kResults.size()) continue;
    rows_[i] = std::move(row);
    kept_[i] = std::move(*found);
  }
}

bool SweepTable::saturated(std::size_t point) const {
  return rows_[point] &&
         (rows_[point]->front() == kSaturated || rows_[point]->front() == kDeadlock);
}

bool SweepTable::empty(std::size_t point) const {
  return rows_[point] && rows_[point]->front() == kEmpty;
}

const std::string& SweepTable::text(std::size_t point, const char* column) const {
  const auto place = std::ranges::find(kResults, std::string_view(column)) - kResults.begin();
  return (*rows_[point])[static_cast<std::size_t>(place)];
}

bool SweepTable::false_alarm(std::size_t point) const {
  return rows_[point] && text(point, "repeat") == Repeat::kNone;
}

double SweepTable::load(std::size_t point) const {
  return grid_.points[point].scenario.synthetic.injection.load;
}

bool SweepTable::beyond_saturation(std::size_t point) const {
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    if (saturated(i) && load(i) < load(point) && curves_[i] == curves_[point]) return true;
  }
  return false;
}

std::optional<double> SweepTable::number(std::size_t point, const char* column) const {
  if (!rows_[point]) return std::nullopt;
  return parse_number<double>(text(point, column));
}

void SweepTable::add_cost_columns(std::size_t point, Columns& columns) const {
  const auto kept = [&](const char* column) {
    const std::string* const text = find_column(kept_[point], column);
    return text == nullptr ? "" : *text;
  };
  if (!costs_[point]) {
    for (const char* column : kCosts) columns.emplace_back(column, kept(column));
    return;
  }
  const double period = costs_[point]->period_ns;
  const auto in_ns = [&](const char* column) {
    const auto cycles = number(point, column);
    return cycles ? fmt::format("{:.3f}", *cycles * period) : "";
  };
  const std::array<std::string, kCosts.size()> texts = {
      fmt::format("{:.0f}", costs_[point]->area_um2), fmt::format("{:.3f}", period),
      in_ns("total_mean"), in_ns("zero_load")};
  for (std::size_t i = 0; i < kCosts.size(); ++i) columns.emplace_back(kCosts[i], texts[i]);
}

Columns SweepTable::columns_of(std::size_t point) const {
  const Configuration& configuration = configurations_[point];
  Columns columns;
  for (std::size_t k = 0; k < grid_.keys.size(); ++k) {  // those that have no effect here too
    const std::string& key = grid_.keys[k].key;
    if (find_column(configuration.columns, key) == nullptr) {
      columns.emplace_back(key, grid_.points[point].values[k]);
    }
  }
  for (std::size_t i = 0; i < kResults.size(); ++i) {
    columns.emplace_back(kResults[i], (*rows_[point])[i]);
  }
  add_cost_columns(point, columns);
  return studies::row_of(configuration, columns);  // not that of a run
}

void SweepTable::write() const {
  std::vector<Columns> rows;
  std::set<std::string> own;  // also of points that have no row
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    own.insert(configurations_[i].hash);
    if (!rows_[i] || (grid_.stop_when_saturated && beyond_saturation(i))) continue;
    rows.push_back(columns_of(i));
  }
  const auto has_cost = [](const Columns& row) {
    return !find_column(row, kCosts.front())->empty();
  };
  if (std::ranges::none_of(rows, has_cost)) {
    const auto is_cost = [](const auto& column) {
      return std::ranges::find(kCosts, column.first) != kCosts.end();
    };
    for (Columns& row : rows) std::erase_if(row, is_cost);
  }
  std::vector<std::string> front;
  for (const SweptKey& k : grid_.keys) front.push_back(k.key);
  front.insert(front.end(), kResults.begin(), kResults.end());
  file_.write(front, rows, own);
}

SweepRow SweepTable::row_of(const std::string& result_json, const Repeat& repeat) {
  const auto json = nlohmann::json::parse(result_json);
  const auto& throughput = json["throughput"];
  const auto& latency = json["latency"];
  SweepRow row = {state_of(json, repeat),
                  throughput["offered"].dump(),
                  throughput["accepted"].dump(),
                  throughput["least"].dump(),
                  json["saturation"]["by"].get<std::string>(),
                  repeat.text()};
  for (const char* which : {"total", "network"}) {
    for (const char* column : {"mean", "median", "p95", "p99", "max"}) {
      row.push_back(cell(latency[which][column]));
    }
  }
  for (const auto& value : {latency["zero_load"], throughput["ideal"], json["hops"]["mean"],
                            json["packets"], json["packets_ejected"], json["cycles"]}) {
    row.push_back(cell(value));
  }
  return row;
}

SweepRow SweepTable::deadlock_row() {
  SweepRow row(kResults.size());
  row.front() = kDeadlock;
  return row;
}

}  // namespace annelid::studies
