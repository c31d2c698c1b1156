// `annelid firmware run`: a user's own RV32 program on every node of a network.
#pragma once

#include <string>
#include <vector>

#include "simulation/recordings/recordings.hpp"
#include "simulation/scenario/settings.hpp"
#include "systemc/network/types.hpp"

namespace CLI {
class App;
}

namespace annelid::cli {

/// What the user wrote behind `annelid firmware run`.
struct FirmwareArguments {
  std::string elf;
  std::vector<simulation::Override> overrides;
  simulation::RecordingOptions recordings;
  Cycle cycles = 100'000'000;
  std::string trace, trace_nodes = "all";
  std::string profile;  ///< "": none; "-": with the rest of the output; or a file
  bool allow_errors = false, quiet = false;
};

/// Adds the command and its options to the program.
CLI::App* add_firmware_command(CLI::App& program, FirmwareArguments& arguments);

/// Returns the exit status: 0 if every node's program ended well. Throws InputError, ConfigError,
/// RunFailure.
int run_firmware(const FirmwareArguments& arguments);

}  // namespace annelid::cli
