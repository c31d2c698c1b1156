// `annelid run`: a scenario in, a checked result out.
#include "simulation/run.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/commands.hpp"
#include "cli/gdb_option.hpp"
#include "cli/key_options.hpp"
#include "cli/processes.hpp"
#include "cli/progress_line.hpp"
#include "cli/recording_options.hpp"
#include "cli/run_summary.hpp"
#include "cli/standard_output.hpp"

namespace annelid::cli {
namespace {

/// The arguments of `annelid run`.
struct RunArguments {
  std::string scenario;
  std::vector<simulation::Override> overrides;  ///< in the given order
  simulation::RecordingOptions recordings;
  CoreArguments cores;
  std::string out;
  std::optional<std::uint16_t> gdb;
  bool account = false;
  bool quiet = false;
};

CLI::App* add_options(CLI::App& program, RunArguments& a) {
  CLI::App* run =
      program.add_subcommand("run", "Runs a collective operation and checks its result.");
  run->add_option("scenario", a.scenario,
                  "Scenario file (TOML), such as one from scenarios/. Without one, all values come "
                  "from options.");

  static const std::vector<simulation::Key> kKeys = simulation::run_keys();
  add_key_options(*run, kKeys, a.overrides);
  add_recording_options(*run, a.recordings);
  add_core_options(*run, a.cores);
  add_gdb_option(*run, a.gdb);
  run->add_flag("--account", a.account,
                "Prints the cycles of the critical path by cause: start-up, flits, hops, waits, "
                "firmware, copies, combining. Also prints the longest waits.");
  run->add_option("--out", a.out, "Folder for result.json. Default: runs/NAME.")->type_name("DIR");
  run->add_flag("--quiet", a.quiet, "Prints nothing unless a check fails.");
  run->footer(
      "An option replaces the value of its key in the scenario file. Nodes are numbered (z * "
      "size_y + y) * size_x + x. docs/how-to/run-a-collective.md explains what is printed.\n"
      "\n"
      "Examples:\n"
      "  annelid run scenarios/edn-broadcast-8x8.toml\n"
      "  annelid run scenarios/edn-broadcast-8x8.toml --payload README.md --root 3,5\n"
      "  annelid run scenarios/edn-broadcast-8x8.toml --algorithm recursive-doubling --size 5x3\n"
      "  annelid run --operation broadcast --size 4x4x4 --bytes 1000 --root 3,0,2\n"
      "  annelid run --operation reduce --operator sum --type float32 --bytes 64 --firmware "
      "native\n"
      "  annelid run scenarios/two-tree-ideal.toml --topology mesh --embedding snake\n"
      "  annelid run --operation broadcast --algorithm edn --size 8x8 --prepared --repeat 3\n"
      "  annelid run --operation scan --operator affine --size 5x3 --ranks 13 --bytes 800\n"
      "  annelid run --operation all-gather --size 8x8 --group \"row 3\"\n"
      "  annelid run scenarios/rows-and-columns-8x8.toml --timeline calls.html\n"
      "  annelid run scenarios/edn-broadcast-8x8.toml --rtl all --flit-log rtl.log\n"
      "  annelid run scenarios/transpose-8x8.toml --timeline transpose.html\n"
      "  annelid run scenarios/edn-broadcast-8x8.toml --wave edn.fst && gtkwave edn.gtkw\n"
      "  annelid run scenarios/edn-broadcast-8x8.toml --profile\n"
      "  annelid run scenarios/two-tree-ideal.toml --operation scan --account\n"
      "  annelid run --operation ring_all_gather --firmware mine.elf --expected all-gather\n"
      "  annelid run --operation ring_all_gather --firmware mine.elf --size 4x4 --gdb 3333\n"
      "\n"
      "Exit status: 0 if every check held; 1 if a check failed or the run could not finish; 2 for "
      "bad input.");
  return run;
}

/// What the run depends on besides its settings.
ReadFiles files_of(const simulation::Scenario& scenario) {
  ReadFiles files{{"the scenario", scenario.settings.file()},
                  {"the firmware", scenario.firmware.elf}};
  for (std::size_t call = 0; call < scenario.calls.size(); ++call) {
    files.emplace_back(fmt::format("the payload of call {}", call), scenario.calls[call].payload);
  }
  return files;
}

/// Returns the exit status: 0, or 1 if a check failed.
int run(const RunArguments& a) {
  require_use(a.cores);
  const auto scenario = simulation::Scenario::read(a.scenario, a.overrides);
  const simulation::RunOptions options{
      .recordings = a.recordings,
      .cores = a.cores.options(),
      .gdb = a.gdb,
      .listening = say_port,
      .account = a.account,
      .folder = result_folder(a.out, scenario.name),
      .exchange = join_processes(scenario.settings, files_of(scenario))};
  const bool other = options.exchange != nullptr && options.exchange->process() > 0;
  ProgressLine progress(!a.quiet && !other);
  const simulation::RunResult result = simulation::run(scenario, options, progress);
  if (other) return 0;
  warn_of_missing(result.recorded);
  if (!a.quiet || !result.passed()) {
    print_summary(result);
    put("\n  result    {}\n", result.file.string());
    put_text(recorded_text(result.recorded));
  }
  if (a.account) put_text("\n" + account_text(result));
  if (a.cores.printed()) put_text("\n" + result.profile);
  return result.passed() ? 0 : 1;
}

}  // namespace

Command add_run(CLI::App& program) { return command<RunArguments>(program, add_options, run); }

}  // namespace annelid::cli
