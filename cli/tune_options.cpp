#include <CLI/CLI.hpp>

#include "cli/key_options.hpp"
#include "cli/tune_command.hpp"
#include "studies/tune/tune_grid.hpp"

namespace annelid::cli {

CLI::App* add_tune_command(CLI::App& program, TuneArguments& a) {
  static const std::vector<simulation::Key> kKeys = studies::tune_option_keys();
  CLI::App* tune = program.add_subcommand(
      "tune", "Find the fastest algorithm of an operation for each message size");
  tune->add_option("scenario", a.scenario, "Scenario (TOML) with a table [tune]");
  add_key_options(*tune, kKeys, a.overrides);
  tune->add_option("--jobs", a.jobs, "Runs at a time; one for each core if not given")
      ->type_name("N")
      ->check(CLI::Range(1, 1024));
  tune->add_option(
          "--out", a.out,
          "Folder of tune.csv, tune.json, tuned.inc and the curves; runs/NAME if not given")
      ->type_name("DIR");
  tune->add_flag("--no-plots", a.no_plots, "Draw nothing");
  tune->add_flag("--quiet", a.quiet, "Print nothing");
  tune->footer(
      "Every run is checked as by `annelid run`; one that fails ends the tuning. A tuning that was "
      "interrupted goes on where it was: runs whose rows are in tune.csv are kept.\n"
      "The algorithm auto chooses by the tunings that the firmware was built with: cmake "
      "-DANNELID_TUNED=\"DIR;...\".\n"
      "\n"
      "Examples:\n"
      "  annelid tune --operation broadcast --size 8x8\n"
      "  annelid tune --operation broadcast,reduce --size 8x8 --router one-port --bytes 8:1M\n"
      "  annelid tune --operation scan --size 8x8 --topology ideal --ranks 4,16,64 --firmware "
      "native\n"
      "  annelid tune --operation all-reduce --sizes 4x4,8x8,16x16 --bytes 64,1k,16k --refine 3\n"
      "  annelid tune --algorithm two-tree,linear-pipeline,circulant --bytes 1k:1M:4\n"
      "  annelid tune scenarios/tune-mesh.toml\n"
      "\n"
      "Exit status: 0 every run measured; 1 a run failed; 2 bad input.");
  return tune;
}

}  // namespace annelid::cli
