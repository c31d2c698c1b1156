// The rows of a sweep, and the one CSV file that they are in.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "studies/common/row_file.hpp"
#include "studies/sweep/grid.hpp"

namespace annelid::studies {

/// The results of a point, as the texts of their columns.
using SweepRow = std::vector<std::string>;

/// The cost of a point's router: `annelid cost`.
struct RouterCost {
  double area_um2 = 0, period_ns = 0;
};

/// A row for each point that has been simulated. The file has the columns configuration, the swept
/// keys, kResults, if the costs of the routers are known kCosts, and all else of the configuration.
class SweepTable {
 public:
  SweepTable(const SweepGrid& grid, std::filesystem::path file);

  /// Takes over the rows of an existing file whose configuration is that of a point. Throws
  /// InputError if it is no such file.
  void resume();

  [[nodiscard]] const std::optional<SweepRow>& row(std::size_t point) const { return rows_[point]; }
  void set(std::size_t point, SweepRow row) { rows_[point] = std::move(row); }
  void set_cost(std::size_t point, const RouterCost& cost) { costs_[point] = cost; }
  [[nodiscard]] const std::optional<RouterCost>& cost(std::size_t point) const {
    return costs_[point];
  }
  [[nodiscard]] bool saturated(std::size_t point) const;
  /// A point of its curve with a lower load is saturated, or deadlocked.
  [[nodiscard]] bool beyond_saturation(std::size_t point) const;

  /// A number of a row; nothing if the point has no row or deadlocked.
  [[nodiscard]] std::optional<double> number(std::size_t point, const std::string& column) const;

  /// Replaces the file: all rows, in the order of the points, and behind them those of other
  /// sweeps. Points beyond saturation are left out if the sweep stops there.
  void write() const;
  [[nodiscard]] const std::filesystem::path& file() const { return file_.path(); }

  /// The columns of a row, from a result.json; of a deadlock.
  [[nodiscard]] static SweepRow row_of(const std::string& result_json);
  [[nodiscard]] static SweepRow deadlock_row();

 private:
  [[nodiscard]] double load(std::size_t point) const;
  void add_cost_columns(std::size_t point, Columns& columns) const;
  [[nodiscard]] Columns columns_of(std::size_t point) const;

  const SweepGrid& grid_;
  RowFile file_;
  std::vector<Configuration> configurations_;  // by point
  std::vector<std::string> curves_;
  std::vector<std::optional<SweepRow>> rows_;
  std::vector<Columns> kept_;  // what the file said of them: also costs of an earlier sweep
  std::vector<std::optional<RouterCost>> costs_;
};

}  // namespace annelid::studies
