#include "studies/tune/tune.hpp"

#include <fmt/format.h>

#include <charconv>

#include "base/child_process.hpp"
#include "base/files.hpp"
#include "base/forked_jobs.hpp"
#include "base/result_folder.hpp"
#include "base/run_failure.hpp"
#include "simulation/run.hpp"
#include "studies/common/kept_files.hpp"
#include "studies/common/kept_jobs.hpp"
#include "studies/tune/hybrid_tables.hpp"
#include "systemc/modules/elaboration.hpp"

namespace annelid::studies {
namespace {

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
        copies_([&](std::size_t point) { return measure(grid.points[point].scenario); }, processes,
                CopyFor::kManyJobs),
        jobs_({.has_result =
                   [this](std::size_t i) { return table_.find(grid_.points[i]).has_value(); },
               .seconds = [this](std::size_t i) { return grid_.points[i].seconds; },
               .take = [this](const EndedWork& ended) { take(ended); },
               .show = [this](std::size_t) { show(); },
               .write = [this] { table_.write(); }}) {}

  /// Returns the number of runs that were simulated.
  std::size_t run() {
    jobs_.begin(places_of(shard_, grid_.points.size()));
    const std::vector<std::size_t> missing = jobs_.missing();
    if (!missing.empty()) {  // the program is loaded before there are copies of this process
      const simulation::Scenario& first = grid_.points[missing.front()].scenario;
      (void)simulation::read_program(first.firmware, first.origin("firmware"));
    }
    jobs_.run(copies_, missing);
    return missing.size();
  }
  /// Returns the number of runs that it measures, or knew.
  [[nodiscard]] std::size_t runs() const { return jobs_.count().jobs; }

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
  }

  void show() {
    const JobCount& count = jobs_.count();
    progress_.show(
        fmt::format("tune {} {} of {} runs", progress_bar(count.part()), count.ended, count.jobs));
  }

  const TuneGrid& grid_;
  const std::optional<Shard> shard_;
  TuneMeasurements& table_;
  Progress& progress_;
  ForkedJobs copies_;
  KeptJobs jobs_;
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
  const ResultFolder folder(options.folder, {kTuneRows, "tune.json", "tuned.inc"});
  TuneMeasurements table(grid, folder.path() / kTuneRows);
  table.resume();
  // Files of another tuning must not pass for this one's, should it not come to its end.
  TuneReport report;
  report.json = folder.fresh("tune.json");
  report.header = folder.fresh("tuned.inc");
  const int rounds = options.shard ? 0 : grid.refine;
  const auto measure_all = [&] {
    TuneRunner runner(grid, options.shard, table, process_count(options.processes), progress);
    report.simulated = runner.run();
    for (int round = 0; round < rounds && refine(grid, table); ++round) {
      report.simulated += runner.run();
    }
    report.runs = runner.runs();
  };
  write_behind(measure_all, [&] { table.write(); });
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
