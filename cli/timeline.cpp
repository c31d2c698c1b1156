// `annelid timeline`: a flit log in, a page out, and a trace.
#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "base/command_files.hpp"
#include "base/input_error.hpp"
#include "cli/commands.hpp"
#include "cli/progress_line.hpp"
#include "cli/recording_options.hpp"
#include "cli/standard_output.hpp"
#include "simulation/recordings/flit_log_file.hpp"
#include "simulation/recordings/timeline_files.hpp"

namespace annelid::cli {
namespace {

constexpr const char* kWindowOption = "--window";

/// The arguments of `annelid timeline`.
struct TimelineArguments {
  std::string log;
  std::string html;  ///< empty: beside the log
  std::string window, perfetto;
  bool quiet = false;
};

CLI::App* add_options(CLI::App& program, TimelineArguments& a) {
  CLI::App* timeline =
      program.add_subcommand("timeline", "Turns a flit log into a page for the browser.");
  timeline->add_option("log", a.log, "A flit log, which --flit-log wrote.")
      ->required()
      ->type_name("FLITLOG");
  timeline
      ->add_option("--html", a.html, "Name of the page. Default: the name of the log with .html.")
      ->type_name("FILE.html");
  add_timeline_options(*timeline, kWindowOption, a.window, a.perfetto);
  timeline->add_flag("--quiet", a.quiet, "Prints nothing.");
  timeline->footer(
      "The page is one file for any browser. It shows the network with the load of its channels, "
      "and the messages over time. Click a message to see its path and where it waited.\n"
      "Of more than 20,000 packets it shows the loads of the channels over time. --window chooses "
      "cycles with fewer packets.\n"
      "Open the trace of --perfetto in ui.perfetto.dev or chrome://tracing. It shows a cycle as a "
      "microsecond.\n"
      "annelid run, traffic and firmware run have --timeline FILE.html, --timeline-window and "
      "--perfetto, and need no log. docs/reference/timeline.md explains the files.\n"
      "\n"
      "Examples:\n"
      "  annelid run scenarios/edn-broadcast-8x8.toml --flit-log edn.log\n"
      "  annelid timeline edn.log                 # writes edn.html\n"
      "  annelid run scenarios/edn-broadcast-8x8.toml --rtl all --flit-log rtl.log\n"
      "  annelid timeline rtl.log --html page.html --window 4000:4300 --perfetto trace.json\n"
      "  annelid run scenarios/edn-broadcast-8x8.toml --timeline edn.html\n"
      "\n"
      "Exit status: 0 if the files were written; 2 for bad input.");
  return timeline;
}

std::uint64_t packets_of(const timeline::RecordedRun& run) {
  if (!run.loads) return run.journeys.size();
  return run.loads->messages() + run.loads->control_packets();
}

int run(const TimelineArguments& a) {
  namespace fs = std::filesystem;
  const fs::path page =
      a.html.empty() ? fs::path(a.log).replace_extension(".html") : fs::path(a.html);
  const simulation::TimelineFiles made{page, a.perfetto};
  const timeline::Recorded recorded = simulation::recorded_for(made, kWindowOption, a.window);
  CommandFiles files;
  files.reads("FLITLOG", a.log);
  require_writable(made, "--html", files);
  ProgressLine progress(!a.quiet);
  const timeline::RecordedRun run = simulation::read_flit_log(a.log, progress, recorded);
  if (simulation::is_empty(run)) {
    throw InputError(kWindowOption, a.window,
                     fmt::format("cycles in which there is a packet; the last flit is in cycle {}",
                                 run.end - 1));
  }
  simulation::write_timeline(run, made);
  if (!a.quiet) {
    put("{}\n  packets   {} in cycles {} to {}\n", run.title, packets_of(run), run.begin,
        run.end - 1);
    put_text(recorded_text({.timeline = made.page, .trace = made.trace}));
  }
  return 0;
}

}  // namespace

Command add_timeline(CLI::App& program) {
  return command<TimelineArguments>(program, add_options, run);
}

}  // namespace annelid::cli
