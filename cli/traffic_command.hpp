// `annelid traffic`: synthetic traffic or a trace on a network without NICs.
#pragma once

#include <string>
#include <vector>

#include "simulation/recordings/recordings.hpp"
#include "simulation/scenario/settings.hpp"

namespace CLI {
class App;
}

namespace annelid::cli {

/// What the user wrote behind `annelid traffic`.
struct TrafficArguments {
  std::string scenario;  ///< empty: the defaults, and options
  std::vector<simulation::Override> overrides;
  simulation::RecordingOptions recordings;
  std::string packets, out;
  bool fast = false, quiet = false;
};

CLI::App* add_traffic_command(CLI::App& program, TrafficArguments& arguments);

/// Returns the exit status 0. Throws InputError, ConfigError, RunFailure.
int run_traffic(const TrafficArguments& arguments);

/// Adds --set KEY=VALUE, which sets any key of a scenario.
void add_set_option(CLI::App& command, const std::vector<simulation::Key>& keys,
                    std::vector<simulation::Override>& overrides);

}  // namespace annelid::cli
