#include <CLI/CLI.hpp>

#include "cli/run_command.hpp"

namespace annelid::cli {

CLI::App* add_run_command(CLI::App& program, RunArguments& a) {
  CLI::App* run = program.add_subcommand("run", "Run a scenario and check its result");
  run->add_option("scenario", a.scenario, "Scenario file (TOML), e.g. from scenarios/")->required();

  // Options that change a value of the scenario: the key they set, and how they are explained.
  struct Override {
    const char *option, *key, *shape, *help;
  };
  static constexpr Override kOverrides[] = {
      {"--payload", "collective.payload", "FILE", "File to broadcast, up to 16 MiB"},
      {"--root", "collective.root", "X,Y", "Node that holds the payload"},
      {"--algorithm", "collective.algorithm", "NAME", "edn or recursive-doubling"},
      {"--size", "network.size", "NxM", "Nodes in x and y, 1 to 256 each"},
      {"--firmware", "firmware", "WHAT", "rv32, native, or the path of an RV32 ELF file"},
      {"--vcs", "router.vcs", "N", "Virtual channels per external channel, 1 to 8"},
      {"--depth", "router.depth", "N", "Flit buffer per virtual channel, 1 to 64"},
      {"--local-ports", "router.local_ports", "N", "Injection and ejection ports, 1 to 4"},
      {"--cycle-limit", "limits.cycles", "N", "Give up after this many cycles"},
  };
  for (const Override& o : kOverrides) {
    run->add_option_function<std::string>(
           o.option,
           [&a, key = o.key](const std::string& text) { a.overrides.emplace_back(key, text); },
           o.help)
        ->type_name(o.shape)
        ->group("Instead of the scenario's value");
  }
  run->add_option("--rtl", a.rtl, "Nodes whose router is the Verilated RTL: all, or numbers 3,4")
      ->type_name("NODES");
  run->add_option("--out", a.out, "Folder of result.json; runs/NAME if not given")
      ->type_name("DIR");
  run->add_option("--wave", a.wave, "Write a waveform for GTKWave, and a save file beside it")
      ->type_name("FILE.fst");
  run->add_option("--wave-nodes", a.wave_nodes,
                  "Nodes in the waveform, 3,4; the first 64 if not given")
      ->type_name("NODES");
  run->add_option("--flit-log", a.flit_log, "Write a line for each flit on each channel")
      ->type_name("FILE");
  run->add_flag("--quiet", a.quiet, "Print nothing unless a check fails");
  run->footer(
      "Nodes are numbered y * size_x + x.\n"
      "\n"
      "Examples:\n"
      "  annelid run scenarios/edn-broadcast-8x8.toml\n"
      "  annelid run scenarios/edn-broadcast-8x8.toml --payload README.md --root 3,5\n"
      "  annelid run scenarios/edn-broadcast-8x8.toml --algorithm recursive-doubling --size 5x3\n"
      "  annelid run scenarios/edn-broadcast-8x8.toml --rtl all --flit-log rtl.log\n"
      "  annelid run scenarios/edn-broadcast-8x8.toml --wave edn.fst && gtkwave edn.gtkw\n"
      "\n"
      "Exit status: 0 every check held; 1 a check failed or the run could not finish; 2 bad "
      "input.");
  return run;
}

}  // namespace annelid::cli
