// `annelid check`: the firmware on simulated networks against the reference, algorithm by
// algorithm.
#include "studies/check/check.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include "cli/commands.hpp"
#include "cli/engines.hpp"
#include "cli/key_options.hpp"
#include "cli/progress_line.hpp"
#include "cli/standard_output.hpp"
#include "simulation/scenario/network_keys.hpp"
#include "simulation/scenario/nic_keys.hpp"
#include "studies/common/kept_files.hpp"

namespace annelid::cli {
namespace {

using reference::Algorithm;
using studies::CheckReport;
using studies::CheckRow;
using studies::JobResult;
using studies::LeftOut;

/// The arguments of `annelid check`.
struct CheckArguments {
  studies::CheckOptions options;
  std::string out;
  EngineOptions engine;
  bool torus = false, quiet = false;
};

CLI::App* add_options(CLI::App& program, CheckArguments& a) {
  studies::CheckOptions& o = a.options;
  CLI::App* check = program.add_subcommand(
      "check", "Checks the firmware of one or all algorithms against the reference.");
  check->add_option("--operation", o.operation, "The only operation to check. Default: all.")
      ->type_name("NAME");
  check
      ->add_option("--algorithm", o.algorithm,
                   "The only algorithm to check, or auto. Default: all.")
      ->type_name("NAME");
  static const std::vector<simulation::Key> kNetwork = [] {
    std::vector<simulation::Key> keys;
    std::ranges::copy_if(simulation::network_keys(), std::back_inserter(keys),
                         [](const simulation::Key& key) {
                           return std::string_view(key.name).starts_with("network.");
                         });
    for (simulation::Key& key : keys) key.otherwise = "";  // all networks
    return keys;
  }();
  add_key_options(*check, kNetwork, o.network, "The only network to check");
  add_control_vc_option(*check, o.routers);
  static const simulation::Key kEager = *std::ranges::find(
      simulation::nic_keys(), std::string_view("nic.eager_bytes"), &simulation::Key::name);
  add_key_options(*check, {&kEager, 1}, o.nics, check->get_help_ptr()->get_group());
  check->add_flag("--torus", a.torus, "The same as --topology torus.")
      ->group("The only network to check");
  check
      ->add_option("--ranks", o.ranks,
                   "Checks algorithms that serve groups with these numbers of ranks, as in 130 or "
                   "1:130. They "
                   "run on ideal networks just large enough, or on the network of --size.")
      ->type_name("P|P:P");
  check
      ->add_option(
          "--samples", o.samples,
          "Checks only N of the numbers in --ranks, drawn at random with --seed. Default: all.")
      ->type_name("N");
  check->add_option("--router", o.router, "The only kind of router: all-port or one-port.")
      ->type_name("NAME");
  check
      ->add_option("--firmware", o.firmware,
                   "The only firmware: native, rv32, or the path of an RV32 ELF file. Default: "
                   "native and rv32.")
      ->type_name("WHAT");
  check
      ->add_option("--seed", o.seed, "Seed of sampled roots, of contents and of skews. Default: 1.")
      ->type_name("N")
      ->check(CLI::Range(0, 1'000'000'000));
  check
      ->add_option("--jobs", o.processes,
                   "Processes that run at a time. Default: one for each core.")
      ->type_name("N")
      ->check(CLI::Range(1, 1024));
  check
      ->add_option("--out", a.out,
                   "Folder that keeps the results of the jobs, in check.csv. An interrupted check "
                   "continues from there. Default: none, and runs/check for shards and Slurm.")
      ->type_name("DIR");
  add_engine_options(*check, a.engine);
  check->add_flag(
      "--quick", o.quick,
      "Takes a minute or two: networks of up to 64 nodes, short payloads, a few roots.");
  check->add_flag(
      "--prepared", o.prepared,
      "Prepares each call, starts it three times with other data, and frees it. Every third call "
      "plays together with the one before it.");
  check->add_flag("--quiet", a.quiet, "Prints nothing unless something differs.");
  check->footer(
      "Each call compares the bytes at every node, the messages of every step, and the contention. "
      "The calls cover networks, both kinds of routers, native and RV32 firmware, payloads of 0 to "
      "65536 bytes, and every root or a sample of them. Short calls run in every combination, "
      "longer ones in fewer. Calls that would take too long are left out, and counted at the end.\n"
      "docs/how-to/check-firmware.md explains the table that is printed.\n"
      "\n"
      "Examples:\n"
      "  annelid check --quick\n"
      "  annelid check --algorithm edn\n"
      "  annelid check --quick --prepared --algorithm edn\n"
      "  annelid check --quick --algorithm auto\n"
      "  annelid check --quick --control-vc false\n"
      "  annelid check --quick --size 4x4 --eager-bytes 0\n"
      "  annelid check --operation reduce --size 16x16\n"
      "  annelid check --algorithm u-torus --size 8x8 --torus --router all-port --firmware native\n"
      "  annelid check --algorithm two-tree --ranks 1:130\n"
      "  annelid check --ranks 131:4096 --samples 12 --seed 7\n"
      "  annelid check --quick --algorithm edn --shard 1/2\n"
      "  annelid check --engine slurm --tasks 64\n"
      "\n"
      "Exit status: 0 if everything is equal; 1 if something differs (the first difference of each "
      "algorithm is shown); 2 for bad input.");
  return check;
}

const char* mark(bool held) { return held ? "equal" : "DIFFER"; }

std::string steps_text(const JobResult& r) {
  if (r.fewest_steps == r.most_steps) return std::to_string(r.most_steps);
  return fmt::format("{}..{}", r.fewest_steps, r.most_steps);
}

const char* reason(LeftOut::Why why) {
  switch (why) {
    case LeftOut::Why::kSampled:
      return "long, made with other roots or on other networks";
    case LeftOut::Why::kTooDear:
      return "would take too long:";
    case LeftOut::Why::kTooLarge:
      return "buffers of all nodes too large:";
    case LeftOut::Why::kTooLong:
      return "messages or a root's blocks of more than 16 MiB:";
  }
  return "";
}

/// The verdicts, a row for each algorithm.
void print_table(const CheckReport& report) {
  std::size_t width = 9, operations = 11;
  for (const CheckRow& row : report.rows) {
    width = std::max(width, row.algorithm->name.size());
    operations = std::max(operations, name_of(row.algorithm->operation).size());
  }
  put("{:<{}} {:<{}}  networks   runs    steps  bytes   schedule  stepwise       depth    "
      "control  verdict\n",
      "operation", operations, "algorithm", width);
  for (const CheckRow& row : report.rows) {
    const JobResult& s = row.sum;
    const bool failed = row.failed > 0;
    const std::string stepwise = !s.contention             ? "CONTENDS"
                                 : row.all_contention_free ? "none"
                                                           : std::to_string(s.stepwise);
    put("{:<{}} {:<{}}  {:>8} {:>6} {:>8}  {:<6}  {:<8}  {:>8}  {:>10}  {:>9}  ",
        name_of(row.algorithm->operation), operations, row.algorithm->name, width,
        row.networks.size(), s.runs, steps_text(s), mark(s.bytes), mark(s.schedule), stepwise,
        s.depth, s.control);
    put_coloured(failed ? Colour::kRed : Colour::kGreen,
                 failed ? fmt::format("FAILED, {} of {} jobs", row.failed, row.jobs) : "held");
    put("\n");
  }
}

/// The first difference of each algorithm that failed.
std::string differences(const CheckReport& report) {
  std::string text;
  for (const CheckRow& row : report.rows) {
    if (row.failed == 0) continue;
    text += fmt::format("\n{}\n  {}\n  {}\n", one_line(row.failed_job), row.sum.difference,
                        one_line(row.sum.command));
  }
  return text;
}

/// The calls that were not made.
std::string left_out(const CheckReport& report) {
  struct Calls {
    std::size_t count = 0;
    int fewest = 0, most = 0;  ///< nodes
  };
  // Algorithms as the catalogue has them.
  std::map<LeftOut::Why, std::map<const Algorithm*, std::map<std::uint64_t, Calls>>> reasons;
  for (const LeftOut& l : report.left_out) {
    Calls& calls = reasons[l.why][l.algorithm][l.bytes];
    calls.fewest = calls.count == 0 ? l.nodes : std::min(calls.fewest, l.nodes);
    calls.most = std::max(calls.most, l.nodes);
    ++calls.count;
  }
  std::string text;
  for (const auto& [why, algorithms] : reasons) {
    std::size_t sum = 0;
    std::string lines;
    for (const auto& [algorithm, payloads] : algorithms) {
      lines += fmt::format("  {} {}:", name_of(algorithm->operation), algorithm->name);
      const char* separator = " ";
      for (const auto& [bytes, calls] : payloads) {
        lines += fmt::format("{}{} bytes on ", separator, bytes);
        lines += calls.fewest == calls.most ? fmt::format("{} nodes", calls.most)
                                            : fmt::format("{}..{}", calls.fewest, calls.most);
        separator = ", ";
        sum += calls.count;
      }
      lines += "\n";
    }
    const bool sampled = why == LeftOut::Why::kSampled;
    text += fmt::format("\nleft out: {} call{}, {}\n{}", sum, sum == 1 ? "" : "s", reason(why),
                        sampled ? "" : lines);
  }
  return text;
}

/// Returns the exit status: 0, or 1 if anything differs.
void print(const CheckReport& report, std::uint64_t seed) {
  print_table(report);
  put_text(differences(report) + left_out(report));
  if (!report.ranks.empty()) {
    put("\nnumbers of ranks: {}\n", studies::numbers_text(report.ranks));
  }
  put("\n{} runs in {} jobs, seed {}, {:.0f} s: {}\n", report.runs, report.jobs, seed,
      report.seconds,
      report.passed() ? "all equal the reference" : fmt::format("{} jobs failed", report.failed));
}

int run(const CheckArguments& a) {
  studies::CheckOptions options = a.options;
  if (a.torus) options.network.push_back({"network.topology", "--torus", "torus"});
  const bool slurm = on_slurm(a.engine);
  const ShardedStudy study(a.engine.shard, a.out, "runs/check");
  options.shard = study.shard();
  if (study.shard() || slurm || !a.out.empty()) options.folder = study.folder();
  if (!options.folder.empty()) {
    study.require_apart({{"--firmware", options.firmware}}, {studies::kCheckRows});
  }
  ProgressLine progress(!a.quiet);
  CheckReport report;
  StudySteps steps{.jobs = options.processes, .quiet = a.quiet};
  steps.results = [&] { return studies::count_jobs(options, progress); };
  steps.run = [&] { report = run_check(options, progress); };
  steps.done = [&] {
    return fmt::format("{} jobs, {} runs, {} jobs failed", report.jobs, report.runs, report.failed);
  };
  steps.end_shard = [&] {
    put_text(differences(report));
    return report.passed() ? 0 : 1;
  };
  steps.end = [&] {
    if (!a.quiet || !report.passed()) print(report, options.seed);
    return report.passed() ? 0 : 1;
  };
  return run_study(a.engine, study, steps, progress);
}

}  // namespace

Command add_check(CLI::App& program) { return command<CheckArguments>(program, add_options, run); }

}  // namespace annelid::cli
