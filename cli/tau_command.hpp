// `annelid tau`: the tau-model of a set of runs.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace annelid::cli {

/// What the user wrote behind `annelid tau`.
struct TauArguments {
  std::vector<std::string> results;  ///< result.json files, or folders with one
  std::string out;                   ///< folder of table and plot; empty: none
};

CLI::App* add_tau_command(CLI::App& program, TauArguments& arguments);

/// Returns the exit status 0. Throws InputError, RunFailure.
int run_tau(const TauArguments& arguments);

}  // namespace annelid::cli
