// `annelid schedule`: an algorithm's schedule on a network, step by step, from the reference alone.
#pragma once

#include <string>
#include <vector>

#include "simulation/scenario/settings.hpp"

namespace CLI {
class App;
}

namespace annelid::cli {

/// What the user wrote behind `annelid schedule`.
struct ScheduleArguments {
  std::vector<simulation::Override> overrides;
  std::string svg;
  bool torus = false, list = false, quiet = false;
};

/// Adds the command and its options to the program.
CLI::App* add_schedule_command(CLI::App& program, ScheduleArguments& arguments);

/// Returns the exit status, 0. Throws InputError, ConfigError.
int run_schedule(const ScheduleArguments& arguments);

}  // namespace annelid::cli
