#include "simulation/recordings/timeline_files.hpp"

#include <limits>
#include <tuple>

#include "base/files.hpp"
#include "base/input_error.hpp"
#include "base/output_file.hpp"
#include "simulation/recordings/wave_options.hpp"
#include "timeline/page.hpp"
#include "timeline/perfetto_trace.hpp"

namespace annelid::simulation {
namespace fs = std::filesystem;

void require_writable(const TimelineFiles& timeline, const std::string& page_option,
                      CommandFiles& files) {
  for (const auto& [path, option, ending] :
       {std::tuple(timeline.page, page_option, ".html"),
        std::tuple(timeline.trace, std::string("--perfetto"), ".json")}) {
    if (path.empty()) continue;
    if (path.extension() != ending) {
      throw InputError(option, "\"" + path.string() + "\"",
                       std::string("a name that ends in ") + ending);
    }
    files.writes(option, path);
    annelid::require_writable(path, option);
  }
}

timeline::Recorded recorded_for(const TimelineFiles& timeline, const std::string& option,
                                const std::string& window) {
  timeline::Recorded recorded;
  if (!timeline.trace.empty()) {  // a trace shows all packets one by one
    recorded.most_packets = std::numeric_limits<std::size_t>::max();
  }
  if (window.empty()) return recorded;
  if (!timeline.any()) {
    throw InputError(option, "the option without --timeline and --perfetto", "one of them");
  }
  std::tie(recorded.window.begin, recorded.window.end) = parse_cycles(option, window);
  return recorded;
}

bool is_empty(const timeline::RecordedRun& run) {
  return !run.window.is_whole() && run.journeys.empty() && !run.loads && run.cores.empty();
}

void write_timeline(const timeline::RecordedRun& run, const TimelineFiles& files) {
  if (!files.page.empty()) write_file(files.page, timeline::page(run));
  if (!files.trace.empty()) write_file(files.trace, timeline::perfetto_trace(run));
}

}  // namespace annelid::simulation
