// Runs pieces of work at the same time, each in a copy of this process.
#pragma once

#include <functional>
#include <map>
#include <span>
#include <string>

#include "base/child_process.hpp"

namespace annelid {

/// Why a job failed: what it said, or its exit status if it was ended.
[[nodiscard]] std::string failure_text(const EndedWork& ended);

/// For simulations, because SystemC elaborates only once per process. A copy already has the work
/// in its memory. Its result comes back as text in memory that it shares with the parent. So
/// nothing is left on a disk, however the program ends.
class ForkedJobs {
 public:
  /// What a copy does for one job. If it throws, the job has failed.
  using Work = std::function<std::string(std::size_t job)>;

  /// At most `processes` copies run at the same time, at least 1.
  ForkedJobs(Work work, std::size_t processes);

  /// Begins the jobs in this order, and calls `finished` for each job that has ended. The text of a
  /// failed job is what the process printed and what was thrown. A job that is not `wanted` when
  /// its turn comes is skipped. Throws as ChildPool::run() does.
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
