// The rows of a sweep, and the one CSV file that they are in.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "studies/sweep/grid.hpp"

namespace annelid::studies {

/// The results of a point, as the texts of their columns.
using SweepRow = std::vector<std::string>;

/// The cost of a point's router: `annelid cost`.
struct RouterCost {
  double area_um2 = 0, period_ns = 0;
};

/// A row for each point that has been simulated. The file has the columns
/// configuration (a hash of all that decides the results), the swept keys, kResults, and, if the
/// costs of the routers are known, kCosts.
class SweepTable {
 public:
  SweepTable(const SweepGrid& grid, std::filesystem::path file);

  /// Takes over the rows of an existing file whose configuration is that of a point.
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

  /// Replaces the file: all rows, in the order of the points. Those beyond saturation are left out
  /// if the sweep stops there.
  void write() const;
  [[nodiscard]] const std::filesystem::path& file() const { return file_; }

  /// The columns of a row, from a result.json; of a deadlock.
  [[nodiscard]] static SweepRow row_of(const std::string& result_json);
  [[nodiscard]] static SweepRow deadlock_row();

 private:
  [[nodiscard]] double load(std::size_t point) const;
  [[nodiscard]] std::string cost_fields(std::size_t point) const;

  const SweepGrid& grid_;
  std::filesystem::path file_;
  std::vector<std::string> hashes_;  // by point
  std::vector<std::string> curves_;
  std::vector<std::optional<SweepRow>> rows_;
  std::vector<std::optional<RouterCost>> costs_;
};

}  // namespace annelid::studies
