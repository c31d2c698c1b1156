// The measurements of a tuning, and the CSV file that holds them.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "studies/tune/grid.hpp"

namespace annelid::studies {

/// Stores, for each configuration of a run, the cycles until the last process has finished its
/// call.
class TuneMeasurements {
 public:
  TuneMeasurements(const TuneGrid& grid, std::filesystem::path file)
      : grid_(grid), file_(std::move(file)) {}

  /// Reads an existing file. Throws InputError if it is no such table.
  void resume() { file_.read(); }

  [[nodiscard]] std::optional<std::uint64_t> cycles(const TunePoint& point) const;
  void set(const TunePoint& point, std::uint64_t cycles) {
    cycles_[point.configuration.hash] = cycles;
  }

  /// Replaces the file. It then has a row for each measured point, in the order of the cases, the
  /// algorithms and the sizes, followed by the rows of other tunings.
  void write() const;
  [[nodiscard]] const std::filesystem::path& file() const { return file_.path(); }

 private:
  const TuneGrid& grid_;
  RowFile file_;
  std::map<std::string, std::uint64_t> cycles_;  // that were measured now
};

}  // namespace annelid::studies
