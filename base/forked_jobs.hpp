// Pieces of work that run at the same time, each in a copy of this process.
#pragma once

#include <functional>
#include <map>
#include <span>
#include <string>

#include "base/child_process.hpp"

namespace annelid {

/// Simulations: SystemC elaborates once per process. A copy of the parent already knows its work.
/// Its result comes back as a text, in memory that both share. So nothing is left on a disk,
/// however the program ends.
class ForkedJobs {
 public:
  /// What a copy does for a piece of work. If it throws, the work has failed.
  using Work = std::function<std::string(std::size_t job)>;

  /// `processes` at the same time, at least 1.
  ForkedJobs(Work work, std::size_t processes);

  /// Begins the jobs in this order, and tells `finished` of each that has ended; the text of one
  /// that failed is what the process printed, and what was thrown. A job that is not `wanted` when
  /// its turn comes is left out. Throws as ChildPool::run() does.
  void run(std::span<const std::size_t> order,
           const std::function<void(const EndedWork&)>& finished,
           const std::function<bool(std::size_t job)>& wanted = {});

 private:
  pid_t start(std::size_t job);
  std::string take_text(std::size_t job);

  const Work work_;
  ChildPool running_;
  std::map<std::size_t, MemoryFile> texts_;
};

}  // namespace annelid
