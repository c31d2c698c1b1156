// `annelid run`: a scenario in, a checked result out.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace annelid::cli {

/// What the user wrote behind `annelid run`.
struct RunArguments {
  std::string scenario;
  std::vector<std::pair<std::string, std::string>> overrides;  ///< key, text; in the given order
  std::string rtl;                                             ///< "", "all", or nodes as "3,4"
  std::string wave, wave_nodes, flit_log, out;
  bool quiet = false;
};

/// Adds the command and its options to the program.
CLI::App* add_run_command(CLI::App& program, RunArguments& arguments);

/// Returns the exit status: 0, or 1 if a check failed. Throws InputError, ConfigError, RunFailure.
int run(const RunArguments& arguments);

}  // namespace annelid::cli
