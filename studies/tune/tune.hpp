// Finds the fastest algorithm of an operation, over message sizes and node counts.
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "base/progress.hpp"
#include "studies/shard/shard.hpp"
#include "studies/tune/hybrids.hpp"
#include "studies/tune/result.hpp"

namespace annelid::studies {

struct TuneOptions {
  std::filesystem::path folder;  ///< of all files; made if it is not there
  int processes = 0;             ///< runs to simulate at the same time; 0: one per core
  bool plots = true;
  /// Measures these runs of the grid alone, without further sizes, and writes their rows alone.
  std::optional<Shard> shard = {};
};

struct TuneReport {
  std::size_t runs = 0;                ///< of the grid, or of the shard
  std::size_t simulated = 0;           ///< of these; the other points were known
  std::vector<TuneResult> results;     ///< by case; none of a tuning of hybrids
  std::vector<HybridResult> hybrids;   ///< of a tuning of hybrids, by case
  std::filesystem::path rows;          ///< tune.csv
  std::filesystem::path json, header;  ///< tune.json and tuned.inc, which a tuning with counts
                                       ///< or of radices does not have
  std::filesystem::path first_plot;    ///< of the first case, .svg; empty: nothing was drawn
};

/// Simulates and checks the runs that have no row in the folder's tune.csv yet, each in a copy of
/// this process. Then it adds sizes to the grid where the fastest changes, and writes the results.
/// The report refers to the grid's cases, so the grid must outlive it. Throws InputError for a
/// folder that cannot be written to and for firmware that is no RV32 program, RunFailure for a run
/// that failed (with the command that repeats it), and Interrupted if a signal asks the program to
/// end. After an interruption, tune.csv holds all finished runs, and the next tuning continues from
/// there. Calls `progress` from this thread.
[[nodiscard]] TuneReport run_tune(TuneGrid& grid, const TuneOptions& options, Progress& progress);

}  // namespace annelid::studies
