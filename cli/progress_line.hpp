// One line on a terminal that shows the progress of a long job. A pipe or a file gets nothing.
#pragma once

#include <chrono>
#include <string_view>

#include "base/progress.hpp"

namespace annelid::cli {

class ProgressLine final : public Progress {
 public:
  /// Writes to standard error if that is a terminal and `wanted` is set.
  explicit ProgressLine(bool wanted);
  ~ProgressLine() override;

  /// Shows the line, at most ten times a second, cut to the width of the terminal.
  void show(std::string_view line) override;
  /// Removes the line.
  void clear() override { take_away(); }

 private:
  void take_away();

  bool enabled_;
  bool shown_ = false;
  std::chrono::steady_clock::time_point last_{};
};

}  // namespace annelid::cli
