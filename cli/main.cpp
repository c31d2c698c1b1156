// The `annelid` program.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <csignal>
#include <cstdlib>

#include "base/child_process.hpp"
#include "base/input_error.hpp"
#include "base/run_failure.hpp"
#include "base/version.hpp"
#include "cli/check_command.hpp"
#include "cli/cost_command.hpp"
#include "cli/firmware_command.hpp"
#include "cli/reproduce_command.hpp"
#include "cli/run_command.hpp"
#include "cli/schedule_command.hpp"
#include "cli/sweep_command.hpp"
#include "cli/tau_command.hpp"
#include "cli/timeline_command.hpp"
#include "cli/traffic_command.hpp"
#include "cli/tune_command.hpp"
#include "cli/wave_command.hpp"
#include "systemc/network/config.hpp"

// libsystemc wants this symbol; the program has a main() of its own.
extern "C" int sc_main(int, char**) { return 0; }

namespace {

constexpr int kFailed = 1, kBadInput = 2;

int complain(int status, const std::string& text) {
  fmt::print(stderr, "annelid: {}\n", text);
  return status;
}

}  // namespace

int main(int argc, char** argv) {
  using namespace annelid;
  setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 0);

  CLI::App program(
      "Simulates wormhole-routed networks, cycle by cycle: under synthetic traffic, or with NICs "
      "that run collective-communication firmware.");
  program.set_version_flag("--version", std::string("annelid ") + kVersion);
  program.require_subcommand(1);
  program.footer("Try: annelid run scenarios/edn-broadcast-8x8.toml      Help: annelid run --help");
  cli::RunArguments run_arguments;
  cli::add_run_command(program, run_arguments);
  cli::CheckArguments check_arguments;
  const CLI::App* check = cli::add_check_command(program, check_arguments);
  cli::ScheduleArguments schedule_arguments;
  const CLI::App* schedule = cli::add_schedule_command(program, schedule_arguments);
  cli::TrafficArguments traffic_arguments;
  const CLI::App* traffic = cli::add_traffic_command(program, traffic_arguments);
  cli::SweepArguments sweep_arguments;
  const CLI::App* sweep = cli::add_sweep_command(program, sweep_arguments);
  cli::TuneArguments tune_arguments;
  const CLI::App* tune = cli::add_tune_command(program, tune_arguments);
  cli::CostArguments cost_arguments;
  const CLI::App* cost = cli::add_cost_command(program, cost_arguments);
  cli::TimelineArguments timeline_arguments;
  const CLI::App* timeline = cli::add_timeline_command(program, timeline_arguments);
  cli::FirmwareArguments firmware_arguments;
  const CLI::App* firmware = cli::add_firmware_command(program, firmware_arguments);
  cli::WaveArguments wave_arguments;
  const CLI::App* wave = cli::add_wave_command(program, wave_arguments);
  cli::ReproduceArguments reproduce_arguments;
  const CLI::App* reproduce = cli::add_reproduce_command(program, reproduce_arguments);
  cli::TauArguments tau_arguments;
  const CLI::App* tau = cli::add_tau_command(program, tau_arguments);
  try {
    program.parse(argc, argv);
  } catch (const InputError& error) {
    return complain(kBadInput, error.what());
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return program.exit(error);  // --help, --version
    return complain(kBadInput, std::string(error.what()) + " (see annelid --help)");
  }

  try {
    if (check->parsed()) return cli::run_check(check_arguments);
    if (schedule->parsed()) return cli::run_schedule(schedule_arguments);
    if (reproduce->parsed()) return cli::run_reproduce(reproduce_arguments);
    if (tau->parsed()) return cli::run_tau(tau_arguments);
    if (sweep->parsed()) return cli::run_sweep(sweep_arguments);
    if (tune->parsed()) return cli::run_tune(tune_arguments);
    if (firmware->parsed()) return cli::run_firmware(firmware_arguments);
    if (timeline->parsed()) return cli::run_timeline(timeline_arguments);
    if (cost->parsed()) return cli::run_cost(cost_arguments);
    if (wave->parsed()) return cli::run_wave(wave_arguments);
    if (traffic->parsed()) return cli::run_traffic(traffic_arguments);
    return cli::run(run_arguments);
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
