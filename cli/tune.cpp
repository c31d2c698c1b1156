// `annelid tune`: which algorithm of an operation is the fastest, over message sizes and node
// counts.
#include "cli/tune.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <string>
#include <vector>

#include "cli/commands.hpp"
#include "cli/engines.hpp"
#include "cli/key_options.hpp"
#include "cli/progress_line.hpp"
#include "cli/standard_output.hpp"
#include "studies/common/kept_files.hpp"
#include "studies/tune/tune.hpp"

namespace annelid::cli {
namespace {

using studies::TuneCurve;
using studies::TuneResult;

/// The arguments of `annelid tune`.
struct TuneArguments {
  std::string scenario;  ///< empty: the defaults, and options
  std::vector<simulation::Override> overrides;
  std::string out;
  EngineOptions engine;
  int jobs = 0;  ///< 0: one per core
  bool no_plots = false, quiet = false;
};

CLI::App* add_options(CLI::App& program, TuneArguments& a) {
  static const std::vector<simulation::Key> kKeys = studies::tune_option_keys();
  CLI::App* tune = program.add_subcommand(
      "tune", "Finds the fastest algorithm of an operation for each message size.");
  tune->add_option(
      "scenario", a.scenario,
      "Scenario file (TOML) with a table [tune]. Without one, all values come from options.");
  add_key_options(*tune, kKeys, a.overrides);
  tune->add_option("--jobs", a.jobs,
                   "Runs that are simulated at a time. Default: one for each core.")
      ->type_name("N")
      ->check(CLI::Range(1, 1024));
  tune->add_option("--out", a.out,
                   "Folder for tune.csv, tune.json, tuned.inc and the curves. Default: runs/NAME.")
      ->type_name("DIR");
  add_engine_options(*tune, a.engine);
  tune->add_flag("--no-plots", a.no_plots, "Draws no curves.");
  tune->add_flag("--quiet", a.quiet, "Prints nothing.");
  tune->footer(
      "Every run has the checks of `annelid run`. A run that fails ends the tuning. You can "
      "interrupt "
      "a tuning and start it again: it keeps runs whose rows are in tune.csv.\n"
      "The algorithm auto uses the tunings that the firmware was built with. To build it with "
      "others, "
      "use cmake -DANNELID_TUNED=\"DIR;...\".\n"
      "\n"
      "Examples:\n"
      "  annelid tune --operation broadcast --size 8x8\n"
      "  annelid tune --operation broadcast,reduce --size 8x8 --router one-port --bytes 8:1M\n"
      "  annelid tune --operation scan --size 8x8 --topology ideal --ranks 4,16,64 --firmware "
      "native\n"
      "  annelid tune --operation all-reduce --sizes 4x4,8x8,16x16 --bytes 64,1k,16k --refine 3\n"
      "  annelid tune --algorithm two-tree,linear-pipeline,circulant --bytes 1k:1M:4\n"
      "  annelid tune --operation all-gather --algorithm intercom --hybrids 8 --size 5x7\n"
      "  annelid tune --operation broadcast --size 8x8 --prepared\n"
      "  annelid tune --operation broadcast --size 8x8 --columns native,first,prepared\n"
      "  annelid tune --operation all-to-all --radices true --size 4x4 --bytes 8,512\n"
      "  annelid tune --operation gather,all-to-all --size 4x4 --counts random:0..4096\n"
      "  annelid tune scenarios/tune-mesh.toml\n"
      "  annelid tune scenarios/tune-mesh.toml --engine slurm --tasks 8 --memory 4G\n"
      "\n"
      "Exit status: 0 if every run was measured; 1 if a run failed; 2 for bad input.");
  return tune;
}

std::string second_text(const TuneResult& r, std::size_t size) {
  const std::vector<std::size_t> ranking = r.ranking(size);
  if (ranking.size() < 2) return "";
  const TuneCurve &first = r.curves[ranking[0]], &second = r.curves[ranking[1]];
  const double more =
      static_cast<double>(second.cycles[size]) / static_cast<double>(first.cycles[size]) - 1;
  return fmt::format("{} (+{:.1f} %)", second.name, 100 * more);
}

std::string crossovers_text(const TuneResult& r, int refined) {
  if (r.bytes.size() < 2) return "";
  if (r.fastest.size() < 2) return "  no crossover: one algorithm is the fastest throughout\n";
  std::string text =
      fmt::format("  crossovers, interpolated between {}:\n",
                  refined > 0 ? fmt::format("sizes that {} round{} of bisection added", refined,
                                            refined == 1 ? "" : "s")
                              : "the sizes that were measured");
  for (std::size_t i = 1; i < r.fastest.size(); ++i) {
    text += fmt::format("    from {:>8} bytes  {} (before: {})\n", r.fastest[i].from,
                        r.curves[r.fastest[i].curve].name, r.curves[r.fastest[i - 1].curve].name);
  }
  return text;
}

void print(const studies::TuneGrid& grid, const studies::TuneReport& report) {
  put("{}: {} runs, {} simulated, {} kept\n\n", grid.name, grid.points.size(), report.simulated,
      grid.points.size() - report.simulated);
  for (const TuneResult& result : report.results)
    put_text(tune_summary(result, grid.refine) + "\n");
  for (const studies::HybridResult& result : report.hybrids)
    put_text(hybrids_summary(result) + "\n");
  put("  rows      {}\n  result    {}\n", report.rows.string(), report.json.string());
  if (!grid.has_counts && !grid.radices) put("  firmware  {}\n", report.header.string());
  if (!report.first_plot.empty()) {
    put("  curves    {}{}\n", report.first_plot.string(), report.results.size() > 1 ? ", …" : "");
  }
}

int run(const TuneArguments& a) {
  (void)on_slurm(a.engine);  // refused before anything is read
  studies::TuneGrid grid = studies::TuneGrid::read(a.scenario, a.overrides);
  const ShardedStudy study(a.engine.shard, a.out, result_folder("", grid.name));
  ProgressLine progress(!a.quiet);
  const simulation::Scenario& first = grid.points.front().scenario;
  study.require_apart(
      {{"the scenario", a.scenario}, {first.origin("firmware"), first.firmware.elf.string()}},
      {studies::kTuneRows, "tune.json", "tuned.inc"});
  studies::TuneReport report;
  StudySteps steps{.jobs = a.jobs, .quiet = a.quiet};
  steps.results = [&] { return grid.points.size(); };
  steps.run = [&] {
    report = run_tune(grid, {study.folder(), a.jobs, !a.no_plots, study.shard()}, progress);
  };
  steps.done = [&] {
    return fmt::format("{} of {} runs, {} simulated, {} kept", report.runs, grid.points.size(),
                       report.simulated, report.runs - report.simulated);
  };
  steps.end = [&] {
    if (!a.quiet) print(grid, report);
    return 0;
  };
  return run_study(a.engine, study, steps, progress);
}

}  // namespace

std::string tune_summary(const studies::TuneResult& r, int refined) {
  std::size_t width = 7;
  for (const TuneCurve& c : r.curves) width = std::max(width, c.name.size());
  std::string columns;
  for (const studies::CallKind kind : r.columns) columns += fmt::format("{:>9}  ", name_of(kind));
  std::string text =
      fmt::format("{}: {} algorithms{}\n\n  {:>8}  {:<{}}  {:>9}  bytes/cycle  {:>13}  {}second\n",
                  describe(*r.of), r.curves.size(),
                  r.calls == studies::CallKind::kPrepared ? ", prepared calls" : "", "bytes",
                  "fastest", width, "cycles", "control waits", columns);
  for (std::size_t i = 0; i < r.bytes.size(); ++i) {
    const std::size_t best = r.ranking(i).front();
    const TuneCurve& c = r.curves[best];
    text += fmt::format("  {:>8}  {:<{}}  {:>9}  {:>11.4f}  {:>13}  ", r.bytes[i], c.name, width,
                        c.cycles[i], r.bandwidth(best, i), c.control[i]);
    for (const studies::CallKind kind : r.columns) {
      text += fmt::format("{:>9}  ", c.columns.at(kind)[i]);
    }
    text += second_text(r, i) + "\n";
  }
  return text + "\n" + crossovers_text(r, refined);
}

std::string hybrids_summary(const studies::HybridResult& r) {
  std::string text = fmt::format(
      "{}: hybrids of intercom\n"
      "  the model: {:.0f} cycles for a step, and one for a word on its busiest channel\n\n"
      "  {:>8}  {:>7}  {:<20} {:>9} {:>9}  {:<20} {:>9} {:>7}  {:<20} {:>9}  model/cycles\n",
      describe(*r.of), r.start_up, "bytes", "hybrids", "chosen", "cycles", "slower", "best found",
      "cycles", "place", "model's first", "slower");
  for (const studies::HybridLength& length : r.lengths) {
    double least = 0, most = 0;
    for (const studies::HybridRun& run : length.runs) {
      const double ratio = run.candidate.model / static_cast<double>(run.cycles);
      least = least == 0 ? ratio : std::min(least, ratio);
      most = std::max(most, ratio);
    }
    const int processes = r.of->processes;
    const studies::HybridRun &best = length.best(), &first = length.runs.front();
    text += fmt::format(
        "  {:>8}  {:>7}  {:<20} {:>9} {:>+7.1f} %  {:<20} {:>9} {:>7}  {:<20} {:>+7.1f} %  {:.2f} "
        "to {:.2f}\n",
        length.bytes, length.hybrids, studies::hybrid_text(length.chosen, processes),
        length.chosen_cycles, 100 * length.loss_of_choice(),
        studies::hybrid_text(best.candidate.hybrid, processes), best.cycles, best.candidate.place,
        studies::hybrid_text(first.candidate.hybrid, processes), 100 * length.loss_of_model(),
        least, most);
  }
  return text;
}

Command add_tune(CLI::App& program) { return command<TuneArguments>(program, add_options, run); }

}  // namespace annelid::cli
