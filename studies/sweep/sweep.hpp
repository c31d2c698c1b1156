// Measures a network under traffic over a grid of parameters, and draws its curves.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/progress.hpp"
#include "studies/shard/shard.hpp"
#include "studies/sweep/table.hpp"

namespace annelid::studies {

struct SweepOptions {
  std::filesystem::path folder;  ///< of sweep.csv and the curves; made if it is not there
  int processes = 0;             ///< points that are simulated at the same time; 0: one per core
  bool plots = true;
  /// Simulates these points alone, and draws nothing. A sweep that stops when a network is
  /// saturated deals out whole curves.
  std::optional<Shard> shard = {};
  std::filesystem::path rtl_dir;  ///< of rtl.f, where the grid asks for costs
};

/// A summary of the points of a curve. Rates are in flits per cycle and sending node. A number that
/// no point has is missing.
struct SweepCurve {
  std::string title;                   ///< SweepGrid::curve()
  std::optional<double> zero_load;     ///< latency of an idle network, cycles
  std::optional<double> ideal;         ///< the highest rate that the busiest channel allows
  std::optional<double> saturated_at;  ///< the lowest saturated load: the curve ends with it
  std::optional<double> held;          ///< the highest load before that
  std::optional<double> served;        ///< the highest accepted rate before that
  std::optional<RouterCost> cost;
  std::size_t deadlocks = 0;     ///< points that ended in one
  std::size_t empty = 0;         ///< points of which no measured packet arrived
  std::size_t false_alarms = 0;  ///< points that looked saturated, but not in their repeat
};

struct SweepReport {
  std::string name;
  std::size_t points = 0, simulated = 0,
              kept = 0;  ///< in the grid or the shard; simulated now; known from before
  std::vector<SweepCurve> curves;
  std::vector<std::string> defaults;    ///< SweepGrid::defaults
  std::filesystem::path rows, drawing;  ///< sweep.csv and curves.svg; empty: nothing was drawn
};

/// Simulates the points that have no row in the folder's sweep.csv yet, each in a copy of this
/// process. Then it finds the costs of their routers, if the grid asks for them and this is no
/// shard. A deadlock is a result, with a row of its own. Throws InputError for a folder that cannot
/// be written to and for a missing tool, RunFailure if a point or gnuplot fails, and Interrupted if
/// a signal asks the program to end. After an interruption, sweep.csv holds all finished points,
/// and the next sweep continues from there. Calls `progress` from this thread.
[[nodiscard]] SweepReport run_sweep(const SweepGrid& grid, const SweepOptions& options,
                                    Progress& progress);

}  // namespace annelid::studies
