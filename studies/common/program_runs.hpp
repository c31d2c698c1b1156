// Runs of this program, several at a time, each in a process of its own, as SystemC elaborates once
// per process.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/child_process.hpp"

namespace annelid::studies {

class ProgramRuns {
 public:
  /// `folder` is made anew for what the runs write, and removed at the end, also if a signal ends
  /// the program. `processes` at the same time, at least 1.
  ProgramRuns(std::filesystem::path folder, std::size_t processes);
  ProgramRuns(const ProgramRuns&) = delete;
  ProgramRuns& operator=(const ProgramRuns&) = delete;
  /// Ends what still runs.
  ~ProgramRuns();

  /// What stands behind `annelid`, but for --out; nothing for a run that is left out.
  using Arguments = std::function<std::optional<std::vector<std::string>>(std::size_t run)>;

  /// Begins the runs 0 to `count` - 1 in this order, and tells `finished` of each that has ended:
  /// the text is its result.json, or what it printed if it failed. Throws as ChildPool::run() does.
  void run(std::size_t count, const Arguments& arguments,
           const std::function<void(const EndedWork&)>& finished);

 private:
  ChildPool running_;
  const std::filesystem::path folder_;
};

}  // namespace annelid::studies
