#include <CLI/CLI.hpp>

#include "cli/reproduce_command.hpp"

namespace annelid::cli {

CLI::App* add_reproduce_command(CLI::App& program, ReproduceArguments& a) {
  CLI::App* reproduce = program.add_subcommand(
      "reproduce", "Do the papers' tables and figures again, and hold ours against theirs");
  reproduce->add_option("item", a.items, "list, all, or items such as fig3.15 table5.1")
      ->required()
      ->type_name("ITEM");
  reproduce->add_option("--out", a.out, "Folder of tables, plots and side-by-sides")
      ->type_name("DIR")
      ->capture_default_str();
  reproduce
      ->add_option("--document", a.document,
                   "Write all that was asked for as one Markdown file too, its plots beside "
                   "it in images/reproduction")
      ->type_name("FILE");
  reproduce->add_option("--jobs", a.jobs, "Simulations at a time; one for each core if not given")
      ->type_name("N")
      ->check(CLI::Range(1, 1024));
  reproduce
      ->add_option("--sources", a.sources,
                   "Random sources for each broadcast latency (the papers: up to 100)")
      ->type_name("N")
      ->check(CLI::Range(1, 65536))
      ->capture_default_str();
  reproduce->add_option("--date", a.date, "Date in the document; today if not given")
      ->type_name("TEXT");
  reproduce->add_option("--commit", a.commit, "Commit in the document; what git says if not given")
      ->type_name("TEXT");
  reproduce->add_flag("--fresh", a.fresh, "Simulate also what is known from before");
  reproduce->add_flag("--any-build", a.any_build,
                      "Keep what another build of the program has simulated");
  reproduce->add_flag("--no-plots", a.no_plots, "Draw nothing");
  reproduce->add_flag("--quiet", a.quiet, "Print nothing");
  reproduce->footer(
      "Each item gives ITEM.csv, ITEM.svg, ITEM.png and ITEM.md: the paper's numbers and claims "
      "beside ours, with a verdict.\n"
      "An interrupted command goes on where it was: simulations whose results are in "
      "measurements.json are kept.\n"
      "\n"
      "Examples:\n"
      "  annelid reproduce list\n"
      "  annelid reproduce fig3.15\n"
      "  annelid reproduce fig3.14 --sources 100 --out runs/fig3.14\n"
      "  annelid reproduce all --document docs/reproduction.md\n"
      "\n"
      "Exit status: 0 done, whatever differs; 1 a simulation or its check failed; 2 bad input.");
  return reproduce;
}

}  // namespace annelid::cli
