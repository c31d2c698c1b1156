// `annelid tau`: the tau-model of a set of runs, and the models of communication.
#include "studies/tau/tau.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <filesystem>
#include <initializer_list>
#include <stdexcept>
#include <string>
#include <system_error>
#include <vector>

#include "base/command_files.hpp"
#include "base/input_error.hpp"
#include "base/parse_number.hpp"
#include "base/split.hpp"
#include "base/wrapped_text.hpp"
#include "cli/commands.hpp"
#include "cli/key_options.hpp"
#include "cli/plain_table.hpp"
#include "cli/progress_line.hpp"
#include "cli/standard_output.hpp"
#include "studies/tau/ccl_model.hpp"
#include "studies/tau/models.hpp"
#include "studies/tune/grid.hpp"

namespace annelid::cli {
namespace {

namespace tau = reference::tau;
using reference::LengthFunction;
using reproduction::Table;
using studies::ModelReport;
using studies::TauLine;

constexpr int kMostNodes = 1 << 20;
constexpr std::size_t kTextWidth = 100;

/// The arguments of `annelid tau`.
struct TauArguments {
  std::vector<std::string> results;  ///< result.json files, folders with one, files of times
  std::string f, nodes, model, bytes;
  std::vector<simulation::Override> overrides;
  std::string out;  ///< folder of table and plot; empty: none
};

CLI::App* add_options(CLI::App& program, TauArguments& a) {
  static const std::vector<simulation::Key> kKeys = studies::point_run_keys();
  CLI::App* tau = program.add_subcommand(
      "tau",
      "Fits a start-up time and a time per byte to runs of several lengths, and compares them. "
      "Fits the models Postal, LogP, LogGP, Hockney and Xu-Hwang.");
  tau->add_option("result", a.results,
                  "A result.json of `annelid run`, a folder that holds one, or a file of times: "
                  "CSV with a length in bytes and a time in each line, or what an OSU "
                  "micro-benchmark prints.")
      ->type_name("RESULT");
  tau->add_option("--f", a.f,
                  "f(L) in T = T_s + T_n f(L): a formula of the length L, with + - * / ^, log2, "
                  "ln, sqrt, ceil, floor, min and max. f(0) must be 0, and f must not fall. "
                  "Default: L.")
      ->type_name("FORMULA");
  tau->add_option(
         "--nodes", a.nodes,
         "Number of nodes of each file of times, in the order of the files. With --fit "
         "xu-hwang or ccl and no RESULT: the numbers of nodes to simulate; default: powers "
         "of two.")
      ->type_name("N,N,...");
  tau->add_option(
         "--fit", a.model,
         "Fits a model of communication: postal, logp, loggp, hockney or xu-hwang. "
         "Without RESULT, the runs that it needs are simulated. ccl fits CCL's T = C1 ts + "
         "C2 tc + f(C3) to operations on a network of one-port routers, by default the 4x4 "
         "mesh; its runs are always simulated.")
      ->type_name("MODEL");
  tau->add_option(
         "--out", a.out,
         "Folder for tau.csv and the tau-plot, tau.svg and tau.png. With --fit, for points.csv, "
         "parameters.csv and checks.csv. Default: none are written.")
      ->type_name("DIR");
  constexpr const char* kSimulated = "With --fit and no RESULT";
  tau->add_option(
         "--bytes", a.bytes,
         "Lengths of the messages: a list such as 8,64,4k, or a range such as 8:32k:8. "
         "Multiples of 8. Default: 8,64,512,4096,32768; 8 for Postal and LogP; 64,512,4096 "
         "for CCL.")
      ->type_name("SIZES")
      ->group(kSimulated);
  add_key_options(*tau, kKeys, a.overrides, kSimulated);
  tau->footer(
      "Runs that differ only in their length, root and seed form one line, which is fitted by "
      "least squares. Lines that differ only in the number of nodes, at least three, show how T_s "
      "and T_n grow with it. docs/how-to/fit-the-tau-model.md explains the output, and "
      "docs/how-to/fit-a-communication-model.md that of --fit.\n"
      "\n"
      "Examples:\n"
      "  for n in 512 1024 4096; do for a in edn recursive-doubling; do\n"
      "    annelid run --firmware native --algorithm $a --bytes $n --alpha 28 --out "
      "runs/lengths/$a-$n\n"
      "  done; done\n"
      "  annelid tau runs/lengths/* --out runs/tau\n"
      "  annelid tau runs/lengths/* --f 'L + 0.0001 * L^2'\n"
      "  annelid tau --fit logp --firmware native --alpha 28 --gamma 5\n"
      "  annelid tau --fit loggp --out runs/loggp\n"
      "  annelid tau runs/loggp/points.csv --fit loggp\n"
      "  annelid tau --fit xu-hwang --operation broadcast --algorithm binomial --nodes 2,4,8,16\n"
      "  annelid tau --fit ccl --topology torus --firmware native --alpha 28 --out runs/ccl\n"
      "\n"
      "Exit status: 0 if the lines were fitted; 1 if a simulated run failed; 2 for bad input.");
  return tau;
}

std::string region_name(tau::Region region) {
  constexpr std::array kNames = {"A: faster at every length", "B: slower at every length",
                                 "C: for long messages", "D: for short messages",
                                 "on an axis of its plot"};
  return kNames[static_cast<std::size_t>(region)];
}

void print_lines(const std::vector<TauLine>& lines, const LengthFunction& f) {
  const Table table = studies::tau_table(lines, f);
  std::size_t width = table.columns[0].size();
  for (const TauLine& l : lines) width = std::max(width, l.title.size());
  const auto row = [&](const std::vector<std::string>& c) {
    put("{:<{}}  {:>4}  {:>12}  {:>16}  {:>12}  {:>8}\n", c[0], width, c[1], c[2], c[3], c[4],
        c[5]);
  };
  row(table.columns);
  for (const auto& r : table.rows) row(r);
  if (!f.is_length()) put("\nf(L) = {}\n", f.text());
}

void print_families(const std::vector<TauLine>& lines,
                    const std::vector<studies::TauFamily>& families) {
  for (const studies::TauFamily& family : families) {
    put("\n{}\n  {:>8}  {:>12}  {:>16}\n", family.title, "N", "T_s(N)", "T_n(N)");
    for (const std::size_t i : family.lines) {
      put("  {:>8}  {:>12.6g}  {:>16.5g}\n", lines[i].nodes, lines[i].fit.line.start,
          lines[i].fit.line.per_length);
    }
    put("  T_s(N) = {}\n  T_n(N) = {}\n", studies::growth_text(family.start),
        studies::growth_text(family.per_length));
  }
}

/// Every two lines, except those of a family.
void print_comparisons(const std::vector<TauLine>& lines, const LengthFunction& f,
                       const std::vector<studies::TauFamily>& families) {
  const auto of_one_family = [&](std::size_t a, std::size_t b) {
    return std::ranges::any_of(families, [&](const studies::TauFamily& family) {
      return std::ranges::count(family.lines, a) > 0 && std::ranges::count(family.lines, b) > 0;
    });
  };
  for (std::size_t a = 0; a < lines.size(); ++a) {
    for (std::size_t b = a + 1; b < lines.size(); ++b) {
      if (of_one_family(a, b)) continue;
      const auto length = tau::crossover_length(lines[a].fit.line, lines[b].fit.line, f);
      put("\n{}\n  seen from {}: region {}{}\n", lines[b].title, lines[a].title,
          region_name(tau::region(lines[b].fit.line, lines[a].fit.line)),
          length ? fmt::format("; L* = {:.1f} bytes", *length) : "");
    }
  }
}

void print_report(const ModelReport& report) {
  const auto& fit = report.fit;
  put("{}: {}\n{}\n\n", name_of(fit.model), equation_of(fit.model), report.title);
  if (fit.lines.empty()) {
    print_plain_table(studies::parameter_table(report), 1, true);
  } else {
    print_plain_table(studies::nodes_table(report), 0, false);
    put("\n");
    for (const std::string& line : studies::growth_lines(report)) put("  {}\n", line);
  }
  put("\n");
  print_plain_table(studies::point_table(report), 0, false);
  put("\n  {} points, {} unknowns; largest deviation {:.2f} %{}\n", fit.points.size(), fit.unknowns,
      100 * fit.worst,
      fit.worst_left_out ? fmt::format("; of a point that is left out of the fit {:.2f} %",
                                       100 * *fit.worst_left_out)
                         : "");
  if (!report.checks.empty()) {
    put("\n");
    print_plain_table(studies::check_table(report), 1, false);
  }
  for (const std::string& remark : fit.remarks) put_text("\n" + wrapped(remark, kTextWidth) + "\n");
  if (!report.commands.empty()) {
    put("\nEach point is a run. The last one is\n  {}\n", report.commands.back());
  }
}

std::vector<int> parse_nodes(const std::string& text) {
  std::vector<int> nodes;
  if (text.empty()) return nodes;
  for (const std::string_view part : split(text, ",")) {
    const auto n = parse_number<int>(part);
    if (!n || *n < 1 || *n > kMostNodes) {
      throw InputError("--nodes", fmt::format("\"{}\"", part),
                       fmt::format("numbers of 1 to {} nodes, as in 2,4,8", kMostNodes));
    }
    nodes.push_back(*n);
  }
  return nodes;
}

LengthFunction parse_function(const std::string& text) {
  if (text.empty()) return {};
  try {
    return LengthFunction::parse(text);
  } catch (const std::invalid_argument& error) {
    throw InputError("--f", error.what());
  }
}

/// What has no effect beside the other arguments.
void require_effect(const TauArguments& a) {
  const bool simulates = a.results.empty() && !a.model.empty();
  if (a.results.empty() && a.model.empty()) {
    throw InputError("RESULT", "no file",
                     "at least one, or --fit with a model whose runs are simulated");
  }
  if (!a.model.empty() && !a.f.empty()) {
    throw InputError("--f", "a value beside --fit", "one of the two: the models have a length L");
  }
  if (simulates) return;
  const char* const idle = !a.bytes.empty()      ? "--bytes"
                           : a.overrides.empty() ? nullptr
                                                 : a.overrides.front().option.c_str();
  if (idle != nullptr) {
    throw InputError(idle, "a value for runs that are not simulated",
                     "one only with --fit and without RESULT");
  }
}

/// Results stand beside each other in a folder, whatever else is in it, but replace no input.
void require_results_apart(const TauArguments& a, std::initializer_list<const char*> results) {
  if (a.out.empty()) return;
  CommandFiles files;
  for (const std::string& result : a.results) {
    std::error_code error;
    const bool folder = std::filesystem::is_directory(result, error);
    files.reads("RESULT", folder ? std::filesystem::path(result) / "result.json"
                                 : std::filesystem::path(result));
  }
  files.writes("--out", a.out, results);
}

std::vector<std::uint64_t> lengths_of(const TauArguments& a) {
  return a.bytes.empty() ? std::vector<std::uint64_t>() : studies::parse_sizes(a.bytes, "--bytes");
}

int run_ccl(const TauArguments& a) {
  if (!a.results.empty()) {
    throw InputError("RESULT", "a file for CCL", "none: the runs of --fit ccl are simulated");
  }
  ProgressLine progress(true);
  const studies::CclReport report =
      studies::simulate_ccl({a.overrides, lengths_of(a), parse_nodes(a.nodes)}, progress);
  if (!a.out.empty()) studies::write_ccl(report, a.out);
  put("CCL: {}\n{}\n\n", reference::ccl::kEquation, report.title);
  print_plain_table(studies::ccl_parameters(report), 1, true);
  put("\n");
  print_plain_table(studies::ccl_deviations(report), 1, false);
  put("\nEach point is a run. The last one of the fit is\n  {}\n", studies::last_of_fit(report));
  return 0;
}

int run_model(const TauArguments& a) {
  if (a.model == "ccl") return run_ccl(a);
  const reference::models::Model model = studies::model_of(a.model);
  require_results_apart(a, {"points.csv", "parameters.csv", "checks.csv"});
  const std::vector<int> nodes = parse_nodes(a.nodes);
  std::vector<ModelReport> reports;
  if (a.results.empty()) {
    ProgressLine progress(true);
    reports.push_back(
        studies::simulate_model(model, {a.overrides, lengths_of(a), nodes}, progress));
  } else {
    reports = studies::fit_model(model, a.results, nodes);
  }
  if (!a.out.empty() && reports.size() > 1) {
    throw InputError("--out", fmt::format("{} fits", reports.size()), "results that form one fit");
  }
  if (!a.out.empty()) studies::write_model(reports.front(), a.out);
  for (std::size_t i = 0; i < reports.size(); ++i) {
    if (i > 0) put("\n");
    print_report(reports[i]);
  }
  return 0;
}

int run(const TauArguments& a) {
  require_effect(a);
  if (!a.model.empty()) return run_model(a);
  const LengthFunction f = parse_function(a.f);
  require_results_apart(a, {"tau.csv", "tau.gp", "tau.svg", "tau.png"});
  const std::vector<TauLine> lines = studies::fit_tau(a.results, {f, parse_nodes(a.nodes)});
  const std::vector<studies::TauFamily> families = studies::tau_families(lines);
  print_lines(lines, f);
  print_families(lines, families);
  print_comparisons(lines, f, families);
  if (!a.out.empty()) studies::write_tau(lines, a.out, f);
  return 0;
}

}  // namespace

Command add_tau(CLI::App& program) { return command<TauArguments>(program, add_options, run); }

}  // namespace annelid::cli
