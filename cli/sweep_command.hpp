// `annelid sweep`: a grid of `annelid traffic`, over all cores, to one CSV file and its curves.
#pragma once

#include <string>
#include <vector>

#include "simulation/scenario/settings.hpp"

namespace CLI {
class App;
}

namespace annelid::cli {

/// What the user wrote behind `annelid sweep`.
struct SweepArguments {
  std::string scenario;  ///< empty: the defaults, and options
  std::vector<simulation::Override> overrides;
  std::vector<std::string> sweeps;  ///< KEY=VALUES
  std::string out;
  int jobs = 0;  ///< 0: one per core
  bool stop_when_saturated = false, cost = false, no_plots = false, quiet = false;
};

CLI::App* add_sweep_command(CLI::App& program, SweepArguments& arguments);

/// Returns the exit status 0. Throws InputError, RunFailure.
int run_sweep(const SweepArguments& arguments);

}  // namespace annelid::cli
