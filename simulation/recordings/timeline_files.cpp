#include "simulation/recordings/timeline_files.hpp"

#include "base/files.hpp"
#include "base/input_error.hpp"
#include "timeline/page.hpp"
#include "timeline/perfetto_trace.hpp"

namespace annelid::simulation {
namespace fs = std::filesystem;

fs::path trace_beside(const fs::path& page, const std::string& option) {
  if (page.extension() != ".html") {
    throw InputError(option, "\"" + page.string() + "\"", "a name that ends in .html");
  }
  fs::path trace = page;
  return trace.replace_extension(".json");
}

void write_timeline(const timeline::RecordedRun& run, const fs::path& page, const fs::path& trace) {
  write_file(page, timeline::page(run));
  write_file(trace, timeline::perfetto_trace(run));
}

}  // namespace annelid::simulation
