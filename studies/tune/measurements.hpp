// The measurements of a tuning, and the CSV file that holds them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "studies/tune/grid.hpp"

namespace annelid::studies {

/// The result of a run.
struct TuneMeasurement {
  /// Until the last process has finished its call; of a prepared call, those of the start.
  std::uint64_t cycles = 0;
  std::uint64_t control = 0;  ///< flit-cycles in which messages waited for control packets
};

/// Stores the result for each configuration of a run.
class TuneMeasurements {
 public:
  TuneMeasurements(const TuneGrid& grid, std::filesystem::path file)
      : grid_(grid), file_(std::move(file)) {}

  /// Reads an existing file. Throws InputError if it is no such table.
  void resume() { file_.read(); }

  [[nodiscard]] std::optional<TuneMeasurement> find(const TunePoint& point) const;
  void set(const TunePoint& point, const TuneMeasurement& measured) {
    measured_[point.configuration.hash] = measured;
  }

  /// Replaces the file. It then has a row for each measured point, in the order of the cases, the
  /// algorithms, the sizes and the kinds of calls, followed by the rows of other tunings.
  void write() const;
  [[nodiscard]] const std::filesystem::path& file() const { return file_.path(); }

 private:
  const TuneGrid& grid_;
  RowFile file_;
  std::map<std::string, TuneMeasurement> measured_;  // now
};

}  // namespace annelid::studies
