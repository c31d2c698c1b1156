#include "studies/sweep/sweep.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <utility>

#include "base/child_process.hpp"
#include "base/forked_jobs.hpp"
#include "base/result_folder.hpp"
#include "base/run_failure.hpp"
#include "base/split.hpp"
#include "simulation/traffic_run.hpp"
#include "studies/common/kept_files.hpp"
#include "studies/common/kept_jobs.hpp"
#include "studies/sweep/cost.hpp"
#include "studies/sweep/plot.hpp"

namespace annelid::studies {
namespace {

/// The columns of a point's row, a line each. What is in them depends on the point alone: not on
/// the other points of the sweep, nor on what was measured before.
std::string measure(const SweepPoint& point) {
  std::string json;
  Repeat repeat;
  {
    const simulation::TrafficResult result = simulation::run_traffic(point.scenario);
    json = to_json(result);
    repeat = Repeat::of(result);
  }
  return fmt::format("{}", fmt::join(SweepTable::row_of(json, repeat), "\n"));
}

/// Runs the points that have no row yet.
class SweepRunner {
 public:
  SweepRunner(const SweepGrid& grid, SweepTable& table, std::size_t processes, Progress& progress)
      : grid_(grid),
        table_(table),
        progress_(progress),
        copies_([&](std::size_t point) { return measure(grid.points[point]); }, processes,
                CopyFor::kOneJob),
        jobs_({.has_result = [this](std::size_t point) { return table_.row(point).has_value(); },
               .seconds = {},
               .take = [this](const EndedWork& ended) { take(ended); },
               .show = [this](std::size_t) { show(); },
               .write = [this] { table_.write(); }}) {}

  /// Runs these points. Returns the number of those that were simulated.
  std::size_t run(const std::vector<std::size_t>& points) {
    jobs_.begin(points);
    const std::vector<std::size_t> missing = jobs_.missing();
    const std::size_t kept = jobs_.count().ended;
    show();
    jobs_.run(copies_, missing, [this](std::size_t point) { return wanted(point); });
    return jobs_.count().ended - kept;
  }

 private:
  [[nodiscard]] bool wanted(std::size_t point) const {
    return !(grid_.stop_when_saturated && table_.beyond_saturation(point));
  }

  void take(const EndedWork& ended) {
    if (ended.status == 0) {
      const auto columns = split(ended.text, "\n");
      table_.set(ended.work, {columns.begin(), columns.end()});
    } else {
      if (ended.status != 1 || !ended.text.starts_with("deadlock:")) {
        throw RunFailure(describe(ended.work) + ": " + failure_text(ended));
      }
      table_.set(ended.work, SweepTable::deadlock_row());
    }
  }

  [[nodiscard]] std::string describe(std::size_t point) const {
    std::string text = "sweep";
    for (std::size_t k = 0; k < grid_.keys.size(); ++k) {
      text += fmt::format(" {}={}", grid_.keys[k].key, grid_.points[point].values[k]);
    }
    return text;
  }

  void show() {
    const JobCount& count = jobs_.count();
    progress_.show(fmt::format("sweep {} {} of {} points", progress_bar(count.part()), count.ended,
                               count.jobs));
  }

  const SweepGrid& grid_;
  SweepTable& table_;
  Progress& progress_;
  ForkedJobs copies_;
  KeptJobs jobs_;
};

/// The points that this process simulates.
std::vector<std::size_t> points_of(const SweepGrid& grid, const std::optional<Shard>& shard) {
  std::vector<std::size_t> points;
  std::map<std::string, std::size_t> curves;  // in order of their first points
  for (std::size_t i = 0; i < grid.points.size(); ++i) {
    const auto [curve, added] = curves.emplace(grid.curve(grid.points[i]), curves.size());
    if (!shard || shard->has(grid.stop_when_saturated ? curve->second : i)) points.push_back(i);
  }
  return points;
}

std::vector<SweepCurve> curves_of(const SweepGrid& grid, const SweepTable& table) {
  std::vector<SweepCurve> curves;
  for (std::size_t i = 0; i < grid.points.size(); ++i) {
    if (!table.row(i)) continue;
    const bool beyond = table.beyond_saturation(i);
    if (grid.stop_when_saturated && beyond) continue;
    const std::string title = grid.curve(grid.points[i]);
    auto c = std::ranges::find(curves, title, &SweepCurve::title);
    if (c == curves.end()) {
      c = curves.emplace(c);
      c->title = title;
    }
    if (!table.number(i, "accepted")) ++c->deadlocks;
    if (table.cost(i)) c->cost = table.cost(i);
    if (!c->zero_load) c->zero_load = table.number(i, "zero_load");
    if (!c->ideal) c->ideal = table.number(i, "ideal");
    if (table.empty(i)) ++c->empty;
    if (table.false_alarm(i)) ++c->false_alarms;
    if (beyond || table.empty(i)) continue;
    const double load = grid.points[i].scenario.synthetic.injection.load;
    if (table.saturated(i)) {
      c->saturated_at = load;
    } else {
      c->held = std::max(c->held.value_or(load), load);
      c->served = std::max(c->served, table.number(i, "accepted"));
    }
  }
  return curves;
}

}  // namespace

SweepReport run_sweep(const SweepGrid& grid, const SweepOptions& options, Progress& progress) {
  const ResultFolder folder(options.folder, {kSweepRows});
  SweepTable table(grid, options.folder / kSweepRows);
  table.resume();
  SweepReport report;
  report.name = grid.name;
  const std::vector<std::size_t> points = points_of(grid, options.shard);
  report.points = points.size();
  for (const std::size_t i : points) report.kept += table.row(i) ? 1 : 0;
  const auto write = [&] { table.write(); };
  const auto simulate = [&] {
    SweepRunner runner(grid, table, process_count(options.processes), progress);
    report.simulated = runner.run(points);
  };
  const auto all = [&] {
    simulate();
    write();
    if (grid.cost && !options.shard) add_costs(grid, options.rtl_dir, table, progress);
  };
  write_behind(all, write);
  progress.clear();
  report.rows = table.file();
  if (options.shard) return report;
  if (options.plots && grid.load_key() < grid.keys.size()) {
    plot_curves(grid, table, options.folder);
    report.drawing = options.folder / "curves.svg";
  }
  report.curves = curves_of(grid, table);
  report.defaults = grid.defaults;
  return report;
}

}  // namespace annelid::studies
