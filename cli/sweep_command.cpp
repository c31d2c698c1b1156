#include "cli/sweep_command.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "cli/child_process.hpp"
#include "cli/files.hpp"
#include "cli/input_error.hpp"
#include "cli/progress.hpp"
#include "cli/run_failure.hpp"
#include "cli/sweep_cost.hpp"
#include "cli/sweep_plot.hpp"
#include "cli/sweep_table.hpp"

namespace annelid::cli {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

/// Runs the points that have no row yet, each in a process of its own: SystemC elaborates once per
/// process.
class SweepRunner {
 public:
  SweepRunner(const SweepGrid& grid, SweepTable& table, fs::path folder, std::size_t jobs,
              Progress& progress)
      : grid_(grid),
        table_(table),
        folder_(std::move(folder)),
        jobs_(jobs),
        progress_(progress),
        program_(own_program()) {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  SweepRunner(const SweepRunner&) = delete;
  SweepRunner& operator=(const SweepRunner&) = delete;
  ~SweepRunner() {
    running_.end();  // before the folder that they write to goes
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }

  /// Returns the number of points that were simulated.
  std::size_t run() {
    std::size_t next = 0;
    while (next < grid_.points.size() || running_.size() > 0) {
      while (next < grid_.points.size() && running_.size() < jobs_) start(next++);
      if (running_.size() > 0) finish_one();
      show();
    }
    return finished_;
  }

 private:
  [[nodiscard]] fs::path place(std::size_t point) const { return folder_ / std::to_string(point); }

  void start(std::size_t point) {
    if (table_.row(point)) return;
    if (grid_.stop_when_saturated && table_.beyond_saturation(point)) return;
    std::vector<std::string> arguments = {"traffic", "--quiet", "--fast", "--out",
                                          place(point).string()};
    for (std::string& assignment : grid_.points[point].scenario.settings.assignments()) {
      arguments.emplace_back("--set");
      arguments.push_back(std::move(assignment));
    }
    running_.add(start_process(program_.string(), arguments, log(point)), point);
  }

  void finish_one() {
    const auto ended = running_.wait();
    if (!ended) throw RunFailure("sweep: a process was lost");
    const auto [point, status] = *ended;
    ++finished_;
    if (status == 0) {
      table_.set(point, SweepTable::row_of(read_text(place(point) / "result.json")));
    } else {
      const std::string message = read_text(log(point));
      if (status != 1 || !message.starts_with("annelid: deadlock:")) {
        throw RunFailure(fmt::format("{}: exit status {}\n{}", describe(point), status, message));
      }
      table_.set(point, SweepTable::deadlock_row());
    }
    fs::remove_all(place(point));
    fs::remove(log(point));
    if (Clock::now() - written_ > std::chrono::milliseconds(500)) save();
  }

  [[nodiscard]] fs::path log(std::size_t point) const {
    return folder_ / (std::to_string(point) + ".log");
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

  const SweepGrid& grid_;
  SweepTable& table_;
  const fs::path folder_;
  const std::size_t jobs_;
  Progress& progress_;
  const fs::path program_;
  ChildPool running_;
  std::size_t finished_ = 0;
  Clock::time_point written_ = Clock::now();
};

/// Per curve: zero-load latency, and where it saturates.
std::string summary(const SweepGrid& grid, const SweepTable& table, std::size_t kept,
                    std::size_t simulated) {
  struct Curve {
    std::string title;
    double zero_load = 0, ideal = 0, accepted = 0;
    std::optional<double> saturated_at;
    std::optional<RouterCost> cost;
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
  SweepGrid grid = SweepGrid::read(arguments.scenario, arguments.overrides, arguments.sweeps);
  grid.stop_when_saturated |= arguments.stop_when_saturated;
  grid.cost |= arguments.cost;
  const fs::path folder =
      arguments.out.empty() ? fs::path("runs") / grid.name : fs::path(arguments.out);
  prepare_folder(folder, {"sweep.csv"});

  SweepTable table(grid, folder / "sweep.csv");
  table.resume();
  std::size_t kept = 0;
  for (std::size_t i = 0; i < grid.points.size(); ++i) kept += table.row(i) ? 1 : 0;
  Progress progress(!arguments.quiet);
  std::size_t simulated = 0;
  try {
    SweepRunner runner(grid, table, folder / "points.tmp", process_count(arguments.jobs), progress);
    simulated = runner.run();
    table.write();
    if (grid.cost) add_costs(grid, table, progress);
  } catch (...) {
    table.write();
    throw;
  }
  table.write();
  progress.clear();
  const bool curves = !arguments.no_plots && grid.load_key() < grid.keys.size();
  if (curves) plot_curves(grid, table, folder);
  if (arguments.quiet) return 0;
  fmt::print("{}\n  rows      {}\n", summary(grid, table, kept, simulated), table.file().string());
  if (curves) {
    fmt::print("  curves    {}, curves.png\n", (folder / "curves.svg").string());
  }
  return 0;
}

}  // namespace annelid::cli
