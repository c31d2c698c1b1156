#include "studies/sweep/sweep.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <utility>

#include "base/child_process.hpp"
#include "base/forked_jobs.hpp"
#include "base/result_folder.hpp"
#include "base/run_failure.hpp"
#include "simulation/traffic_run.hpp"
#include "studies/sweep/cost.hpp"
#include "studies/sweep/plot.hpp"

namespace annelid::studies {
namespace {

using Clock = std::chrono::steady_clock;

/// The result.json of a point. Once per process.
std::string measure(const SweepPoint& point) {
  return to_json(simulation::run_traffic(point.scenario, {}));
}

/// Runs the points that have no row yet.
class SweepRunner {
 public:
  SweepRunner(const SweepGrid& grid, std::vector<std::size_t> points, SweepTable& table,
              std::size_t processes, Progress& progress)
      : grid_(grid),
        points_(std::move(points)),
        table_(table),
        progress_(progress),
        jobs_([&](std::size_t point) { return measure(grid.points[point]); }, processes,
              CopyFor::kOneJob) {}

  /// Returns the number of points that were simulated.
  std::size_t run() {
    show();
    jobs_.run(
        points_, [&](const EndedWork& ended) { take(ended); },
        [&](std::size_t point) { return wanted(point); });
    return finished_;
  }

 private:
  [[nodiscard]] bool wanted(std::size_t point) const {
    return !table_.row(point) && !(grid_.stop_when_saturated && table_.beyond_saturation(point));
  }

  void take(const EndedWork& ended) {
    ++finished_;
    if (ended.status == 0) {
      table_.set(ended.work, SweepTable::row_of(ended.text));
    } else {
      if (ended.status != 1 || !ended.text.starts_with("deadlock:")) {
        throw RunFailure(describe(ended.work) + ": " + failure_text(ended));
      }
      table_.set(ended.work, SweepTable::deadlock_row());
    }
    show();
    if (Clock::now() - written_ > std::chrono::milliseconds(500)) save();
  }

  [[nodiscard]] std::string describe(std::size_t point) const {
    std::string text = "sweep";
    for (std::size_t k = 0; k < grid_.keys.size(); ++k) {
      text += fmt::format(" {}={}", grid_.keys[k].key, grid_.points[point].values[k]);
    }
    return text;
  }

  /// What is known so far: an interrupted sweep goes on from there.
  void save() {
    table_.write();
    written_ = Clock::now();
  }

  void show() {
    std::size_t done = 0;
    for (const std::size_t i : points_) done += table_.row(i) ? 1 : 0;
    const std::size_t all = std::max<std::size_t>(points_.size(), 1);
    progress_.show(fmt::format("sweep {} {} of {} points",
                               progress_bar(static_cast<double>(done) / static_cast<double>(all)),
                               done, points_.size()));
  }

  const SweepGrid& grid_;
  const std::vector<std::size_t> points_;
  SweepTable& table_;
  Progress& progress_;
  ForkedJobs jobs_;
  std::size_t finished_ = 0;
  Clock::time_point written_ = Clock::now();
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
    if (!table.row(i) || (grid.stop_when_saturated && table.beyond_saturation(i))) continue;
    const std::string title = grid.curve(grid.points[i]);
    auto c = std::ranges::find(curves, title, &SweepCurve::title);
    if (c == curves.end()) {
      c = curves.emplace(c);
      c->title = title;
    }
    if (!table.number(i, "accepted")) ++c->deadlocks;
    if (table.cost(i)) c->cost = table.cost(i);
    c->zero_load = table.number(i, "zero_load").value_or(c->zero_load);
    c->ideal = table.number(i, "ideal").value_or(c->ideal);
    const double load = grid.points[i].scenario.synthetic.injection.load;
    if (!table.saturated(i)) {
      c->served = std::max(c->served, table.number(i, "accepted").value_or(0));
    } else if (load < c->saturated_at.value_or(1e300)) {
      c->saturated_at = load;
    }
  }
  return curves;
}

}  // namespace

SweepReport run_sweep(const SweepGrid& grid, const SweepOptions& options, Progress& progress) {
  const ResultFolder folder(options.folder, {"sweep.csv"});
  SweepTable table(grid, options.folder / "sweep.csv");
  table.resume();
  SweepReport report;
  report.name = grid.name;
  const std::vector<std::size_t> points = points_of(grid, options.shard);
  report.points = points.size();
  for (const std::size_t i : points) report.kept += table.row(i) ? 1 : 0;
  try {
    report.simulated =
        SweepRunner(grid, points, table, process_count(options.processes), progress).run();
    table.write();
    if (grid.cost && !options.shard) add_costs(grid, options.rtl_dir, table, progress);
  } catch (...) {
    table.write();
    throw;
  }
  table.write();
  progress.clear();
  report.rows = table.file();
  if (options.shard) return report;
  if (options.plots && grid.load_key() < grid.keys.size()) {
    plot_curves(grid, table, options.folder);
    report.drawing = options.folder / "curves.svg";
  }
  report.curves = curves_of(grid, table);
  return report;
}

}  // namespace annelid::studies
