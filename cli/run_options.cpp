#include <CLI/CLI.hpp>

#include "cli/key_options.hpp"
#include "cli/recording_options.hpp"
#include "cli/run_command.hpp"
#include "simulation/scenario/scenario.hpp"

namespace annelid::cli {

CLI::App* add_run_command(CLI::App& program, RunArguments& a) {
  CLI::App* run = program.add_subcommand("run", "Run a scenario and check its result");
  run->add_option("scenario", a.scenario,
                  "Scenario file (TOML), e.g. from scenarios/; if not given, options alone count");

  static const std::vector<simulation::Key> kKeys = simulation::run_keys();
  add_key_options(*run, kKeys, a.overrides);
  add_recording_options(*run, a.recordings);
  run->add_option("--out", a.out, "Folder of result.json; runs/NAME if not given")
      ->type_name("DIR");
  run->add_flag("--quiet", a.quiet, "Print nothing unless a check fails");
  run->footer(
      "Nodes are numbered (z * size_y + y) * size_x + x.\n"
      "\n"
      "Examples:\n"
      "  annelid run scenarios/edn-broadcast-8x8.toml\n"
      "  annelid run scenarios/edn-broadcast-8x8.toml --payload README.md --root 3,5\n"
      "  annelid run scenarios/edn-broadcast-8x8.toml --algorithm recursive-doubling --size 5x3\n"
      "  annelid run --operation broadcast --size 4x4x4 --bytes 1000 --root 3,0,2\n"
      "  annelid run --operation reduce --operator sum --type float32 --bytes 64 --firmware "
      "native\n"
      "  annelid run scenarios/two-tree-ideal.toml --topology mesh --embedding snake\n"
      "  annelid run --operation scan --operator affine --size 5x3 --ranks 13 --bytes 800\n"
      "  annelid run scenarios/edn-broadcast-8x8.toml --rtl all --flit-log rtl.log\n"
      "  annelid run scenarios/transpose-8x8.toml --timeline transpose.html\n"
      "  annelid run scenarios/edn-broadcast-8x8.toml --wave edn.fst && gtkwave edn.gtkw\n"
      "\n"
      "Exit status: 0 every check held; 1 a check failed or the run could not finish; 2 bad "
      "input.");
  return run;
}

}  // namespace annelid::cli
