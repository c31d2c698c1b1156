// The commands of the program. Each command has a file in this folder, with its options and its
// output.
#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>

namespace annelid::cli {

/// A command in the parser, and the function that runs it after its options have been parsed.
struct Command {
  CLI::App* app = nullptr;
  /// Returns the exit status. Throws InputError and ConfigError for bad input, RunFailure and other
  /// exceptions for a failure, and Interrupted if a signal asks the program to end.
  std::function<int()> run;
};

// Each of these functions adds a command and its options to the program.
Command add_check(CLI::App& program);
Command add_complete(CLI::App& program);
Command add_completion(CLI::App& program);
Command add_cost(CLI::App& program);
Command add_deadlock(CLI::App& program);
Command add_firmware(CLI::App& program);
Command add_firmware_build(CLI::App& program);  // after add_firmware
Command add_help(CLI::App& program);
Command add_keys(CLI::App& program);
Command add_merge(CLI::App& program);
Command add_reproduce(CLI::App& program);
Command add_run(CLI::App& program);
Command add_schedule(CLI::App& program);
Command add_sweep(CLI::App& program);
Command add_tau(CLI::App& program);
Command add_timeline(CLI::App& program);
Command add_traffic(CLI::App& program);
Command add_tune(CLI::App& program);
Command add_wave(CLI::App& program);

using AddCommand = Command (*)(CLI::App& program);

/// Returns the commands in the order of the help.
[[nodiscard]] std::span<const AddCommand> commands();

/// Makes a command that stores its options in an object of type Arguments. The object lives as long
/// as the command.
template <typename Arguments>
Command command(CLI::App& program, CLI::App* (*add_options)(CLI::App&, Arguments&),
                int (*run)(const Arguments&)) {
  const auto arguments = std::make_shared<Arguments>();
  CLI::App* const app = add_options(program, *arguments);
  return {app, [arguments, run] { return run(*arguments); }};
}

/// Returns the folder of --out, or runs/NAME if --out was not given.
[[nodiscard]] std::filesystem::path result_folder(const std::string& out, const std::string& name);

}  // namespace annelid::cli
