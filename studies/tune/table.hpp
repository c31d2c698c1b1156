// The measurements of a tuning, and the one CSV file that they are in.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "studies/tune/grid.hpp"

namespace annelid::studies {

/// Cycles until the last process has finished its call, by the configuration of the run.
class TuneTable {
 public:
  TuneTable(const TuneGrid& grid, std::filesystem::path file)
      : grid_(grid), file_(std::move(file)) {}

  /// Takes over the rows of an existing file; those of other configurations are of no use, and are
  /// left out when the file is written.
  void resume();

  [[nodiscard]] std::optional<std::uint64_t> cycles(const TunePoint& point) const;
  void set(const TunePoint& point, std::uint64_t cycles) { cycles_[point.configuration] = cycles; }

  /// Replaces the file: a row for each point that has been measured, in the order of the cases, the
  /// algorithms, the sizes.
  void write() const;
  [[nodiscard]] const std::filesystem::path& file() const { return file_; }

 private:
  const TuneGrid& grid_;
  std::filesystem::path file_;
  std::map<std::string, std::uint64_t> cycles_;
};

}  // namespace annelid::studies
