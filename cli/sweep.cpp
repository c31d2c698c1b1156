// `annelid sweep`: a grid of `annelid traffic`, over all cores, to one CSV file and its curves.
#include "studies/sweep/sweep.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "cli/commands.hpp"
#include "cli/engines.hpp"
#include "cli/installed_files.hpp"
#include "cli/key_options.hpp"
#include "cli/progress_line.hpp"
#include "cli/standard_output.hpp"
#include "studies/common/kept_files.hpp"

namespace annelid::cli {
namespace {

using studies::SweepCurve;
using studies::SweepReport;

/// The arguments of `annelid sweep`.
struct SweepArguments {
  std::string scenario;  ///< empty: the defaults, and options
  std::vector<simulation::Override> overrides;
  std::vector<std::string> sweeps;  ///< KEY=VALUES
  std::string out;
  EngineOptions engine;
  int jobs = 0;  ///< 0: one per core
  bool stop_when_saturated = false, cost = false, no_plots = false, quiet = false;
};

CLI::App* add_options(CLI::App& program, SweepArguments& a) {
  static const std::vector<simulation::Key> kKeys = simulation::traffic_keys();
  CLI::App* sweep = program.add_subcommand(
      "sweep", "Measures a network over a grid of parameters, and draws curves.");
  sweep->add_option("scenario", a.scenario,
                    "Scenario file of `annelid traffic` with a table [sweep]. Without one, all "
                    "values come from options.");
  sweep
      ->add_option(
          "--sweep", a.sweeps,
          "A key and its values: KEY=A,B,C or KEY=FROM:TO:STEP. May be given several times.")
      ->type_name("KEY=VALUES")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  const std::array flags = {&a.stop_when_saturated, &a.cost};  // as in studies::sweep_flags()
  for (std::size_t i = 0; i < flags.size(); ++i) {
    const simulation::Key& key = studies::sweep_flags()[i];
    sweep->add_flag(key.option, *flags[i], key.help);
  }
  sweep
      ->add_option("--jobs", a.jobs,
                   "Points that are simulated at a time. Default: one for each core.")
      ->type_name("N")
      ->check(CLI::Range(1, 1024));
  sweep->add_option("--out", a.out, "Folder for sweep.csv and the curves. Default: runs/NAME.")
      ->type_name("DIR");
  add_engine_options(*sweep, a.engine);
  sweep->add_flag("--no-plots", a.no_plots, "Draws no curves.");
  sweep->add_flag("--quiet", a.quiet, "Prints nothing.");
  add_key_options(*sweep, kKeys, a.overrides);
  add_set_option(*sweep, kKeys, a.overrides);
  sweep->footer(
      "The points are all combinations of the values; the last key varies fastest. You can "
      "interrupt a sweep and start it again: it keeps points whose rows are in sweep.csv.\n"
      "\n"
      "Examples:\n"
      "  annelid sweep scenarios/sweep-vcs.toml\n"
      "  annelid sweep --sweep router.vcs=1,2,4 --sweep traffic.load=0.05:0.5:0.05\n"
      "  annelid sweep --sweep traffic.pattern=uniform,transpose --sweep traffic.load=0.1:0.4:0.1 "
      "\\\n"
      "      --size 16x16 --stop-when-saturated --out runs/patterns\n"
      "  annelid sweep --sweep router.stages=1,2,4 --sweep traffic.load=0.05:0.4:0.05 --cost\n"
      "  annelid sweep scenarios/sweep-vcs.toml --engine slurm --partition short --time 2:00:00\n"
      "\n"
      "Exit status: 0 if every point was measured; 1 if a point failed; 2 for bad input.");
  return sweep;
}

/// The loads between which a curve saturates: the last one that the network carried, and the first
/// one that it did not.
std::string interval(const SweepCurve& c) {
  if (!c.saturated_at) return c.held ? fmt::format("above {:.4g}", *c.held) : "-";
  return c.held ? fmt::format("{:.4g} and {:.4g}", *c.held, *c.saturated_at)
                : fmt::format("below {:.4g}", *c.saturated_at);
}

/// "  2 deadlocks", or nothing.
std::string count_text(std::size_t count, const char* what) {
  return count == 0 ? "" : fmt::format("  {} {}{}", count, what, count == 1 ? "" : "s");
}

/// What the columns above mean, where it is not obvious.
std::string remarks(const SweepReport& report) {
  const auto any = [&](std::size_t SweepCurve::*count) {
    return std::ranges::any_of(report.curves, [&](const SweepCurve& c) { return c.*count > 0; });
  };
  std::string text;
  if (any(&SweepCurve::false_alarms)) {
    text += fmt::format(
        "  false alarm: looked saturated, but not in a repeat {} times as long with another seed; "
        "it counts as carried\n",
        studies::Repeat::kLonger);
  }
  if (any(&SweepCurve::empty)) {
    text += "  empty point: no measured packet arrived, so it says nothing; measure longer\n";
  }
  for (const std::string& key : report.defaults) {
    text += fmt::format("  {}: its default differs between the curves; set it to compare equals\n",
                        key);
  }
  return text.empty() ? "" : "\n" + text;
}

/// Per curve: zero-load latency, and where it saturates.
std::string summary(const SweepReport& report) {
  std::string text = fmt::format("{}: {} points, {} simulated, {} kept\n\n", one_line(report.name),
                                 report.points, report.simulated, report.kept);
  std::size_t width = 5;
  for (const SweepCurve& c : report.curves) width = std::max(width, c.title.size());
  text +=
      fmt::format("  {:<{}}  zero load  saturates between  served up to   ideal\n", "curve", width);
  for (const SweepCurve& c : report.curves) {
    text += fmt::format("  {:<{}}  {:>9}  {:>17}  {:>12}  {:>6}", one_line(c.title), width,
                        text_or_dash(c.zero_load, "{:.2f}"), interval(c),
                        text_or_dash(c.served, "{:.4f}"), text_or_dash(c.ideal, "{:.4f}"));
    text += count_text(c.deadlocks, "deadlock") + count_text(c.empty, "empty point") +
            count_text(c.false_alarms, "false alarm");
    if (c.cost) {
      text += fmt::format("  {:.0f} um2, {:.2f} ns a cycle", c.cost->area_um2, c.cost->period_ns);
      if (c.zero_load) {
        text += fmt::format(", zero load {:.1f} ns", *c.zero_load * c.cost->period_ns);
      }
    }
    text += "\n";
  }
  return text + remarks(report);
}

void print(const SweepReport& report) {
  put_text(summary(report));
  put("\n  rows      {}\n", report.rows.string());
  if (!report.drawing.empty()) {
    put("  curves    {}, curves.png\n", report.drawing.string());
  }
}

int run(const SweepArguments& a) {
  (void)on_slurm(a.engine);  // refused before anything is read
  studies::SweepGrid grid = studies::SweepGrid::read(a.scenario, a.overrides, a.sweeps);
  grid.stop_when_saturated |= a.stop_when_saturated;
  grid.cost |= a.cost;
  const ShardedStudy study(a.engine.shard, a.out, result_folder("", grid.name));
  ProgressLine progress(!a.quiet);
  study.require_apart({{"the scenario", a.scenario}},
                      {studies::kSweepRows, "curves.gp", "curves.svg", "curves.png"});
  SweepReport report;
  StudySteps steps{.jobs = a.jobs, .quiet = a.quiet};
  steps.results = [&] { return grid.points.size(); };
  steps.run = [&] {
    report = run_sweep(grid, {study.folder(), a.jobs, !a.no_plots, study.shard(), rtl_folder()},
                       progress);
  };
  steps.done = [&] {
    return fmt::format("{} of {} points, {} simulated, {} kept", report.points, grid.points.size(),
                       report.simulated, report.kept);
  };
  steps.end = [&] {
    if (!a.quiet) print(report);
    return 0;
  };
  return run_study(a.engine, study, steps, progress);
}

}  // namespace

Command add_sweep(CLI::App& program) { return command<SweepArguments>(program, add_options, run); }

}  // namespace annelid::cli
