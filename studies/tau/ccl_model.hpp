// Simulates operations of CCL and fits its model of time to them (reference/costs/ccl_model.hpp).
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/progress.hpp"
#include "reference/costs/ccl_model.hpp"
#include "studies/reproduce/outcome.hpp"
#include "studies/tau/models.hpp"

namespace annelid::studies {

/// A run on the network, and what the model says of it.
struct CclRun {
  reference::ccl::PlannedCall planned;
  reference::ccl::Point point;
  std::string command;  ///< an `annelid run`
};

struct CclReport {
  std::string title;                         ///< the network and the machine
  std::vector<reference::ccl::Point> ideal;  ///< the runs of the fit without a network
  std::vector<CclRun> runs;                  ///< on the network
  reference::ccl::Model model;

  /// The points of the runs on the network that are for this.
  [[nodiscard]] std::vector<reference::ccl::Point> points(reference::ccl::Part part) const;
};

/// Simulates runs of `annelid run` in this process. Of `runs`, `bytes` are the lengths of blocks
/// and `nodes` the processes of groups; empty stands for the usual ones. Throws InputError for
/// options that are impossible or have no effect, and RunFailure if a run or its check fails.
[[nodiscard]] CclReport simulate_ccl(const PointRuns& runs, Progress& progress);

[[nodiscard]] reproduction::Table ccl_parameters(const CclReport& report);
/// The deviations of the runs by what they are for, with f and without it.
[[nodiscard]] reproduction::Table ccl_deviations(const CclReport& report);
/// The command of the last run of the fit on the network.
[[nodiscard]] std::string last_of_fit(const CclReport& report);
/// All runs on the network.
[[nodiscard]] reproduction::Table ccl_points(const CclReport& report);

/// Writes points.csv, parameters.csv and checks.csv into a folder, which it creates if necessary.
/// Throws InputError if a file cannot be written.
void write_ccl(const CclReport& report, const std::filesystem::path& folder);

}  // namespace annelid::studies
