// The result of a tuning: the fastest algorithm for each size, and the tables that `auto` uses.
#pragma once

#include <string>
#include <vector>

#include "simulation/scenario/tuned_tables.hpp"
#include "studies/tune/fastest.hpp"
#include "studies/tune/measurements.hpp"

namespace annelid::studies {

/// An algorithm's cycles over the sizes of its case.
struct TuneCurve {
  const reference::Algorithm* algorithm = nullptr;
  reference::Embedding embedding{};  ///< of an algorithm by rank
  bool ordered = false;  ///< keeps the order of the operands, also if the root is not first or last
  std::vector<std::uint64_t> cycles;
};

/// Of one case, all of whose points have been measured.
struct TuneResult {
  const TuneCase* of = nullptr;
  std::vector<std::uint64_t> bytes;  ///< ascending
  std::vector<TuneCurve> curves;     ///< in the order of the case's algorithms
  std::vector<FastestFrom> fastest;  ///< among all curves

  /// The places of the curves by ascending cycles of a size; of equal ones the first before.
  [[nodiscard]] std::vector<std::size_t> ranking(std::size_t size) const;
  /// Bytes of a process's block per cycle.
  [[nodiscard]] double bandwidth(std::size_t curve, std::size_t size) const;
};

[[nodiscard]] TuneResult result_of(const TuneGrid& grid, const TuneMeasurements& table,
                                   std::size_t in_case);

/// The fastest among all algorithms, among those by rank, and, of reductions and scans, among those
/// that keep the order; one table where several are the same. Where the operator that was measured
/// does not commute, only the last is known.
[[nodiscard]] std::vector<simulation::TunedTable> tables_of(const TuneResult& result);

/// tuned.inc: the tables as the firmware includes them, of a tuning of this name.
[[nodiscard]] std::string tuned_header(const std::vector<TuneResult>& results,
                                       const std::string& name);

/// tune.json: networks, measurements, fastest, crossovers, tables.
[[nodiscard]] std::string tune_json(const TuneGrid& grid, const std::vector<TuneResult>& results);

/// Writes NAME.svg and NAME.png of each case into a folder, and the gnuplot script with the data
/// that made them, NAME.gp: bandwidth over message size, a curve for each algorithm. Throws
/// RunFailure if gnuplot is missing or fails.
void plot_tuning(const TuneResult& result, const std::filesystem::path& folder);

}  // namespace annelid::studies
