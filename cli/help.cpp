// `annelid help`: the same as --help, of any command.
#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "cli/commands.hpp"
#include "cli/program.hpp"

namespace annelid::cli {
namespace {

/// The arguments of `annelid help`.
struct HelpArguments {
  std::vector<std::string> command;
};

CLI::App* add_options(CLI::App& program, HelpArguments& a) {
  CLI::App* help = program.add_subcommand("help", "Prints the help of a command.");
  help->add_option("command", a.command,
                   "The command, such as firmware run. Default: all commands.");
  help->footer(
      "Examples:\n"
      "  annelid help\n"
      "  annelid help firmware run");
  return help;
}

int run(const HelpArguments& a) {
  std::vector<std::string> words = a.command;
  words.emplace_back("--help");
  return run_words(words);
}

}  // namespace

Command add_help(CLI::App& program) { return command<HelpArguments>(program, add_options, run); }

}  // namespace annelid::cli
