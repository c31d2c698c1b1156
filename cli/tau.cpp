// `annelid tau`: the tau-model of a set of runs.
#include "studies/tau/tau.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "cli/commands.hpp"
#include "cli/standard_output.hpp"

namespace annelid::cli {
namespace {

namespace tau = reference::tau;
using studies::TauLine;

/// What the user wrote behind `annelid tau`.
struct TauArguments {
  std::vector<std::string> results;  ///< result.json files, or folders with one
  std::string out;                   ///< folder of table and plot; empty: none
};

CLI::App* add_options(CLI::App& program, TauArguments& a) {
  CLI::App* tau = program.add_subcommand(
      "tau",
      "Fits a start-up time and a time per byte to runs of several lengths, and compares them.");
  tau->add_option("result", a.results,
                  "A result.json of `annelid run`, or a folder that holds one.")
      ->required()
      ->type_name("RESULT");
  tau->add_option(
         "--out", a.out,
         "Folder for tau.csv and the tau-plot, tau.svg and tau.png. Default: none are written.")
      ->type_name("DIR");
  tau->footer(
      "Runs that differ only in their length, root and seed form one line, which is fitted by "
      "least "
      "squares. docs/how-to/fit-the-tau-model.md explains the output.\n"
      "\n"
      "Example:\n"
      "  for n in 512 1024 4096; do for a in edn recursive-doubling; do\n"
      "    annelid run --firmware native --algorithm $a --bytes $n --alpha 28 --out "
      "runs/lengths/$a-$n\n"
      "  done; done\n"
      "  annelid tau runs/lengths/* --out runs/tau\n"
      "\n"
      "Exit status: 0 if the lines were fitted; 2 for bad input.");
  return tau;
}

std::string region_name(tau::Region region) {
  constexpr std::array kNames = {"A: faster at every length", "B: slower at every length",
                                 "C: for long messages", "D: for short messages",
                                 "on an axis of its plot"};
  return kNames[static_cast<std::size_t>(region)];
}

void print(const std::vector<TauLine>& lines) {
  const reproduction::Table table = studies::tau_table(lines);
  std::size_t width = table.columns[0].size();
  for (const TauLine& l : lines) width = std::max(width, l.title.size());
  const auto row = [&](const std::vector<std::string>& c) {
    put("{:<{}}  {:>4}  {:>12}  {:>16}  {:>12}  {:>8}\n", c[0], width, c[1], c[2], c[3], c[4],
        c[5]);
  };
  row(table.columns);
  for (const auto& r : table.rows) row(r);
  for (std::size_t a = 0; a < lines.size(); ++a) {
    for (std::size_t b = a + 1; b < lines.size(); ++b) {
      const auto length = tau::crossover_length(lines[a].fit.line, lines[b].fit.line);
      put("\n{}\n  seen from {}: region {}{}\n", lines[b].title, lines[a].title,
          region_name(tau::region(lines[b].fit.line, lines[a].fit.line)),
          length ? fmt::format("; L* = {:.1f} bytes", *length) : "");
    }
  }
}

int run(const TauArguments& a) {
  const std::vector<TauLine> lines = studies::fit_tau(a.results);
  print(lines);
  if (!a.out.empty()) studies::write_tau(lines, a.out);
  return 0;
}

}  // namespace

Command add_tau(CLI::App& program) { return command<TauArguments>(program, add_options, run); }

}  // namespace annelid::cli
