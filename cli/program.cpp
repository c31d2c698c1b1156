// The whole program: adds the commands, parses the arguments, turns what goes wrong into a message
// and a status.
#include "cli/program.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <csignal>
#include <cstdlib>
#include <string>
#include <vector>

#include "base/child_process.hpp"
#include "base/input_error.hpp"
#include "base/version.hpp"
#include "cli/commands.hpp"
#include "systemc/network/config.hpp"

namespace annelid::cli {
namespace {

constexpr int kFailed = 1, kBadInput = 2;

int complain(int status, const std::string& text) {
  fmt::print(stderr, "annelid: {}\n", text);
  return status;
}

}  // namespace

int run_program(int argc, char** argv) {
  setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 0);

  CLI::App program(
      "Simulates wormhole-routed networks, cycle by cycle: under synthetic traffic, or with NICs "
      "that run collective-communication firmware.");
  program.set_version_flag("--version", std::string("annelid ") + kVersion);
  program.require_subcommand(1);
  program.footer("Try: annelid run scenarios/edn-broadcast-8x8.toml      Help: annelid run --help");
  std::vector<Command> added;
  for (const AddCommand add : commands()) added.push_back(add(program));
  try {
    program.parse(argc, argv);
    for (const Command& command : added) {
      if (command.app->parsed()) return command.run();
    }
    return kBadInput;  // never: one subcommand is required
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return program.exit(error);  // --help, --version
    return complain(kBadInput, std::string(error.what()) + " (see annelid --help)");
  } catch (const InputError& error) {
    return complain(kBadInput, error.what());
  } catch (const systemc::ConfigError& error) {
    return complain(kBadInput, error.what());
  } catch (const std::exception& error) {
    return complain(kFailed, error.what());
  } catch (const Interrupted& interrupted) {
    std::raise(interrupted.signal);  // all is in order: what started this sees how it ended
    return 128 + interrupted.signal;
  }
}

}  // namespace annelid::cli
