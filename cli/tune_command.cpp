#include "cli/tune_command.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <functional>

#include "base/child_process.hpp"
#include "base/files.hpp"
#include "base/forked_jobs.hpp"
#include "base/run_failure.hpp"
#include "cli/progress_line.hpp"
#include "simulation/checks/checks.hpp"
#include "simulation/machine/contents.hpp"
#include "simulation/machine/simulation.hpp"
#include "simulation/results/collect.hpp"
#include "studies/tune/tune_result.hpp"

namespace annelid::cli {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

/// Simulates a run and checks it, like `annelid run`: its cycles. Once per process.
std::string measure(const simulation::Scenario& scenario, const nic::Image& image) {
  const reference::Inputs inputs = simulation::random_inputs(scenario.collective);
  const bool native = scenario.firmware.kind == simulation::FirmwareChoice::Kind::kNative;
  simulation::Simulation simulation(scenario, native ? nullptr : &image, {},
                                    simulation::layout_of(scenario.collective).end);
  Progress silent;
  simulation.run(scenario.collective, inputs, silent);
  simulation::RunResult result = simulation::collect(scenario, simulation, inputs);
  simulation::check_run(simulation, inputs, result);
  for (const simulation::Check& check : result.checks) {
    if (check.verdict == simulation::Verdict::kFailed)
      throw RunFailure(check.name + ": " + check.detail);
  }
  return std::to_string(result.cycles);
}

/// Measures what has no row yet.
class TuneRunner {
 public:
  TuneRunner(const studies::TuneGrid& grid, studies::TuneTable& table, const nic::Image& image,
             std::size_t processes, Progress& progress)
      : grid_(grid),
        table_(table),
        progress_(progress),
        jobs_([&](std::size_t point) { return measure(grid.points[point].scenario, image); },
              processes) {}

  /// Returns the number of runs that were simulated.
  std::size_t run() {
    std::vector<std::size_t> order;
    done_ = all_ = 0;
    for (std::size_t i = 0; i < grid_.points.size(); ++i) {
      all_ += grid_.points[i].seconds;
      if (table_.cycles(grid_.points[i])) {
        done_ += grid_.points[i].seconds;
      } else {
        order.push_back(i);
      }
    }
    // The longest first, so that no process is left alone with one in the end.
    std::ranges::stable_sort(order, std::greater(),
                             [&](std::size_t i) { return grid_.points[i].seconds; });
    measured_ = grid_.points.size() - order.size();
    jobs_.run(order, [&](const EndedWork& ended) { take(ended); });
    return order.size();
  }

 private:
  void take(const EndedWork& ended) {
    const studies::TunePoint& point = grid_.points[ended.work];
    if (ended.status != 0) {
      throw RunFailure(fmt::format("tune: {} of {} bytes: {}\n  {}",
                                   describe(point.scenario.collective, point.scenario.network),
                                   point.bytes, ended.text, studies::run_command(point.scenario)));
    }
    std::uint64_t cycles = 0;
    std::from_chars(ended.text.data(), ended.text.data() + ended.text.size(), cycles);
    table_.set(point, cycles);
    ++measured_;
    done_ += point.seconds;
    show();
    if (Clock::now() - written_ < std::chrono::milliseconds(500)) return;
    table_.write();  // an interrupted tuning goes on from there
    written_ = Clock::now();
  }

  void show() {
    progress_.show(fmt::format("tune {} {} of {} runs", progress_bar(done_ / all_), measured_,
                               grid_.points.size()));
  }

  const studies::TuneGrid& grid_;
  studies::TuneTable& table_;
  Progress& progress_;
  ForkedJobs jobs_;
  double done_ = 0, all_ = 0;  ///< estimated seconds
  std::size_t measured_ = 0;
  Clock::time_point written_ = Clock::now();
};

/// Adds the sizes of a round; returns whether there are any.
bool refine(studies::TuneGrid& grid, const studies::TuneTable& table) {
  const std::size_t before = grid.points.size();
  for (std::size_t i = 0; i < grid.cases.size(); ++i) {
    const studies::TuneResult result = studies::result_of(grid, table, i);
    for (const std::uint64_t size : studies::sizes_between(result.bytes, result.fastest))
      grid.add(i, size);
  }
  return grid.points.size() > before;
}

}  // namespace

int run_tune(const TuneArguments& arguments) {
  studies::TuneGrid grid = studies::TuneGrid::read(arguments.scenario, arguments.overrides);
  const simulation::Scenario& first = grid.points.front().scenario;
  const nic::Image image = simulation::read_image(first.firmware, first.origin("firmware"));
  const fs::path folder =
      arguments.out.empty() ? fs::path("runs") / grid.name : fs::path(arguments.out);
  prepare_folder(folder, {"tune.csv", "tune.json", "tuned.inc"});
  // Those of another tuning must not pass for this one's, should it not come to its end.
  for (const char* file : {"tune.json", "tuned.inc"}) fs::remove(folder / file);

  studies::TuneTable table(grid, folder / "tune.csv");
  table.resume();
  ProgressLine progress(!arguments.quiet);
  std::size_t simulated = 0;
  try {
    TuneRunner runner(grid, table, image, process_count(arguments.jobs), progress);
    simulated = runner.run();
    for (int round = 0; round < grid.refine && refine(grid, table); ++round) {
      simulated += runner.run();
    }
  } catch (...) {
    table.write();
    throw;
  }
  table.write();
  progress.clear();

  std::vector<studies::TuneResult> results;
  for (std::size_t i = 0; i < grid.cases.size(); ++i)
    results.push_back(studies::result_of(grid, table, i));
  write_file(folder / "tune.json", studies::tune_json(grid, results));
  write_file(folder / "tuned.inc", studies::tuned_header(results, grid.name));
  for (const studies::TuneResult& result : results) {
    if (!arguments.no_plots) studies::plot_tuning(result, folder);
  }
  if (arguments.quiet) return 0;
  fmt::print("{}: {} runs, {} simulated, {} kept\n\n", grid.name, grid.points.size(), simulated,
             grid.points.size() - simulated);
  for (const studies::TuneResult& result : results)
    fmt::print("{}\n", studies::tune_summary(result, grid.refine));
  fmt::print("  rows      {}\n  result    {}\n  firmware  {}\n", table.file().string(),
             (folder / "tune.json").string(), (folder / "tuned.inc").string());
  if (!arguments.no_plots) {
    fmt::print("  curves    {}.svg{}\n", (folder / file_name(grid.cases.front())).string(),
               grid.cases.size() > 1 ? ", …" : "");
  }
  return 0;
}

}  // namespace annelid::cli
