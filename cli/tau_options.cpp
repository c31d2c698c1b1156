#include <CLI/CLI.hpp>

#include "cli/tau_command.hpp"

namespace annelid::cli {

CLI::App* add_tau_command(CLI::App& program, TauArguments& a) {
  CLI::App* tau = program.add_subcommand(
      "tau", "Fit T = T_s + T_n L to runs of several lengths, and compare algorithms");
  tau->add_option("result", a.results, "result.json of `annelid run`, or a folder that has one")
      ->required()
      ->type_name("RESULT");
  tau->add_option("--out", a.out, "Folder of tau.csv and the tau-plot, tau.svg and tau.png")
      ->type_name("DIR");
  tau->footer(
      "Runs that differ in nothing but their length (and root and seed) are one line, fitted with "
      "the least squares.\n"
      "\n"
      "Example:\n"
      "  for n in 512 1024 4096; do for a in edn recursive-doubling; do\n"
      "    annelid run --firmware native --algorithm $a --bytes $n --alpha 28 --out runs/$a-$n\n"
      "  done; done\n"
      "  annelid tau runs/edn-* runs/recursive-doubling-* --out runs/tau\n"
      "\n"
      "Exit status: 0 fitted; 2 bad input.");
  return tau;
}

}  // namespace annelid::cli
