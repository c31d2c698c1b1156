// `annelid reproduce`: the tables and figures of the papers, reproduced in simulation.
#include "studies/reproduce/reproduce.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <string>
#include <vector>

#include "base/input_error.hpp"
#include "cli/commands.hpp"
#include "cli/engines.hpp"
#include "cli/key_options.hpp"
#include "cli/progress_line.hpp"
#include "cli/standard_output.hpp"

namespace annelid::cli {
namespace {

using reproduction::Claim;
using reproduction::Item;
using reproduction::Section;

const std::vector<std::string> kListAlone = {"list"};

/// The arguments of `annelid reproduce`.
struct ReproduceArguments {
  studies::ReproduceOptions options;  ///< "list" as its only item: no reproduction
  std::string out, document;
  EngineOptions engine;
  bool no_plots = false, quiet = false;
};

CLI::App* add_options(CLI::App& program, ReproduceArguments& a) {
  studies::ReproduceOptions& o = a.options;
  CLI::App* reproduce = program.add_subcommand(
      "reproduce", "Repeats tables and figures of the papers, and compares the results.");
  reproduce
      ->add_option("item", o.items,
                   "Items such as fig3.15 and table5.1; all for all of them; list to list them.")
      ->required()
      ->type_name("ITEM");
  reproduce
      ->add_option("--out", a.out,
                   "Folder for tables, plots and comparisons. Default: runs/reproduce.")
      ->type_name("DIR");
  reproduce
      ->add_option(
          "--document", a.document,
          "Also writes all items into one Markdown file, with the plots in images/reproduction "
          "beside it. The program must have been built from a commit without changes.")
      ->type_name("FILE");
  reproduce
      ->add_option("--jobs", o.processes,
                   "Simulations that run at a time. Default: one for each core.")
      ->type_name("N")
      ->check(CLI::Range(1, 1024));
  reproduce
      ->add_option(
          "--sources", o.sources,
          "Random sources for each latency of a broadcast. Default: 100, as in the papers, "
          "or all nodes of smaller networks.")
      ->type_name("N")
      ->check(CLI::Range(1, 65536));
  add_engine_options(*reproduce, a.engine);
  add_control_vc_option(*reproduce, o.routers);
  reproduce->add_option("--date", o.date, "Date in the document. Default: today.")
      ->type_name("TEXT");
  reproduce->add_flag("--fresh", o.fresh,
                      "Simulates everything again, even where a result is kept.");
  reproduce->add_flag("--any-build", o.any_build,
                      "Also uses kept results of other builds of the program.");
  reproduce->add_flag("--no-plots", a.no_plots, "Draws no plots.");
  reproduce->add_flag("--quiet", a.quiet, "Prints nothing.");
  reproduce->footer(
      "Each item writes ITEM.csv, ITEM.svg, ITEM.png and ITEM.md. ITEM.md shows the paper's "
      "numbers "
      "and claims beside those of Annelid, each with a verdict.\n"
      "You can interrupt the command and start it again: it keeps simulations whose results are in "
      "measurements.json.\n"
      "\n"
      "Examples:\n"
      "  annelid reproduce list\n"
      "  annelid reproduce fig3.15\n"
      "  annelid reproduce fig3.15 --sources 8 --out runs/fig3.15\n"
      "  annelid reproduce table5.3 --control-vc false --out runs/shared-vcs\n"
      "  annelid reproduce all --document reproduced/reproduction.md\n"
      "  annelid reproduce all --engine slurm --tasks 20\n"
      "\n"
      "Exit status: 0 if all items are done, even where they differ from the paper; 1 if a "
      "simulation "
      "or its check failed; 2 for bad input.");
  reproduce->callback([reproduce, &a] {
    if (a.options.items == kListAlone) require_alone(*reproduce, "list");
  });
  return reproduce;
}

int print_list() {
  int seconds = 0;
  for (const Item& item : reproduction::items()) {
    put("{:<18} {:>5}  {} ({})\n", item.id,
        item.seconds == 0 ? "" : fmt::format("{} s", item.seconds), item.title, item.source);
    seconds += item.seconds;
  }
  put("\n{} items, about {} minutes on two cores\n", reproduction::items().size(),
      (seconds + 59) / 60);
  return 0;
}

void print_claims(const Section& section) {
  put("{}: {} ({})\n", section.item->id, section.item->title, section.item->source);
  for (const Claim& c : section.outcome.claims) {
    std::string claimed = c.paper.empty() ? "" : "paper " + c.paper + "; ";
    if (!c.computed.empty()) claimed += "computed " + c.computed + "; ";
    put("  {:<16}  {}\n{:20}{}ours {}{}{}\n", name_of(c.verdict), c.text, "", claimed, c.ours,
        c.deviation ? fmt::format(" ({:+.1f} %)", 100 * *c.deviation) : "",
        c.evidence ? fmt::format("; {}", name_of(*c.evidence)) : "");
    if (!c.why.empty()) put("{:20}{}\n", "", c.why);
    if (c.verdict != reproduction::Verdict::kDiffers) continue;
    for (const reproduction::Measured& m : c.runs) {
      put("{:20}{} cycles: annelid run {} --account\n", "", m.cycles(), m.run().line());
    }
  }
}

/// Returns the exit status 0, also if claims differ: that is what is to be found out.
void print(const studies::ReproduceReport& report, const std::filesystem::path& folder,
           const std::string& document) {
  const std::vector<Claim> claims = report.claims();
  put("\n  {} claims: {}\n  {} runs simulated, {} kept, {:.0f} s\n  results   {}\n", claims.size(),
      verdict_counts(claims), report.simulated, report.kept, report.seconds, folder.string());
  if (!document.empty()) put("  document  {}\n", document);
}

int run(const ReproduceArguments& a) {
  studies::ReproduceOptions options = a.options;
  if (options.items == kListAlone) return print_list();
  if (!options.date.empty() && a.document.empty()) {
    throw InputError("--date", "the option without --document", "--document FILE");
  }
  const bool slurm = on_slurm(a.engine);
  const ShardedStudy study(a.engine.shard, a.out, "runs/reproduce");
  options.folder = study.folder();
  options.shard = study.shard();
  options.document = a.document;
  options.plots = !a.no_plots;
  options.commit = build_commit();
  ProgressLine progress(!a.quiet);
  // Several items get a line each while they go by, a single one its claims.
  const std::size_t chosen = studies::chosen_items(options.items).size();
  const bool one = chosen == 1;
  const auto done = [&](const Section& section) {
    if (a.quiet) return;
    if (one) return print_claims(section);
    put("{:<18} {}\n", section.item->id, verdict_counts(section.outcome.claims));
    std::fflush(stdout);  // also into a pipe: it takes minutes
  };
  if (slurm && options.fresh) {
    throw InputError("--fresh", "the option beside --engine slurm",
                     "another folder (--out): the same command again continues in this one");
  }
  studies::ReproduceReport report;
  StudySteps steps{.jobs = options.processes, .quiet = a.quiet};
  steps.results = [] { return std::size_t{0}; };
  steps.run = [&] { report = run_reproduce(options, done, progress); };
  steps.done = [&] {
    return fmt::format("{} of {} items, {} runs simulated, {} kept", report.sections.size(), chosen,
                       report.simulated, report.kept);
  };
  steps.end = [&] {
    if (!a.quiet) print(report, study.folder(), a.document);
    return 0;
  };
  return run_study(a.engine, study, steps, progress);
}

}  // namespace

Command add_reproduce(CLI::App& program) {
  return command<ReproduceArguments>(program, add_options, run);
}

}  // namespace annelid::cli
