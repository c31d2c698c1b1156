// Simulates a study's jobs in copies of this process, and keeps what they find, so that an
// interrupted study goes on from there.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <functional>
#include <utility>
#include <vector>

#include "base/forked_jobs.hpp"

namespace annelid::studies {

/// How far a study is.
struct JobCount {
  std::size_t jobs = 0, ended = 0;        ///< ended: now, or in an earlier run of the study
  double seconds = 0, ended_seconds = 0;  ///< what these jobs take, as estimated

  /// The part that is done, 0 to 1. The bar of a study whose long jobs come first would run fast at
  /// the end if it counted jobs.
  [[nodiscard]] double part() const {
    return seconds > 0 ? std::min(1.0, ended_seconds / seconds) : 0;
  }
};

/// What a study knows of its jobs. Jobs are numbers.
struct KeptStudy {
  std::function<bool(std::size_t job)> has_result;  ///< of an earlier run
  std::function<double(std::size_t job)> seconds;   ///< estimated; without it all are alike
  /// Notes the result. Throws if the study cannot go on.
  std::function<void(const EndedWork& ended)> take;
  std::function<void(std::size_t job)> show;  ///< the progress, after this job
  std::function<void()> write;                ///< all results, to their file
  std::chrono::milliseconds interval{500};    ///< between two of these
};

/// Does `work`, and writes the results behind it, also if it throws.
template <typename Work, typename Write>
void write_behind(const Work& work, const Write& write) {
  try {
    work();
  } catch (...) {
    write();
    throw;
  }
  write();
}

class KeptJobs {
 public:
  explicit KeptJobs(KeptStudy study) : study_(std::move(study)) {}

  /// Begins to count: these jobs, of which none has ended.
  void begin(std::vector<std::size_t> jobs);
  /// Counts those of them that have a result as ended. Returns the others, in the same order.
  [[nodiscard]] std::vector<std::size_t> missing();

  /// Lets `copies` do the jobs, the longest first, so that none is left alone at the end. Takes,
  /// counts and shows each that has ended, and writes the results from time to time. A job that is
  /// not `wanted` when its turn comes is skipped. Throws as ForkedJobs::run() does. Several calls
  /// share the interval between two writes.
  void run(ForkedJobs& copies, std::vector<std::size_t> jobs,
           const std::function<bool(std::size_t job)>& wanted = {});

  [[nodiscard]] const JobCount& count() const { return count_; }

 private:
  [[nodiscard]] double seconds(std::size_t job) const {
    return study_.seconds ? study_.seconds(job) : 1;
  }

  const KeptStudy study_;
  std::vector<std::size_t> jobs_;
  JobCount count_;
  std::chrono::steady_clock::time_point written_ = std::chrono::steady_clock::now();
};

}  // namespace annelid::studies
