// How far a long job is, told while it runs.
#pragma once

#include <string>
#include <string_view>

namespace annelid {

/// "[######........................]": the part of a job, 0 to 1, that is done.
[[nodiscard]] std::string progress_bar(double part);

/// Libraries report their progress to this class. The program decides what to show. This class
/// itself shows nothing.
class Progress {
 public:
  Progress() = default;
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  virtual ~Progress() = default;

  /// Replaces what was shown before.
  virtual void show(std::string_view /*line*/) {}
  /// Nothing is left to show.
  virtual void clear() {}
};

}  // namespace annelid
