#include "cli/recording_options.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <iterator>
#include <string_view>
#include <vector>

#include "base/input_error.hpp"
#include "base/standard_error.hpp"
#include "base/text.hpp"
#include "cli/installed_files.hpp"

namespace annelid::cli {
namespace {

struct ProfileName {
  std::string_view name;
  simulation::ProfileBy by;
};
constexpr std::array kProfiles = {ProfileName{"function", simulation::ProfileBy::kFunction},
                                  ProfileName{"line", simulation::ProfileBy::kLine},
                                  ProfileName{"caller", simulation::ProfileBy::kCaller},
                                  ProfileName{"folded", simulation::ProfileBy::kFolded},
                                  ProfileName{"callgrind", simulation::ProfileBy::kCallgrind}};

constexpr Cycle kMostBefore = 1'000'000;  // they are in memory

void add_wave_options(CLI::App& command, simulation::WaveOptions& o) {
  command.add_option("--wave", o.file, "Writes a waveform for GTKWave, and a save file beside it.")
      ->type_name("FILE.fst");
  command
      .add_option("--wave-nodes", o.nodes,
                  "Numbers of the nodes in the waveform, as in 3,4. Default: the first 64.")
      ->type_name("NODES");
  command
      .add_option("--wave-window", o.window,
                  "First and last cycle of the waveform, as in 100:250. Either may be left out.")
      ->type_name("FROM:TO");
  CLI::Option* const trigger =
      command
          .add_option(
              "--wave-trigger", o.trigger,
              "Records only around an event. tag:T is the injection of a message with tag T; "
              "blocked:N is a flit that has waited for N cycles in a row; failure is a run or "
              "check that fails.")
          ->type_name("WHAT");
  command
      .add_option("--wave-before", o.before,
                  "With --wave-trigger: cycles before the event that the waveform holds too. They "
                  "are kept in memory.")
      ->type_name("CYCLES")
      ->check(CLI::Range(Cycle{1}, kMostBefore))
      ->needs(trigger)
      ->capture_default_str();
  command
      .add_option("--wave-after", o.after,
                  "With --wave-trigger: cycles after the event that the waveform holds.")
      ->type_name("CYCLES")
      ->check(CLI::Range(Cycle{0}, Cycle{1'000'000'000}))
      ->needs(trigger)
      ->capture_default_str();
}

}  // namespace

simulation::ProfileBy CoreArguments::profile_by() const {
  const auto* const kind = std::ranges::find(kProfiles, std::string_view(by), &ProfileName::name);
  return kind == kProfiles.end() ? simulation::ProfileBy::kFunction : kind->by;
}

void require_use(const CoreArguments& a) {
  if (!a.by.empty() && a.profile.empty()) {
    throw InputError("--profile-by", "the option without --profile", "both, or neither");
  }
  if (a.nodes.empty() || !a.trace.empty() || !a.profile.empty()) return;
  throw InputError("--trace-node", "the option without --trace and --profile", "one of them");
}

void add_core_options(CLI::App& command, CoreArguments& a) {
  command
      .add_option(
          "--trace", a.trace,
          "Writes a line for each instruction: cycle, node, pc, function, result, source line.")
      ->type_name("FILE");
  command
      .add_option("--trace-node", a.nodes,
                  "Numbers of the nodes that are traced and profiled, as in 3,4. Default: all.")
      ->type_name("NODES");
  command
      .add_flag("--profile{-}", a.profile,
                "Prints the cycles and instructions of each function, or writes them to a file.")
      ->type_name("FILE");
  std::vector<std::string> names;
  names.reserve(std::size(kProfiles));
  for (const ProfileName& kind : kProfiles) names.emplace_back(kind.name);
  command
      .add_option("--profile-by", a.by,
                  "What the profile counts for: each function, each source line, each function "
                  "and its caller; or the format of another program: folded (stacks, for a flame "
                  "graph) or callgrind (for KCachegrind). Default: function.")
      ->type_name("WHAT")
      ->check(CLI::IsMember(names));
}

void add_timeline_options(CLI::App& command, const char* window_option, std::string& window,
                          std::string& perfetto) {
  command
      .add_option(window_option, window,
                  "First and last cycle of the timeline, as in 100:250. Either may be left out.")
      ->type_name("FROM:TO");
  command
      .add_option("--perfetto", perfetto,
                  "Writes the timeline as a trace for ui.perfetto.dev, with every packet.")
      ->type_name("FILE.json");
}

void add_recording_options(CLI::App& command, simulation::RecordingOptions& o) {
  o.rtl_sources = data_folder();
  command
      .add_option("--rtl", o.rtl,
                  "Nodes whose router is the Verilated RTL: all, or their numbers, as in 3,4. A "
                  "router that the program does not have is Verilated, once: up to a minute.")
      ->type_name("NODES");
  add_wave_options(command, o.wave);
  command.add_option("--flit-log", o.flit_log, "Writes a line for each flit on each channel.")
      ->type_name("FILE");
  command
      .add_option(
          "--timeline", o.timeline,
          "Writes a page that shows the run in a browser: messages, loads and cores over time.")
      ->type_name("FILE.html");
  add_timeline_options(command, "--timeline-window", o.timeline_window, o.perfetto);
}

void warn_of_missing(const simulation::RecordedFiles& files) {
  if (files.no_timeline.empty()) return;
  put_error(fmt::format("annelid: {}\n", one_line(files.no_timeline)));
}

std::string recorded_text(const simulation::RecordedFiles& files) {
  std::string text;
  if (!files.flit_log.empty())
    text += fmt::format("  flit log  {}\n", one_line(files.flit_log.string()));
  if (!files.timeline.empty())
    text += fmt::format("  timeline  {}\n", one_line(files.timeline.string()));
  if (!files.trace.empty()) {
    text += fmt::format("  perfetto  {} (open it in ui.perfetto.dev)\n",
                        one_line(files.trace.string()));
  }
  if (!files.save_file.empty()) {
    text += fmt::format("  waveform  gtkwave {}\n", one_line(shell_word(files.save_file.string())));
    if (!files.trigger.empty()) text += fmt::format("  trigger   {}\n", one_line(files.trigger));
  } else if (!files.awaited.empty()) {
    text += fmt::format("  waveform  none: {} did not happen\n", one_line(files.awaited));
  }
  return text;
}

}  // namespace annelid::cli
