#include "studies/tune/measurements.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <vector>

#include "base/parse_number.hpp"
#include "simulation/scenario/network_keys.hpp"

namespace annelid::studies {
namespace {

constexpr const char *kCycles = "cycles", *kControl = "control_wait_flit_cycles";

std::optional<std::uint64_t> number_in(const Columns& row, const char* column) {
  const std::string* const text = find_column(row, column);
  if (text == nullptr) return std::nullopt;
  return parse_number<std::uint64_t>(*text);
}

}  // namespace

std::optional<TuneMeasurement> TuneMeasurements::find(const TunePoint& point) const {
  const auto measured = measured_.find(point.configuration.hash);
  if (measured != measured_.end()) return measured->second;
  const auto row = file_.find(point.configuration);
  if (!row) return std::nullopt;
  const auto cycles = number_in(*row, kCycles), control = number_in(*row, kControl);
  if (!cycles || *cycles == 0 || !control) return std::nullopt;
  return TuneMeasurement{*cycles, *control};
}

void TuneMeasurements::write() const {
  std::vector<const TunePoint*> points;
  for (const TunePoint& point : grid_.points) {
    if (find(point)) points.push_back(&point);
  }
  std::ranges::stable_sort(points, {}, [](const TunePoint* p) {
    return std::tuple(p->in_case, p->curve, p->bytes, p->calls);
  });
  std::vector<Columns> rows;
  for (const TunePoint* point : points) {
    const simulation::Collective& c = point->scenario.call().collective;
    const TuneMeasurement measured = *find(*point);
    Columns row = {
        {"operation", std::string(name_of(c.operation()))},
        {"network", simulation::describe_network(point->scenario.network)},
        {"processes", std::to_string(grid_.cases[point->in_case].processes)},
        {"algorithm", std::string(c.algorithm->name)},
        {"embedding", c.algorithm->by_rank ? std::string(name_of(c.ranks.embedding)) : ""},
        {"bytes", std::to_string(c.bytes)},
        {kCycles, std::to_string(measured.cycles)},
        {"bytes_per_cycle", fmt::format("{:.4f}", static_cast<double>(c.bytes) /
                                                      static_cast<double>(measured.cycles))},
        {kControl, std::to_string(measured.control)},
        {"calls", std::string(name_of(point->calls))}};
    if (const auto& candidate = point->candidate) {
      row.emplace_back("model_place", std::to_string(candidate->place));
      row.emplace_back("model_cycles", fmt::format("{:.0f}", candidate->model));
    }
    rows.push_back(row_of(point->configuration, row));
  }
  file_.write({}, rows);
}

}  // namespace annelid::studies
