// `annelid run`: a scenario in, a checked result out.
#include "simulation/run.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "cli/commands.hpp"
#include "cli/key_options.hpp"
#include "cli/output.hpp"
#include "cli/progress_line.hpp"
#include "cli/recording_options.hpp"

namespace annelid::cli {
namespace {

/// What the user wrote behind `annelid run`.
struct RunArguments {
  std::string scenario;
  std::vector<simulation::Override> overrides;  ///< in the given order
  simulation::RecordingOptions recordings;
  CoreArguments cores;
  std::string out;
  bool quiet = false;
};

CLI::App* add_options(CLI::App& program, RunArguments& a) {
  CLI::App* run = program.add_subcommand("run", "Run a scenario and check its result");
  run->add_option("scenario", a.scenario,
                  "Scenario file (TOML), e.g. from scenarios/; if not given, options alone count");

  static const std::vector<simulation::Key> kKeys = simulation::run_keys();
  add_key_options(*run, kKeys, a.overrides);
  add_recording_options(*run, a.recordings);
  add_core_options(*run, a.cores);
  run->add_option("--out", a.out, "Folder of result.json; runs/NAME if not given")
      ->type_name("DIR");
  run->add_flag("--quiet", a.quiet, "Print nothing unless a check fails");
  run->footer(
      "Nodes are numbered (z * size_y + y) * size_x + x.\n"
      "\n"
      "Examples:\n"
      "  annelid run scenarios/edn-broadcast-8x8.toml\n"
      "  annelid run scenarios/edn-broadcast-8x8.toml --payload README.md --root 3,5\n"
      "  annelid run scenarios/edn-broadcast-8x8.toml --algorithm recursive-doubling --size 5x3\n"
      "  annelid run --operation broadcast --size 4x4x4 --bytes 1000 --root 3,0,2\n"
      "  annelid run --operation reduce --operator sum --type float32 --bytes 64 --firmware "
      "native\n"
      "  annelid run scenarios/two-tree-ideal.toml --topology mesh --embedding snake\n"
      "  annelid run --operation scan --operator affine --size 5x3 --ranks 13 --bytes 800\n"
      "  annelid run scenarios/edn-broadcast-8x8.toml --rtl all --flit-log rtl.log\n"
      "  annelid run scenarios/transpose-8x8.toml --timeline transpose.html\n"
      "  annelid run scenarios/edn-broadcast-8x8.toml --wave edn.fst && gtkwave edn.gtkw\n"
      "  annelid run scenarios/edn-broadcast-8x8.toml --profile\n"
      "  annelid run --operation ring_all_gather --firmware mine.elf --expected all-gather\n"
      "\n"
      "Exit status: 0 every check held; 1 a check failed or the run could not finish; 2 bad "
      "input.");
  return run;
}

std::string mark(simulation::Verdict verdict, bool colour) {
  constexpr std::string_view kGreen = "\033[32m", kRed = "\033[31m", kPlain = "\033[0m";
  if (verdict == simulation::Verdict::kNotRun) return "not run";
  const bool held = verdict == simulation::Verdict::kHeld;
  const std::string_view word = held ? "held   " : "FAILED ";
  return colour ? fmt::format("{}{}{}", held ? kGreen : kRed, word, kPlain) : std::string(word);
}

std::string firmware_text(const simulation::RunResult& r) {
  switch (r.scenario.firmware.kind) {
    case simulation::FirmwareChoice::Kind::kNative:
      return "native, no instruction cost";
    case simulation::FirmwareChoice::Kind::kElfFile:
      return fmt::format("{} on RV32IM, {} instructions", r.scenario.firmware.elf.string(),
                         r.instructions);
    default:
      return fmt::format("RV32IM, {} instructions", r.instructions);
  }
}

/// "1276 cycles", "1276 to 1900 cycles (mean 1500)".
std::string range_text(const simulation::CycleRange& cycles) {
  if (cycles.least == cycles.most) return fmt::format("{} cycles", cycles.least);
  return fmt::format("{} to {} cycles (mean {:.4g})", cycles.least, cycles.most, cycles.mean());
}

/// What the core needs; native firmware needs none.
std::string core_text(const simulation::RunResult& r) {
  const simulation::FirmwareCycles& cycles = r.firmware_cycles;
  if (r.scenario.firmware.kind == simulation::FirmwareChoice::Kind::kNative) return "";
  std::string text;
  if (cycles.call_to_send.cases > 0) {
    text = fmt::format("            {} from the call to the first send\n",
                       range_text(cycles.call_to_send));
  }
  if (cycles.receive_to_send.cases > 0) {
    text += fmt::format("            {} from a last flit to the next send\n",
                        range_text(cycles.receive_to_send));
  }
  return text;
}

/// `colour`: verdicts in the colours of a terminal.
std::string summary(const simulation::RunResult& r, bool colour) {
  const simulation::Scenario& s = r.scenario;
  std::string text;
  auto out = std::back_inserter(text);
  fmt::format_to(out, "{}: {}\n", s.name, describe(s.collective, s.network));
  fmt::format_to(
      out, "  {}  {} ({} bytes{}, crc32 {:08x})\n", s.payload.empty() ? "contents" : "payload ",
      s.payload.empty() ? fmt::format("random, seed {}", s.collective.seed) : s.payload.string(),
      s.collective.bytes,
      s.collective.operation() == reference::Operation::kBroadcast ? "" : " a block", r.crc32);
  fmt::format_to(out, "  firmware  {}\n{}", firmware_text(r), core_text(r));
  fmt::format_to(out, "  cycles    {}  (simulated in {:.2f} s)\n", r.cycles, r.host_seconds);
  fmt::format_to(out, "  messages  {} in {} steps, mean path {:.4g} hops; {} control packets\n\n",
                 r.messages(), r.steps.size(), r.mean_hops(), r.control.messages);
  // Columns without any wait are left out, but for stepwise and depth contention.
  std::uint64_t ejection = 0, injection = 0;
  for (const auto& [label, step] : r.steps) ejection += step.blocked.same_step_ejection;
  for (const auto& [label, cycles] : r.injection_waits) injection += cycles;
  const bool waits = ejection + injection > 0;
  fmt::format_to(out,
                 "                      first      last            contention, flit-cycles{}\n",
                 waits ? "         same step at" : "");
  fmt::format_to(out,
                 "  step  messages    head in  tail out    cycles  stepwise  depth  control{}\n",
                 waits ? "  ejection  injection" : "");
  for (const auto& [label, step] : r.steps) {
    fmt::format_to(out, "  {:>4}  {:>8}  {:>9}  {:>8}  {:>8}  {:>8}  {:>5}  {:>7}", label,
                   step.messages, step.first_injected, step.last_ejected,
                   simulation::cycles_of(step),
                   step.blocked.same_step - step.blocked.same_step_ejection,
                   step.blocked.other_step, step.blocked.control);
    if (waits) {
      const auto wait = r.injection_waits.find(label);
      fmt::format_to(out, "  {:>8}  {:>9}", step.blocked.same_step_ejection,
                     wait == r.injection_waits.end() ? 0 : wait->second);
    }
    fmt::format_to(out, "\n");
  }
  fmt::format_to(out, "\n");
  for (const simulation::Check& c : r.checks) {
    fmt::format_to(out, "  {} {}: {}\n", mark(c.verdict, colour), c.name, c.detail);
  }
  return text;
}

/// Returns the exit status: 0, or 1 if a check failed.
int run(const RunArguments& a) {
  require_use(a.cores);
  const auto scenario = simulation::Scenario::read(a.scenario, a.overrides);
  ProgressLine progress(!a.quiet);
  const simulation::RunResult result = simulation::run(
      scenario, {a.recordings, a.cores.options(), result_folder(a.out, scenario.name)}, progress);
  if (!a.quiet || !result.passed()) {
    put("{}\n  result    {}\n{}", summary(result, isatty(STDOUT_FILENO) == 1), result.file.string(),
        recorded_text(result.recorded));
  }
  if (a.cores.printed()) put("\n{}", result.profile);
  return result.passed() ? 0 : 1;
}

}  // namespace

Command add_run(CLI::App& program) { return command<RunArguments>(program, add_options, run); }

}  // namespace annelid::cli
