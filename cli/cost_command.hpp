// `annelid cost`: what a router costs in silicon.
#pragma once

#include <string>
#include <vector>

#include "simulation/scenario/settings.hpp"
#include "studies/cost/estimate.hpp"

namespace CLI {
class App;
}

namespace annelid::cli {

/// What the user wrote behind `annelid cost`.
struct CostArguments {
  std::string scenario;
  std::vector<simulation::Override> overrides;
  cost::CostOptions options;
  std::string json;
  int time_limit_s = 1800;
  bool no_cache = false, quiet = false;
};

/// Adds the command and its options to the program.
CLI::App* add_cost_command(CLI::App& program, CostArguments& arguments);

/// Returns the exit status, 0. Throws InputError, also for a tool that is not installed,
/// ConfigError, cost::CostError.
int run_cost(const CostArguments& arguments);

}  // namespace annelid::cli
