#include "studies/tune/result.hpp"

#include <algorithm>
#include <numeric>

#include "studies/tune/radices.hpp"

namespace annelid::studies {
namespace {

/// Whether the operands stay in order when the root is neither the first nor the last rank.
bool keeps_any_order(const simulation::Collective& call) {
  const reference::Algorithm& a = *call.algorithm;
  if (a.keeps_order == nullptr) return false;
  simulation::Collective from_within = call;
  const auto members = reference::members(call.network, call.ranks);
  if (call.has_root()) from_within.root = members[members.size() / 2];
  return a.keeps_order(from_within.request());
}

/// The curves that count for a table.
std::vector<std::size_t> curves_among(const TuneResult& r, simulation::TunedAmong among) {
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < r.curves.size(); ++i) {
    const TuneCurve& curve = r.curves[i];
    const bool counts = among == simulation::TunedAmong::kAll      ? r.of->takes_all()
                        : among == simulation::TunedAmong::kRanked ? curve.algorithm->by_rank
                                                                   : curve.ordered;
    if (counts) places.push_back(i);
  }
  return places;
}

simulation::TunedTable table_among(const TuneResult& r, const std::vector<std::size_t>& places) {
  simulation::TunedTable table;
  table.operation = r.of->operation;
  table.prepared = r.calls == CallKind::kPrepared;
  table.rings = r.of->network.router.has_rings();
  table.one_port = r.of->network.router.one_port();
  table.processes = r.of->processes;
  std::vector<std::vector<std::uint64_t>> cycles;
  cycles.reserve(places.size());
  for (const std::size_t place : places) cycles.push_back(r.curves[place].cycles);
  for (const FastestFrom& f : fastest(r.bytes, cycles)) {
    const TuneCurve& curve = r.curves[places[f.curve]];
    table.choices.push_back({f.from, curve.algorithm, curve.embedding});
  }
  return table;
}

}  // namespace

std::vector<std::size_t> TuneResult::ranking(std::size_t size) const {
  std::vector<std::size_t> places(curves.size());
  std::iota(places.begin(), places.end(), 0);
  std::ranges::stable_sort(places, {}, [&](std::size_t i) { return curves[i].cycles[size]; });
  return places;
}

double TuneResult::bandwidth(std::size_t curve, std::size_t size) const {
  return static_cast<double>(bytes[size]) / static_cast<double>(curves[curve].cycles[size]);
}

TuneResult result_of(const TuneGrid& grid, const TuneMeasurements& table, std::size_t in_case) {
  TuneResult r;
  r.of = &grid.cases[in_case];
  r.calls = grid.calls;
  r.columns = grid.columns;
  using OfSizes = std::map<std::uint64_t, TuneMeasurement>;
  std::vector<std::map<CallKind, OfSizes>> results(r.of->algorithms.size());
  for (const TunePoint& point : grid.points) {
    if (point.in_case != in_case) continue;
    results[point.curve][point.calls][point.bytes] = table.find(point).value();
  }
  for (const auto& [bytes, first] : results.front()[r.calls]) r.bytes.push_back(bytes);
  std::vector<std::vector<std::uint64_t>> numbers;
  for (std::size_t i = 0; i < results.size(); ++i) {
    const simulation::Collective& call = r.of->algorithms[i].call().collective;
    TuneCurve curve{call.algorithm,
                    name_with_radices(call),
                    call.ranks.embedding,
                    keeps_any_order(call),
                    {},
                    {},
                    {}};
    for (const auto& [bytes, measured] : results[i][r.calls]) {
      curve.cycles.push_back(measured.cycles);
      curve.control.push_back(measured.control);
    }
    for (const CallKind kind : r.columns) {
      for (const auto& [bytes, measured] : results[i][kind]) {
        curve.columns[kind].push_back(measured.cycles);
      }
    }
    numbers.push_back(curve.cycles);
    r.curves.push_back(std::move(curve));
  }
  r.fastest = fastest(r.bytes, numbers);
  return r;
}

std::vector<simulation::TunedTable> tables_of(const TuneResult& r) {
  const simulation::Collective& call = r.of->algorithms.front().call().collective;
  const bool in_order = call.reduces() && !reference::commutes(call.op);
  std::vector<simulation::TunedTable> tables;
  for (const simulation::TunedAmong among :
       {simulation::TunedAmong::kAll, simulation::TunedAmong::kRanked,
        simulation::TunedAmong::kOrdered}) {
    if (in_order && among != simulation::TunedAmong::kOrdered) continue;
    if (among == simulation::TunedAmong::kOrdered && !call.reduces()) continue;
    const std::vector<std::size_t> places = curves_among(r, among);
    if (places.empty()) continue;
    const simulation::TunedTable table = table_among(r, places);
    const auto same = std::ranges::find(tables, table.choices, &simulation::TunedTable::choices);
    (same != tables.end() ? *same : tables.emplace_back(table)).among.push_back(among);
  }
  return tables;
}

}  // namespace annelid::studies
