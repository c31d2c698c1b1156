#include "cli/run_command.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>

#include "cli/progress_line.hpp"
#include "cli/recording_options.hpp"
#include "cli/run_summary.hpp"
#include "simulation/run.hpp"

namespace annelid::cli {

int run(const RunArguments& arguments) {
  const auto scenario = simulation::Scenario::read(arguments.scenario, arguments.overrides);
  const std::filesystem::path folder = arguments.out.empty()
                                           ? std::filesystem::path("runs") / scenario.name
                                           : std::filesystem::path(arguments.out);
  ProgressLine progress(!arguments.quiet);
  const simulation::RunResult result =
      simulation::run(scenario, {arguments.recordings, folder}, progress);
  if (!arguments.quiet || !result.passed()) {
    fmt::print("{}\n  result    {}\n{}", summary(result, isatty(STDOUT_FILENO) == 1),
               result.file.string(), recorded_text(result.recorded));
  }
  return result.passed() ? 0 : 1;
}

}  // namespace annelid::cli
