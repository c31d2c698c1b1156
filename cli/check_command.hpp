// `annelid check`: the firmware on simulated networks against the reference, algorithm by
// algorithm.
#pragma once

#include <string>
#include <vector>

#include "simulation/scenario/settings.hpp"

namespace CLI {
class App;
}

namespace annelid::cli {

/// What the user wrote behind `annelid check`.
struct CheckArguments {
  std::vector<simulation::Override> network;  ///< --size and --topology: this network alone
  std::string operation, algorithm;           ///< empty: all
  std::string router, firmware;               ///< empty: both kinds
  std::string ranks;  ///< "1:130": these numbers of ranks; empty: as the plan has it
  int samples = 0;    ///< of them; 0: all
  std::uint64_t seed = 1;
  int jobs = 0;  ///< 0: one per core
  bool quick = false, torus = false, quiet = false;
};

/// Adds the command and its options to the program.
CLI::App* add_check_command(CLI::App& program, CheckArguments& arguments);

/// Prints the table of verdicts. Returns the exit status: 0, or 1 if anything differs. Throws
/// InputError.
int run_check(const CheckArguments& arguments);

}  // namespace annelid::cli
