// `annelid tune`: which algorithm of an operation is the fastest, over message sizes and node
// counts.
#pragma once

#include <string>
#include <vector>

#include "simulation/scenario/settings.hpp"

namespace CLI {
class App;
}

namespace annelid::cli {

/// What the user wrote behind `annelid tune`.
struct TuneArguments {
  std::string scenario;  ///< empty: the defaults, and options
  std::vector<simulation::Override> overrides;
  std::string out;
  int jobs = 0;  ///< 0: one per core
  bool no_plots = false, quiet = false;
};

CLI::App* add_tune_command(CLI::App& program, TuneArguments& arguments);

/// Returns the exit status 0. Throws InputError, RunFailure.
int run_tune(const TuneArguments& arguments);

}  // namespace annelid::cli
