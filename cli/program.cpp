// The whole program: adds the commands, parses the arguments, turns what goes wrong into a message
// and a status.
#include "cli/program.hpp"

#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "base/build.hpp"
#include "base/child_process.hpp"
#include "base/input_error.hpp"
#include "base/message.hpp"
#include "base/nearest.hpp"
#include "base/run_failure.hpp"
#include "base/standard_error.hpp"
#include "base/text.hpp"
#include "base/version.hpp"
#include "cli/commands.hpp"
#include "cli/help_format.hpp"
#include "cli/processes.hpp"
#include "cli/standard_output.hpp"
#include "systemc/network/config.hpp"
#include "systemc/planes/plane_network.hpp"

namespace annelid::cli {
namespace {

constexpr int kFailed = 1, kBadInput = 2;
constexpr std::size_t kLongestError = 8000;  // bytes, of what a library says

int complain(int status, std::string text) {
  if (const auto other = ended_by_other(status)) return *other;
  text.resize(text.find_last_not_of('\n') + 1);  // some end with the lines of a table
  put_error(fmt::format("annelid: {}\n", terminal_text(text)));
  return status;
}

/// A complaint about input is one line, whatever the names in it are.
int refuse(const std::string& text) { return complain(kBadInput, one_line(text)); }

/// The command that the arguments have led to, so far as they could be parsed.
const CLI::App& reached(const CLI::App& program) {
  const CLI::App* app = &program;
  while (!app->get_subcommands().empty()) app = app->get_subcommands().front();
  return *app;
}

/// "annelid firmware run".
std::string full_name(const CLI::App& app) {
  return app.get_parent() == nullptr ? "annelid"
                                     : full_name(*app.get_parent()) + " " + app.get_name();
}

/// What is wrong with an argument that no command knows.
std::string unknown_argument(const CLI::App& app, const std::string& argument) {
  std::vector<std::string> names;
  const bool option = argument.starts_with('-');
  if (option) {
    for (const CLI::Option* o : app.get_options()) {
      for (const std::string& name : o->get_lnames()) names.push_back("--" + name);
    }
  } else {
    for (const CLI::App* command : app.get_subcommands({})) {
      if (!command->get_group().empty()) names.push_back(command->get_name());  // not a hidden one
    }
  }
  const std::string help = full_name(app) + " --help";
  const std::string expected = option          ? "an option of " + help
                               : names.empty() ? "no further argument (see " + help + ")"
                                               : fmt::format("{}", fmt::join(names, ", "));
  const std::string name = argument.substr(0, argument.find('='));
  const std::vector<std::string_view> known(names.begin(), names.end());
  return fmt::format("{}: found an unknown {}, expected {}{}", excerpt(name),
                     option          ? "option"
                     : names.empty() ? "argument"
                                     : "command",
                     expected, did_you_mean(name, known));
}

/// The library's messages about a number, as all others of the program are: what was found, and
/// what was expected.
std::string in_our_words(const std::string& message) {
  constexpr std::string_view kNoNumber = "Could not convert: ", kIs = " = ", kValue = ": Value ",
                             kRange = " not in range ";
  const std::string_view text = message;
  const std::size_t is = text.find(kIs), value = text.find(kValue), range = text.rfind(kRange);
  if (text.starts_with(kNoNumber) && is != std::string_view::npos) {
    return fmt::format("{}: found \"{}\", expected a number",
                       text.substr(kNoNumber.size(), is - kNoNumber.size()),
                       excerpt(text.substr(is + kIs.size())));
  }
  if (value != std::string_view::npos && range != std::string_view::npos && value < range) {
    const std::size_t begin = value + kValue.size();
    return fmt::format("{}: found \"{}\", expected {}", text.substr(0, value),
                       excerpt(text.substr(begin, range - begin)),
                       text.substr(range + kRange.size()));
  }
  return excerpt(text, kLongestError);
}

std::string explain(const CLI::App& program, const CLI::ParseError& error) {
  const CLI::App& app = reached(program);
  const std::vector<std::string> rest = program.remaining(true);
  if (!rest.empty()) return unknown_argument(app, rest.front());
  return fmt::format("{} (see {} --help)", in_our_words(error.what()), full_name(app));
}

/// Whether the arguments end where a command has to follow. (With --help, they need none.)
bool lacks_command(const CLI::App& program) {
  const CLI::App& app = reached(program);
  return app.get_require_subcommand_min() > 0 && app.get_help_ptr()->count() == 0 &&
         (app.get_version_ptr() == nullptr || app.get_version_ptr()->count() == 0);
}

/// Shows the commands of which one has to follow.
int show_commands(const CLI::App& program) {
  if (const auto other = ended_by_other(kBadInput)) return *other;
  std::ostringstream text;
  program.exit(CLI::CallForHelp(), text, text);
  put_error(text.str());
  return kBadInput;
}

std::vector<std::string>& running_words() {
  static std::vector<std::string> words;
  return words;
}

/// Refuses `--option ''`, which CLI11 takes for 0 or for no option at all. Arguments of a program
/// may be empty.
void require_values(const CLI::App& app) {
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_positional() || option->get_expected_min() == 0) continue;
    if (std::ranges::none_of(option->results(), &std::string::empty)) continue;
    throw InputError(option->get_name(), "\"\"",
                     fmt::format("{} (see {} --help)", option->get_type_name(), full_name(app)));
  }
}

/// What --version prints. Names the commit of the sources if the build knew it.
std::string version_text() {
  const std::optional<BuildCommit> commit = build_commit();
  return fmt::format("annelid {}{}\nplanes for this processor: {}", kVersion,
                     commit ? fmt::format(" (commit {})", commit->text()) : "",
                     systemc::name_of(systemc::PlaneBackend::kBest));
}

/// Returns the exit status of the command that the user asked for.
int run_command(CLI::App& program, const std::vector<Command>& commands, int argc, char** argv) {
  try {
    program.parse(argc, argv);
    require_values(reached(program));
    for (const Command& command : commands) {
      if (command.app->parsed()) return command.run();
    }
    return kBadInput;  // never: one subcommand is required
  } catch (const CLI::ParseError& error) {
    if (program.remaining_size(true) > 0) throw;  // --help does not excuse a word that is wrong
    if (lacks_command(program)) return show_commands(program);
    if (error.get_exit_code() != 0) throw;
    std::ostringstream text;
    const int status = program.exit(error, text, text);  // --help, --version
    put_text(text.str());
    return status;
  }
}

}  // namespace

const std::vector<std::string>& command_line() { return running_words(); }

int run_words(const std::vector<std::string>& words) {
  std::vector<std::string> texts = {"annelid"};
  texts.insert(texts.end(), words.begin(), words.end());
  std::vector<char*> argv;
  argv.reserve(texts.size());
  for (std::string& text : texts) argv.push_back(text.data());
  return run_command_line(static_cast<int>(argv.size()), argv.data());
}

int run_command_line(int argc, char** argv) {
  running_words().assign(argv + 1, argv + argc);
  setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 0);

  CLI::App program(
      "Simulates networks of wormhole routers, cycle by cycle: under synthetic traffic, or with "
      "NICs "
      "that run the firmware of collective operations.",
      "annelid");
  program.formatter(std::make_shared<HelpFormat>());
  program.set_help_flag("-h,--help", "Prints this help and exits.");
  program.set_version_flag("--version", version_text, "Prints the version and exits.");
  program.require_subcommand(1);
  program.footer("Try: annelid run scenarios/edn-broadcast-8x8.toml      Help: annelid run --help");
  std::vector<Command> added;
  for (const AddCommand add : commands()) added.push_back(add(program));
  try {
    const int status = run_command(program, added, argc, argv);
    finish_output();
    meet_processes();
    leave_processes();
    return status;
  } catch (const EndedByOther& end) {
    leave_processes();
    return end.status;
  } catch (const CLI::ParseError& error) {
    return refuse(explain(program, error));
  } catch (const InputError& error) {
    const int status = refuse(error.what());
    leave_processes();
    return status;
  } catch (const RunFailure& error) {
    const int status = complain(kFailed, message_of(error));
    leave_processes();
    return status;
  } catch (const systemc::ConfigError& error) {
    return refuse(error.what());
  } catch (const std::filesystem::filesystem_error& error) {  // a path that the user gave
    return refuse(message_of(error));
  } catch (const std::exception& error) {
    const int status = complain(kFailed, message_of(error));
    abort_processes(status);  // the others wait for this one
    return status;
  } catch (const Interrupted& interrupted) {
    abort_processes(128 + interrupted.signal);
    std::raise(interrupted.signal);  // all is in order: what started this sees how it ended
    return 128 + interrupted.signal;
  }
}

}  // namespace annelid::cli
