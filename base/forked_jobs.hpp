// Runs pieces of work at the same time, in copies of this process.
#pragma once

#include <cstddef>
#include <functional>
#include <list>
#include <optional>
#include <span>
#include <string>

#include "base/child_process.hpp"

namespace annelid {

/// How a job ended. If `status` is 0, `text` is its result; otherwise it is what was printed.
struct EndedWork {
  std::size_t work = 0;  ///< the job's number
  int status = 0;        ///< as wait_process() returns it
  std::string text;
};

/// Why a job failed: what it said, or its exit status if it was ended.
[[nodiscard]] std::string failure_text(const EndedWork& ended);

/// How many jobs a copy of this process does.
enum class CopyFor {
  kOneJob,   ///< Each job begins with this process's memory.
  kManyJobs  ///< A job begins in a process where others have ended. That is faster when jobs are
             ///< short, as a new process gets each page of its memory from the system. A job that
             ///< simulates needs a systemc::Elaboration.
};

/// A copy already has the work in its memory. Results come back as text in memory that the copy
/// shares with its parent. So nothing is left on a disk, however the program ends. A job that kills
/// its copy, or throws, harms no other job: the next one gets a new copy.
class ForkedJobs {
 public:
  /// What a copy does for one job. If it throws, the job has failed.
  using Work = std::function<std::string(std::size_t job)>;

  /// At most `processes` copies run at the same time, at least 1. Signals that would end this
  /// program are held back as long as this object lives.
  ForkedJobs(Work work, std::size_t processes, CopyFor copy_for);
  ForkedJobs(const ForkedJobs&) = delete;
  ForkedJobs& operator=(const ForkedJobs&) = delete;
  /// Ends the copies that are still running.
  ~ForkedJobs();

  /// Begins the jobs in this order, and calls `finished` for each job that has ended. The text of a
  /// failed job is what the process printed and what was thrown. A job that is not `wanted` when
  /// its turn comes is skipped. Throws Interrupted, and whatever the two functions throw; other
  /// jobs may still be running then. The copies know what this process knew when run() began, or
  /// later.
  void run(std::span<const std::size_t> order,
           const std::function<void(const EndedWork&)>& finished,
           const std::function<bool(std::size_t job)>& wanted = {});

 private:
  struct Copy;

  void start(std::size_t job);
  /// Forks a copy that begins with this job.
  void fork_copy(std::size_t job);
  [[noreturn]] void be_copy(std::optional<std::size_t> job, int file, int parent) const;
  /// How one of the jobs ended that have ended since.
  std::optional<EndedWork> take_ended();
  void end_copies();

  const Work work_;
  const HeldSignals held_;
  const std::size_t processes_;
  const CopyFor copy_for_;
  std::list<Copy> copies_;
};

}  // namespace annelid
