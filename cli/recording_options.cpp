#include "cli/recording_options.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "base/input_error.hpp"
#include "base/text.hpp"

namespace annelid::cli {
namespace {

constexpr Cycle kMostBefore = 1'000'000;  // they are in memory

void add_wave_options(CLI::App& command, simulation::WaveOptions& o) {
  command.add_option("--wave", o.file, "Write a waveform for GTKWave, and a save file beside it")
      ->type_name("FILE.fst");
  command
      .add_option("--wave-nodes", o.nodes, "Nodes in the waveform, 3,4; the first 64 if not given")
      ->type_name("NODES");
  command
      .add_option("--wave-window", o.window,
                  "First and last cycle of the waveform, 100:250; either may be left out")
      ->type_name("FROM:TO");
  CLI::Option* const trigger =
      command
          .add_option(
              "--wave-trigger", o.trigger,
              "Begin only when a message with tag T is injected (tag:T), when a flit waits for N "
              "cycles in a row (blocked:N), or when the run or a check fails (failure)")
          ->type_name("WHAT");
  command
      .add_option("--wave-before", o.before,
                  "Cycles before the trigger that are in the waveform too; they are kept in memory")
      ->type_name("CYCLES")
      ->check(CLI::Range(Cycle{1}, kMostBefore))
      ->needs(trigger)
      ->capture_default_str();
  command.add_option("--wave-after", o.after, "Cycles after the trigger")
      ->type_name("CYCLES")
      ->check(CLI::Range(Cycle{0}, Cycle{1'000'000'000}))
      ->needs(trigger)
      ->capture_default_str();
}

}  // namespace

void require_use(const CoreArguments& a) {
  if (a.nodes.empty() || !a.trace.empty() || !a.profile.empty()) return;
  throw InputError("--trace-node", "it without --trace and --profile", "one of them");
}

void add_core_options(CLI::App& command, CoreArguments& a) {
  command
      .add_option("--trace", a.trace,
                  "Write a line for each instruction: cycle, node, pc, function, result, source")
      ->type_name("FILE");
  command
      .add_option("--trace-node", a.nodes,
                  "Nodes that are traced and profiled, numbers as 3,4; all if not given")
      ->type_name("NODES");
  command.add_flag("--profile{-}", a.profile,
                   "Print cycles and instructions of each function; --profile=FILE writes them");
}

void add_recording_options(CLI::App& command, simulation::RecordingOptions& o) {
  command
      .add_option("--rtl", o.rtl, "Nodes whose router is the Verilated RTL: all, or numbers 3,4")
      ->type_name("NODES");
  add_wave_options(command, o.wave);
  command.add_option("--flit-log", o.flit_log, "Write a line for each flit on each channel")
      ->type_name("FILE");
  command
      .add_option(
          "--timeline", o.timeline,
          "Write a page to look at the run in a browser, and a trace for Perfetto beside it")
      ->type_name("FILE.html");
}

std::string recorded_text(const simulation::RecordedFiles& files) {
  std::string text;
  if (!files.flit_log.empty()) text += fmt::format("  flit log  {}\n", files.flit_log.string());
  if (!files.timeline.empty()) {
    text += fmt::format("  timeline  {}\n  perfetto  {} (open it in ui.perfetto.dev)\n",
                        files.timeline.string(), files.trace.string());
  }
  if (!files.save_file.empty()) {
    text += fmt::format("  waveform  gtkwave {}\n", shell_word(files.save_file.string()));
    if (!files.trigger.empty()) text += fmt::format("  trigger   {}\n", files.trigger);
  } else if (!files.awaited.empty()) {
    text += fmt::format("  waveform  none: {} did not happen\n", files.awaited);
  }
  return text;
}

}  // namespace annelid::cli
