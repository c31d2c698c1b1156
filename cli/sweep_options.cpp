#include <CLI/CLI.hpp>

#include "cli/key_options.hpp"
#include "cli/sweep_command.hpp"
#include "cli/traffic_command.hpp"
#include "simulation/scenario/traffic_scenario.hpp"

namespace annelid::cli {

CLI::App* add_sweep_command(CLI::App& program, SweepArguments& a) {
  static const std::vector<simulation::Key> kKeys = simulation::traffic_keys();
  CLI::App* sweep = program.add_subcommand(
      "sweep", "Measure a network over a grid of parameters, and draw its curves");
  sweep->add_option("scenario", a.scenario,
                    "Scenario of `annelid traffic` (TOML) with a table [sweep]");
  sweep->add_option("--sweep", a.sweeps, "Sweep a key: KEY=A,B,C or KEY=FROM:TO:STEP")
      ->type_name("KEY=VALUES")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  sweep->add_flag("--stop-when-saturated", a.stop_when_saturated,
                  "End each curve with its first saturated load");
  sweep->add_flag("--cost", a.cost,
                  "Synthesize each different router: area and nanoseconds beside the cycles");
  sweep->add_option("--jobs", a.jobs, "Points at a time; one for each core if not given")
      ->type_name("N")
      ->check(CLI::Range(1, 1024));
  sweep->add_option("--out", a.out, "Folder of sweep.csv and the curves; runs/NAME if not given")
      ->type_name("DIR");
  sweep->add_flag("--no-plots", a.no_plots, "Draw nothing");
  sweep->add_flag("--quiet", a.quiet, "Print nothing");
  add_key_options(*sweep, kKeys, a.overrides);
  add_set_option(*sweep, kKeys, a.overrides);
  sweep->footer(
      "A sweep that was interrupted goes on where it was: points whose rows are in sweep.csv are "
      "kept.\n"
      "\n"
      "Examples:\n"
      "  annelid sweep scenarios/sweep-vcs.toml\n"
      "  annelid sweep --sweep router.vcs=1,2,4 --sweep traffic.load=0.05:0.5:0.05\n"
      "  annelid sweep --sweep traffic.pattern=uniform,transpose --sweep traffic.load=0.1:0.4:0.1 "
      "\\\n"
      "      --size 16x16 --stop-when-saturated --out runs/patterns\n"
      "  annelid sweep --sweep router.stages=1,2,4 --sweep traffic.load=0.05:0.4:0.05 --cost\n"
      "\n"
      "Exit status: 0 every point measured; 1 a point failed; 2 bad input.");
  return sweep;
}

}  // namespace annelid::cli
