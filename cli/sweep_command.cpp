#include "cli/sweep_command.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "base/child_process.hpp"
#include "base/files.hpp"
#include "base/run_failure.hpp"
#include "cli/installed_files.hpp"
#include "cli/progress_line.hpp"
#include "studies/common/program_runs.hpp"
#include "studies/sweep/sweep_cost.hpp"
#include "studies/sweep/sweep_plot.hpp"
#include "studies/sweep/sweep_table.hpp"

namespace annelid::cli {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

/// Runs the points that have no row yet.
class SweepRunner {
 public:
  SweepRunner(const studies::SweepGrid& grid, studies::SweepTable& table, fs::path folder,
              std::size_t jobs, Progress& progress)
      : grid_(grid), table_(table), progress_(progress), runs_(std::move(folder), jobs) {}

  /// Returns the number of points that were simulated.
  std::size_t run() {
    show();
    runs_.run(
        grid_.points.size(), [&](std::size_t point) { return arguments(point); },
        [&](const EndedWork& ended) { take(ended); });
    return finished_;
  }

 private:
  [[nodiscard]] std::optional<std::vector<std::string>> arguments(std::size_t point) const {
    if (table_.row(point)) return std::nullopt;
    if (grid_.stop_when_saturated && table_.beyond_saturation(point)) return std::nullopt;
    std::vector<std::string> words = {"traffic", "--quiet", "--fast"};
    for (std::string& assignment : grid_.points[point].scenario.settings.assignments()) {
      words.emplace_back("--set");
      words.push_back(std::move(assignment));
    }
    return words;
  }

  void take(const EndedWork& ended) {
    ++finished_;
    if (ended.status == 0) {
      table_.set(ended.work, studies::SweepTable::row_of(ended.text));
    } else {
      if (ended.status != 1 || !ended.text.starts_with("annelid: deadlock:")) {
        throw RunFailure(
            fmt::format("{}: exit status {}\n{}", describe(ended.work), ended.status, ended.text));
      }
      table_.set(ended.work, studies::SweepTable::deadlock_row());
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
    for (std::size_t i = 0; i < grid_.points.size(); ++i) done += table_.row(i) ? 1 : 0;
    const std::size_t all = grid_.points.size();
    progress_.show(fmt::format("sweep {} {} of {} points",
                               progress_bar(static_cast<double>(done) / static_cast<double>(all)),
                               done, all));
  }

  const studies::SweepGrid& grid_;
  studies::SweepTable& table_;
  Progress& progress_;
  studies::ProgramRuns runs_;
  std::size_t finished_ = 0;
  Clock::time_point written_ = Clock::now();
};

/// Per curve: zero-load latency, and where it saturates.
std::string summary(const studies::SweepGrid& grid, const studies::SweepTable& table,
                    std::size_t kept, std::size_t simulated) {
  struct Curve {
    std::string title;
    double zero_load = 0, ideal = 0, accepted = 0;
    std::optional<double> saturated_at;
    std::optional<studies::RouterCost> cost;
    std::size_t deadlocks = 0;
  };
  std::vector<Curve> curves;
  for (std::size_t i = 0; i < grid.points.size(); ++i) {
    if (!table.row(i) || (grid.stop_when_saturated && table.beyond_saturation(i))) continue;
    const std::string title = grid.curve(grid.points[i]);
    auto c = std::ranges::find(curves, title, &Curve::title);
    if (c == curves.end()) {
      c = curves.emplace(c);
      c->title = title;
    }
    if (!table.number(i, "accepted")) ++c->deadlocks;
    if (table.cost(i)) c->cost = table.cost(i);
    c->zero_load = table.number(i, "zero_load").value_or(c->zero_load);
    c->ideal = table.number(i, "ideal").value_or(c->ideal);
    c->accepted = std::max(c->accepted, table.number(i, "accepted").value_or(0));
    const double load = grid.points[i].scenario.synthetic.injection.load;
    if (table.saturated(i) && load < c->saturated_at.value_or(1e300)) c->saturated_at = load;
  }
  std::string text = fmt::format("{}: {} points, {} simulated, {} kept\n\n", grid.name,
                                 grid.points.size(), simulated, kept);
  std::size_t width = 5;
  for (const Curve& c : curves) width = std::max(width, c.title.size());
  text += fmt::format("  {:<{}}  zero load  saturated at  most accepted  ideal\n", "curve", width);
  for (const Curve& c : curves) {
    text += fmt::format("  {:<{}}  {:>9.2f}  {:>12}  {:>13.4f} {:>6.4f}{}\n", c.title, width,
                        c.zero_load, c.saturated_at ? fmt::format("{:.4g}", *c.saturated_at) : "-",
                        c.accepted, c.ideal,
                        c.deadlocks > 0 ? fmt::format("  {} deadlocks", c.deadlocks) : "");
    if (!c.cost) continue;
    text.insert(text.size() - 1,
                fmt::format("  {:.0f} um2, {:.2f} ns a cycle, zero load {:.1f} ns",
                            c.cost->area_um2, c.cost->period_ns, c.zero_load * c.cost->period_ns));
  }
  return text;
}

}  // namespace

int run_sweep(const SweepArguments& arguments) {
  studies::SweepGrid grid =
      studies::SweepGrid::read(arguments.scenario, arguments.overrides, arguments.sweeps);
  grid.stop_when_saturated |= arguments.stop_when_saturated;
  grid.cost |= arguments.cost;
  const fs::path folder =
      arguments.out.empty() ? fs::path("runs") / grid.name : fs::path(arguments.out);
  prepare_folder(folder, {"sweep.csv"});

  studies::SweepTable table(grid, folder / "sweep.csv");
  table.resume();
  std::size_t kept = 0;
  for (std::size_t i = 0; i < grid.points.size(); ++i) kept += table.row(i) ? 1 : 0;
  ProgressLine progress(!arguments.quiet);
  std::size_t simulated = 0;
  try {
    simulated =
        SweepRunner(grid, table, folder / "points.tmp", process_count(arguments.jobs), progress)
            .run();
    table.write();
    if (grid.cost) studies::add_costs(grid, rtl_folder(), table, progress);
  } catch (...) {
    table.write();
    throw;
  }
  table.write();
  progress.clear();
  const bool curves = !arguments.no_plots && grid.load_key() < grid.keys.size();
  if (curves) studies::plot_curves(grid, table, folder);
  if (arguments.quiet) return 0;
  fmt::print("{}\n  rows      {}\n", summary(grid, table, kept, simulated), table.file().string());
  if (curves) {
    fmt::print("  curves    {}, curves.png\n", (folder / "curves.svg").string());
  }
  return 0;
}

}  // namespace annelid::cli
