// Reports the progress of a long job while it runs.
#pragma once

#include <string>
#include <string_view>

namespace annelid {

/// A bar such as "[######........................]" for the fraction of a job that is done, 0 to 1.
[[nodiscard]] std::string progress_bar(double part);

/// Libraries report their progress to this class, and the program decides what to show. The base
/// class shows nothing.
class Progress {
 public:
  Progress() = default;
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  virtual ~Progress() = default;

  /// Shows a line in place of the previous one.
  virtual void show(std::string_view /*line*/) {}
  /// Removes the line that is shown.
  virtual void clear() {}
};

}  // namespace annelid
