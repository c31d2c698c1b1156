// The commands of the program. Each is a file of this folder, with its options and what it prints.
#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>

namespace annelid::cli {

/// What the parser knows of a command, and what runs it once its options have been parsed.
struct Command {
  CLI::App* app = nullptr;
  /// Returns the exit status. Throws InputError and ConfigError for bad input, RunFailure and other
  /// exceptions for what failed, Interrupted.
  std::function<int()> run;
};

// Each adds a command and its options to the program.
Command add_check(CLI::App& program);
Command add_cost(CLI::App& program);
Command add_firmware(CLI::App& program);
Command add_keys(CLI::App& program);
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

/// In the order of the help.
[[nodiscard]] std::span<const AddCommand> commands();

/// A command whose options are stored in an object of type Arguments, which lives as long as the
/// command.
template <typename Arguments>
Command command(CLI::App& program, CLI::App* (*add_options)(CLI::App&, Arguments&),
                int (*run)(const Arguments&)) {
  const auto arguments = std::make_shared<Arguments>();
  CLI::App* const app = add_options(program, *arguments);
  return {app, [arguments, run] { return run(*arguments); }};
}

/// The folder of --out, or runs/NAME if it was not given.
[[nodiscard]] std::filesystem::path result_folder(const std::string& out, const std::string& name);

}  // namespace annelid::cli
