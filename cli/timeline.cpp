// `annelid timeline`: a flit log in, a page and a trace out.
#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "base/command_files.hpp"
#include "base/output_file.hpp"
#include "cli/commands.hpp"
#include "cli/progress_line.hpp"
#include "cli/recording_options.hpp"
#include "cli/standard_output.hpp"
#include "simulation/recordings/flit_log_file.hpp"
#include "simulation/recordings/timeline_files.hpp"

namespace annelid::cli {
namespace {

/// What the user wrote behind `annelid timeline`.
struct TimelineArguments {
  std::string log;
  std::string html;  ///< empty: beside the log
  bool quiet = false;
};

CLI::App* add_options(CLI::App& program, TimelineArguments& a) {
  CLI::App* timeline = program.add_subcommand(
      "timeline", "Turns a flit log into a page for the browser and a trace for Perfetto.");
  timeline->add_option("log", a.log, "A flit log, which --flit-log wrote.")
      ->required()
      ->type_name("FLITLOG");
  timeline
      ->add_option("--html", a.html, "Name of the page. Default: the name of the log with .html.")
      ->type_name("FILE.html");
  timeline->add_flag("--quiet", a.quiet, "Prints nothing.");
  timeline->footer(
      "The page is one file for any browser. It shows the network with the load of its channels, "
      "and the messages over time. Click a message to see its path and where it waited.\n"
      "The trace has the same name with .json. Open it in ui.perfetto.dev or chrome://tracing; it "
      "shows a cycle as a microsecond.\n"
      "`--timeline FILE.html` of annelid run, traffic and firmware run writes both files without a "
      "log. docs/reference/timeline.md explains them.\n"
      "\n"
      "Examples:\n"
      "  annelid run scenarios/edn-broadcast-8x8.toml --flit-log edn.log\n"
      "  annelid timeline edn.log                 # edn.html and edn.json\n"
      "  annelid run scenarios/edn-broadcast-8x8.toml --rtl all --flit-log rtl.log\n"
      "  annelid timeline rtl.log --html page.html\n"
      "  annelid run scenarios/edn-broadcast-8x8.toml --timeline edn.html\n"
      "\n"
      "Exit status: 0 if both files were written; 2 for bad input.");
  return timeline;
}

int run(const TimelineArguments& a) {
  namespace fs = std::filesystem;
  const fs::path page =
      a.html.empty() ? fs::path(a.log).replace_extension(".html") : fs::path(a.html);
  const fs::path trace = simulation::trace_beside(page, "--html");
  CommandFiles files;
  files.reads("FLITLOG", a.log);
  files.writes("--html", page);
  files.writes("--html", trace);
  require_writable(page, "--html");
  require_writable(trace, "--html");
  ProgressLine progress(!a.quiet);
  const timeline::RecordedRun run = simulation::read_flit_log(a.log, progress);
  simulation::write_timeline(run, page, trace);
  if (!a.quiet) {
    put("{}\n  packets   {} in cycles {} to {}\n", run.title, run.journeys.size(), run.begin,
        run.end - 1);
    put_text(recorded_text({.timeline = page, .trace = trace}));
  }
  return 0;
}

}  // namespace

Command add_timeline(CLI::App& program) {
  return command<TimelineArguments>(program, add_options, run);
}

}  // namespace annelid::cli
