// The result of a tuning: the fastest algorithm for each size, and the tables that `auto` uses.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "simulation/scenario/tuned_tables.hpp"
#include "studies/tune/fastest.hpp"
#include "studies/tune/measurements.hpp"

namespace annelid::studies {

/// An algorithm's results over the sizes of its case.
struct TuneCurve {
  const reference::Algorithm* algorithm = nullptr;
  std::string name;                  ///< of the algorithm, with its radix in a tuning of radices
  reference::Embedding embedding{};  ///< of an algorithm by rank
  bool ordered =
      false;  ///< keeps the order of the operands, even if the root is neither first nor last
  std::vector<std::uint64_t> cycles;
  std::vector<std::uint64_t> control;  ///< flit-cycles in which messages waited for control packets
  std::map<CallKind, std::vector<std::uint64_t>> columns;  ///< cycles of the kinds that are shown
};

/// The result of one case, with all points measured.
struct TuneResult {
  const TuneCase* of = nullptr;
  CallKind calls{};                  ///< by which the fastest was found
  std::vector<CallKind> columns;     ///< kinds that are shown beside it, in their order
  std::vector<std::uint64_t> bytes;  ///< ascending
  std::vector<TuneCurve> curves;     ///< in the order of the case's algorithms
  std::vector<FastestFrom> fastest;  ///< among all curves

  /// Returns the indices of the curves by ascending cycles at one size. Equal curves keep their
  /// order.
  [[nodiscard]] std::vector<std::size_t> ranking(std::size_t size) const;
  /// Returns the bytes of a process's block per cycle.
  [[nodiscard]] double bandwidth(std::size_t curve, std::size_t size) const;
};

[[nodiscard]] TuneResult result_of(const TuneGrid& grid, const TuneMeasurements& table,
                                   std::size_t in_case);

/// Returns tables of the fastest among all algorithms, among those by rank, and, for reductions and
/// scans, among those that keep the order. Equal tables become one. If the measured operator does
/// not commute, only the last table is known.
[[nodiscard]] std::vector<simulation::TunedTable> tables_of(const TuneResult& result);

/// Returns tuned.inc, the tables that the firmware includes, for a tuning of this name.
[[nodiscard]] std::string tuned_header(const std::vector<TuneResult>& results,
                                       const std::string& name);

/// Returns tune.json: networks, measurements, fastest, crossovers, tables.
[[nodiscard]] std::string tune_json(const TuneGrid& grid, const std::vector<TuneResult>& results);

/// Writes NAME.svg and NAME.png of each case into a folder, and the gnuplot script with the data
/// that made them, NAME.gp: bandwidth over message size, a curve for each algorithm. Throws
/// RunFailure if gnuplot is missing or fails.
void plot_tuning(const TuneResult& result, const std::filesystem::path& folder);

}  // namespace annelid::studies
