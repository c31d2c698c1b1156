// `annelid firmware run`: a user's own RV32 program on every node of a network.
#pragma once

#include <string>
#include <vector>

#include "cli/recordings.hpp"
#include "cli/settings.hpp"
#include "systemc/types.hpp"

namespace annelid::cli {

/// What the user wrote behind `annelid firmware run`.
struct FirmwareArguments {
  std::string elf;
  std::vector<Override> overrides;
  RecordingOptions recordings;
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
