#include <CLI/CLI.hpp>
#include <algorithm>

#include "cli/check_command.hpp"
#include "cli/key_options.hpp"
#include "simulation/scenario/network_keys.hpp"

namespace annelid::cli {

CLI::App* add_check_command(CLI::App& program, CheckArguments& a) {
  CLI::App* check = program.add_subcommand(
      "check", "Hold the firmware of one or all algorithms against the reference");
  check->add_option("--operation", a.operation, "broadcast, reduce, ...; all if not given")
      ->type_name("NAME");
  check->add_option("--algorithm", a.algorithm, "edn, recursive-doubling, ...; all if not given")
      ->type_name("NAME");
  static std::vector<simulation::Key> keys;
  if (keys.empty()) {
    std::ranges::copy_if(simulation::network_keys(), std::back_inserter(keys),
                         [](const simulation::Key& key) {
                           return std::string_view(key.name).starts_with("network.");
                         });
  }
  add_key_options(*check, keys, a.network, "This network alone");
  check->add_flag("--torus", a.torus, "All its dimensions are rings: --topology torus")
      ->group("This network alone");
  check
      ->add_option("--ranks", a.ranks,
                   "Of algorithms by rank: these numbers of ranks, 130 or 1:130, on ideal networks "
                   "just large enough, or on this network")
      ->type_name("P|P:P");
  check
      ->add_option("--samples", a.samples,
                   "Of --ranks: so many numbers, drawn by --seed; all if not given")
      ->type_name("N");
  check->add_option("--router", a.router, "all-port or one-port; both if not given")
      ->type_name("NAME");
  check
      ->add_option("--firmware", a.firmware,
                   "native, rv32 or the path of an RV32 ELF file; the first two if not given")
      ->type_name("WHAT");
  check->add_option("--seed", a.seed, "Of sampled roots, contents and skews; 1 if not given")
      ->type_name("N");
  check->add_option("--jobs", a.jobs, "Processes at the same time; one per core if not given")
      ->type_name("N");
  check->add_flag("--quick", a.quick,
                  "Up to 64 nodes, shorter payloads, fewer roots: a minute or two");
  check->add_flag("--quiet", a.quiet, "Print nothing unless something differs");
  check->footer(
      "Bytes at every node, the messages of every step, and contention, for payloads of 0 to "
      "65,536 bytes and every root or a sample: docs/user-guide.md. Short calls are made on native "
      "and RV32 firmware and on both kinds of routers, longer ones in fewer combinations; those "
      "that would take too long are left out and counted at the end.\n"
      "\n"
      "Examples:\n"
      "  annelid check --quick\n"
      "  annelid check --algorithm edn\n"
      "  annelid check --quick --algorithm auto\n"
      "  annelid check --operation reduce --size 16x16\n"
      "  annelid check --algorithm u-torus --size 8x8 --torus --router all-port --firmware native\n"
      "  annelid check --algorithm two-tree --ranks 1:130\n"
      "  annelid check --ranks 131:4096 --samples 12 --seed 7\n"
      "\n"
      "Exit status: 0 all equal; 1 something differs, and the first difference of each algorithm "
      "is shown; 2 bad input.");
  return check;
}

}  // namespace annelid::cli
