#include "studies/sweep/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <nlohmann/json.hpp>

#include "base/csv.hpp"
#include "base/files.hpp"
#include "base/fnv1a.hpp"
#include "simulation/results/traffic_result.hpp"

namespace annelid::studies {
namespace {

constexpr std::array kResults = {
    "state",        "offered",         "accepted",    "least",     "saturated_by", "total_mean",
    "total_median", "total_p95",       "total_p99",   "total_max", "network_mean", "network_median",
    "network_p95",  "network_p99",     "network_max", "zero_load", "ideal",        "hops",
    "packets",      "packets_ejected", "cycles"};
constexpr std::array kCosts = {"area_um2", "period_ns", "total_mean_ns", "zero_load_ns"};
constexpr const char* kSaturated = "saturated";
constexpr const char* kDeadlock = "deadlock";

}  // namespace

SweepTable::SweepTable(const SweepGrid& grid, std::filesystem::path file)
    : grid_(grid), file_(std::move(file)), rows_(grid.points.size()), costs_(rows_.size()) {
  for (const SweepPoint& point : grid.points) {
    hashes_.push_back(fmt::format("{:016x}", fnv1a(configuration_text(point.scenario))));
    curves_.push_back(grid.curve(point));
  }
}

void SweepTable::resume() {
  const auto lines = read_csv(file_);
  if (lines.empty()) return;
  const auto& header = lines.front();
  const auto results = std::search(header.begin(), header.end(), kResults.begin(), kResults.end());
  if (results == header.end()) return;
  const auto first = results - header.begin();
  const auto last = first + static_cast<std::ptrdiff_t>(kResults.size());
  std::map<std::string, SweepRow> found;
  for (const auto& fields : lines) {
    if (fields.size() != header.size()) continue;
    found[fields.front()] = {fields.begin() + first, fields.begin() + last};
  }
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const auto row = found.find(hashes_[i]);
    if (row != found.end()) rows_[i] = row->second;
  }
}

bool SweepTable::saturated(std::size_t point) const {
  return rows_[point] &&
         (rows_[point]->front() == kSaturated || rows_[point]->front() == kDeadlock);
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

std::optional<double> SweepTable::number(std::size_t point, const std::string& column) const {
  if (!rows_[point]) return std::nullopt;
  const auto place = std::ranges::find(kResults, column) - kResults.begin();
  const std::string& text = (*rows_[point])[static_cast<std::size_t>(place)];
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::string SweepTable::cost_fields(std::size_t point) const {
  if (!costs_[point]) return std::string(kCosts.size(), ',');
  const double period = costs_[point]->period_ns;
  const auto in_ns = [&](const char* column) {
    const auto cycles = number(point, column);
    return cycles ? fmt::format(",{:.3f}", *cycles * period) : ",";
  };
  return fmt::format(",{:.0f},{:.3f}", costs_[point]->area_um2, period) + in_ns("total_mean") +
         in_ns("zero_load");
}

void SweepTable::write() const {
  const bool costs = std::ranges::any_of(costs_, [](const auto& c) { return c.has_value(); });
  std::string text = "configuration";
  for (const SweptKey& k : grid_.keys) text += "," + k.key;
  for (const char* column : kResults) text += std::string(",") + column;
  for (const char* column : kCosts) text += costs ? std::string(",") + column : "";
  text += "\n";
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    if (!rows_[i] || (grid_.stop_when_saturated && beyond_saturation(i))) continue;
    text += hashes_[i];
    for (const std::string& value : grid_.points[i].values) text += "," + csv_field(value);
    for (const std::string& result : *rows_[i]) text += "," + result;
    if (costs) text += cost_fields(i);
    text += "\n";
  }
  write_file(file_, text);
}

SweepRow SweepTable::row_of(const std::string& result_json) {
  const auto json = nlohmann::json::parse(result_json);
  const auto& throughput = json["throughput"];
  const auto& latency = json["latency"];
  SweepRow row = {json["saturated"] ? kSaturated : "ok", throughput["offered"].dump(),
                  throughput["accepted"].dump(), throughput["least"].dump(),
                  json["saturation"]["by"].get<std::string>()};
  for (const char* which : {"total", "network"}) {
    for (const char* column : {"mean", "median", "p95", "p99", "max"}) {
      row.push_back(latency[which][column].dump());
    }
  }
  for (const auto& value : {latency["zero_load"], throughput["ideal"], json["hops"]["mean"],
                            json["packets"], json["packets_ejected"], json["cycles"]}) {
    row.push_back(value.dump());
  }
  return row;
}

SweepRow SweepTable::deadlock_row() {
  SweepRow row(kResults.size());
  row.front() = kDeadlock;
  return row;
}

}  // namespace annelid::studies
