// Measures a network under traffic over a grid of parameters, and draws its curves.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/progress.hpp"
#include "studies/sweep/table.hpp"

namespace annelid::studies {

struct SweepOptions {
  std::filesystem::path folder;  ///< of sweep.csv and the curves; made if it is not there
  int processes = 0;             ///< points that are simulated at the same time; 0: one per core
  bool plots = true;
  std::filesystem::path rtl_dir;  ///< of rtl.f, where the grid asks for costs
};

/// What the points of a curve say together; rates are flits per cycle and node that sends.
struct SweepCurve {
  std::string title;                   ///< SweepGrid::curve()
  double zero_load = 0;                ///< latency of an idle network, cycles
  double ideal = 0;                    ///< the most that the busiest channel allows
  double served = 0;                   ///< the most that was accepted without saturation; 0: none
  std::optional<double> saturated_at;  ///< the least load at which it is saturated
  std::optional<RouterCost> cost;
  std::size_t deadlocks = 0;  ///< points that ended in one
};

struct SweepReport {
  std::string name;
  std::size_t points = 0, simulated = 0, kept = 0;  ///< of the grid; now; known from before
  std::vector<SweepCurve> curves;
  std::filesystem::path rows, drawing;  ///< sweep.csv and curves.svg; empty: nothing was drawn
};

/// Simulates the points that have no row in the folder's sweep.csv yet, each in a copy of this
/// process, then the costs of their routers if the grid wants them. A deadlock is a row. Throws
/// InputError for a folder that cannot be written to and a tool that is missing, RunFailure for a
/// point that failed or if gnuplot does, Interrupted if a signal asks the program to end: what has
/// been measured is in sweep.csv then, and the next sweep goes on from there. Calls `progress`
/// from this thread.
[[nodiscard]] SweepReport run_sweep(const SweepGrid& grid, const SweepOptions& options,
                                    Progress& progress);

}  // namespace annelid::studies
