#include "studies/tune/tune.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <functional>

#include "base/child_process.hpp"
#include "base/files.hpp"
#include "base/forked_jobs.hpp"
#include "base/result_folder.hpp"
#include "base/run_failure.hpp"
#include "simulation/run.hpp"
#include "studies/tune/hybrid_tables.hpp"
#include "systemc/router/elaboration.hpp"

namespace annelid::studies {
namespace {

using Clock = std::chrono::steady_clock;

/// "CYCLES CONTROL" of a run that passes all checks (TuneMeasurement).
std::string measure(const simulation::Scenario& scenario) {
  const systemc::Elaboration elaboration;
  const simulation::RunResult result = simulation::run(scenario);
  result.require_passed();
  std::uint64_t control = 0;
  for (const auto& [label, step] : result.call().steps) control += step.blocked.control;
  return fmt::format("{} {}", result.cycles, control);
}

/// Measures what has no row yet.
class TuneRunner {
 public:
  TuneRunner(const TuneGrid& grid, const std::optional<Shard>& shard, TuneMeasurements& table,
             std::size_t processes, Progress& progress)
      : grid_(grid),
        shard_(shard),
        table_(table),
        progress_(progress),
        jobs_([&](std::size_t point) { return measure(grid.points[point].scenario); }, processes,
              CopyFor::kManyJobs) {}

  /// Returns the number of runs that were simulated.
  std::size_t run() {
    std::vector<std::size_t> order;
    done_ = all_ = 0;
    const std::vector<std::size_t> points = places_of(shard_, grid_.points.size());
    runs_ = points.size();
    for (const std::size_t i : points) {
      all_ += grid_.points[i].seconds;
      if (table_.find(grid_.points[i])) {
        done_ += grid_.points[i].seconds;
      } else {
        order.push_back(i);
      }
    }
    if (!order.empty()) {  // the program is loaded before there are copies of this process
      const simulation::Scenario& first = grid_.points[order.front()].scenario;
      (void)simulation::read_program(first.firmware, first.origin("firmware"));
    }
    // The longest first, so that no process is left alone with one in the end.
    std::ranges::stable_sort(order, std::greater(),
                             [&](std::size_t i) { return grid_.points[i].seconds; });
    measured_ = runs_ - order.size();
    jobs_.run(order, [&](const EndedWork& ended) { take(ended); });
    return order.size();
  }
  /// Returns the number of runs that it measures, or knew.
  [[nodiscard]] std::size_t runs() const { return runs_; }

 private:
  void take(const EndedWork& ended) {
    const TunePoint& point = grid_.points[ended.work];
    if (ended.status != 0) {
      throw RunFailure(
          fmt::format("tune: {} of {} bytes: {}\n  {}",
                      describe(point.scenario.call().collective, point.scenario.network),
                      point.bytes, failure_text(ended), run_command(point.scenario)));
    }
    TuneMeasurement measured;
    const char* const end = ended.text.data() + ended.text.size();
    const auto cycles = std::from_chars(ended.text.data(), end, measured.cycles);
    std::from_chars(cycles.ptr + 1, end, measured.control);
    table_.set(point, measured);
    ++measured_;
    done_ += point.seconds;
    show();
    if (Clock::now() - written_ < std::chrono::milliseconds(500)) return;
    table_.write();  // an interrupted tuning goes on from there
    written_ = Clock::now();
  }

  void show() {
    progress_.show(
        fmt::format("tune {} {} of {} runs", progress_bar(done_ / all_), measured_, runs_));
  }

  const TuneGrid& grid_;
  const std::optional<Shard> shard_;
  TuneMeasurements& table_;
  Progress& progress_;
  ForkedJobs jobs_;
  double done_ = 0, all_ = 0;  ///< estimated seconds
  std::size_t runs_ = 0, measured_ = 0;
  Clock::time_point written_ = Clock::now();
};

/// Adds the sizes of a round; returns whether there are any.
bool refine(TuneGrid& grid, const TuneMeasurements& table) {
  const std::size_t before = grid.points.size();
  for (std::size_t i = 0; i < grid.cases.size(); ++i) {
    const TuneResult result = result_of(grid, table, i);
    for (const std::uint64_t size : sizes_between(result.bytes, result.fastest)) grid.add(i, size);
  }
  return grid.points.size() > before;
}

}  // namespace

TuneReport run_tune(TuneGrid& grid, const TuneOptions& options, Progress& progress) {
  const simulation::Scenario& first = grid.points.front().scenario;
  // Refused before anything is measured.
  (void)simulation::read_image(first.firmware, first.origin("firmware"));
  const ResultFolder folder(options.folder, {"tune.csv", "tune.json", "tuned.inc"});
  TuneMeasurements table(grid, folder.path() / "tune.csv");
  table.resume();
  // Files of another tuning must not pass for this one's, should it not come to its end.
  TuneReport report;
  report.json = folder.fresh("tune.json");
  report.header = folder.fresh("tuned.inc");
  const int rounds = options.shard ? 0 : grid.refine;
  try {
    TuneRunner runner(grid, options.shard, table, process_count(options.processes), progress);
    report.simulated = runner.run();
    for (int round = 0; round < rounds && refine(grid, table); ++round) {
      report.simulated += runner.run();
    }
    report.runs = runner.runs();
  } catch (...) {
    table.write();
    throw;
  }
  table.write();
  progress.clear();
  report.rows = table.file();
  if (options.shard) return report;

  if (grid.hybrids > 0) {
    for (std::size_t i = 0; i < grid.cases.size(); ++i) {
      report.hybrids.push_back(hybrid_result_of(grid, table, i));
    }
    write_file(report.json, hybrids_json(grid, report.hybrids));
    if (grid.has_counts) return report;
    write_file(report.header, hybrids_header(hybrid_tables(grid, report.hybrids), grid.name));
    return report;
  }
  for (std::size_t i = 0; i < grid.cases.size(); ++i) {
    report.results.push_back(result_of(grid, table, i));
  }
  write_file(report.json, tune_json(grid, report.results));
  if (grid.has_counts) return report;  // auto takes no counts; a curve would have one point
  if (!grid.radices) write_file(report.header, tuned_header(report.results, grid.name));
  if (!options.plots) return report;
  for (const TuneResult& result : report.results) plot_tuning(result, folder.path());
  report.first_plot = folder.path() / (file_name(grid.cases.front()) + ".svg");
  return report;
}

}  // namespace annelid::studies
