// `annelid run`: a scenario in, a checked result out.
#pragma once

#include <string>
#include <vector>

#include "simulation/recordings/recordings.hpp"
#include "simulation/scenario/settings.hpp"

namespace CLI {
class App;
}

namespace annelid::cli {

/// What the user wrote behind `annelid run`.
struct RunArguments {
  std::string scenario;
  std::vector<simulation::Override> overrides;  ///< in the given order
  simulation::RecordingOptions recordings;
  std::string out;
  bool quiet = false;
};

/// Adds the command and its options to the program.
CLI::App* add_run_command(CLI::App& program, RunArguments& arguments);

/// Returns the exit status: 0, or 1 if a check failed. Throws InputError, ConfigError, RunFailure.
int run(const RunArguments& arguments);

}  // namespace annelid::cli
