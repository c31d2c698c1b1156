#include "studies/tune/measurements.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <set>
#include <tuple>
#include <vector>

#include "simulation/scenario/network_keys.hpp"

namespace annelid::studies {
namespace {

constexpr const char* kCycles = "cycles";

}  // namespace

std::optional<std::uint64_t> TuneMeasurements::cycles(const TunePoint& point) const {
  const auto measured = cycles_.find(point.configuration.hash);
  if (measured != cycles_.end()) return measured->second;
  const auto row = file_.find(point.configuration);
  if (!row) return std::nullopt;
  const auto at = std::ranges::find(*row, kCycles, &Columns::value_type::first);
  if (at == row->end()) return std::nullopt;
  const std::string& text = at->second;
  std::uint64_t cycles = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), cycles);
  if (error != std::errc{} || end != text.data() + text.size() || cycles == 0) return std::nullopt;
  return cycles;
}

void TuneMeasurements::write() const {
  std::vector<const TunePoint*> points;
  for (const TunePoint& point : grid_.points) {
    if (cycles(point)) points.push_back(&point);
  }
  std::ranges::stable_sort(
      points, {}, [](const TunePoint* p) { return std::tuple(p->in_case, p->curve, p->bytes); });
  std::vector<Columns> rows;
  std::set<std::string> own;
  for (const TunePoint* point : points) {
    const simulation::Collective& c = point->scenario.collective;
    const std::uint64_t measured = *cycles(*point);
    Columns& row = rows.emplace_back(Columns{
        {"configuration", point->configuration.hash},
        {"operation", std::string(name_of(c.operation()))},
        {"network", simulation::describe_network(point->scenario.network)},
        {"processes", std::to_string(grid_.cases[point->in_case].processes)},
        {"algorithm", std::string(c.algorithm->name)},
        {"embedding", c.algorithm->by_rank ? std::string(name_of(c.ranks.embedding)) : ""},
        {"bytes", std::to_string(c.bytes)},
        {kCycles, std::to_string(measured)},
        {"bytes_per_cycle",
         fmt::format("{:.4f}", static_cast<double>(c.bytes) / static_cast<double>(measured))}});
    const Columns& rest = point->configuration.columns;
    row.insert(row.end(), rest.begin(), rest.end());
    own.insert(point->configuration.hash);
  }
  file_.write({}, rows, own);
}

}  // namespace annelid::studies
