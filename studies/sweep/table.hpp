// The rows of a sweep, and the CSV file that holds them.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "studies/common/row_file.hpp"
#include "studies/sweep/grid.hpp"
#include "studies/sweep/repeat.hpp"

namespace annelid::studies {

/// The results of a point, as the texts of their columns.
using SweepRow = std::vector<std::string>;

/// The cost of a point's router, as from `annelid cost`.
struct RouterCost {
  double area_um2 = 0, period_ns = 0;
};

/// Holds a row for each point that has been simulated. The file has these columns: configuration,
/// the swept keys, kResults, kCosts if the routers' costs are known, and the rest of the
/// configuration.
class SweepTable {
 public:
  SweepTable(const SweepGrid& grid, std::filesystem::path file);

  /// Takes over the rows of an existing file that belong to a point of this sweep. Throws
  /// InputError if the file is no such table.
  void resume();

  [[nodiscard]] const std::optional<SweepRow>& row(std::size_t point) const { return rows_[point]; }
  void set(std::size_t point, SweepRow row) { rows_[point] = std::move(row); }
  void set_cost(std::size_t point, const RouterCost& cost) { costs_[point] = cost; }
  [[nodiscard]] const std::optional<RouterCost>& cost(std::size_t point) const {
    return costs_[point];
  }
  /// Whether the point is saturated, in its repeat too if it has one, or deadlocked.
  [[nodiscard]] bool saturated(std::size_t point) const;
  /// Whether no measured packet arrived.
  [[nodiscard]] bool empty(std::size_t point) const;
  /// Whether the point looked saturated, but not in its repeat.
  [[nodiscard]] bool false_alarm(std::size_t point) const;
  /// Whether a point of the same curve with a lower load is saturated or deadlocked.
  [[nodiscard]] bool beyond_saturation(std::size_t point) const;

  /// Returns a number of a row, or nothing if the point has no row or no such number: it
  /// deadlocked, or no packet arrived.
  [[nodiscard]] std::optional<double> number(std::size_t point, const char* column) const;

  /// Replaces the file. It then has all rows, in the order of the points, followed by the rows of
  /// other sweeps. Points beyond saturation are left out if the sweep stops there.
  void write() const;
  [[nodiscard]] const std::filesystem::path& file() const { return file_.path(); }

  /// Make the columns of a row, from a result.json and its repeat, or for a deadlock.
  [[nodiscard]] static SweepRow row_of(const std::string& result_json, const Repeat& repeat);
  [[nodiscard]] static SweepRow deadlock_row();

 private:
  [[nodiscard]] double load(std::size_t point) const;
  /// The text of one of the kResults. The point must have a row.
  [[nodiscard]] const std::string& text(std::size_t point, const char* column) const;
  void add_cost_columns(std::size_t point, Columns& columns) const;
  [[nodiscard]] Columns columns_of(std::size_t point) const;

  const SweepGrid& grid_;
  RowFile file_;
  std::vector<Configuration> configurations_;  // by point
  std::vector<std::string> curves_;
  std::vector<std::optional<SweepRow>> rows_;
  std::vector<Columns> kept_;  // the file's rows, which may have costs of an earlier sweep
  std::vector<std::optional<RouterCost>> costs_;
};

}  // namespace annelid::studies
