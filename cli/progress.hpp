// One line on a terminal that says how far a long job is; nothing in a pipe or a file.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

namespace annelid::cli {

/// "[######........................]": the part of a job, 0 to 1, that is done.
[[nodiscard]] std::string progress_bar(double part);

class Progress {
 public:
  /// Writes to standard error if that is a terminal and `wanted` is set.
  explicit Progress(bool wanted);
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress();

  /// Replaces the line, at most ten times a second; shows as much of it as the terminal is wide.
  void show(std::string_view line);
  /// Takes the line away.
  void clear();
  [[nodiscard]] bool enabled() const { return enabled_; }

 private:
  bool enabled_;
  bool shown_ = false;
  std::chrono::steady_clock::time_point last_{};
};

}  // namespace annelid::cli
