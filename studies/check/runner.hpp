// Runs the jobs of `annelid check`, each in a process of its own.
#pragma once

#include <functional>
#include <vector>

#include "base/forked_jobs.hpp"
#include "studies/check/job.hpp"

namespace annelid::studies {

class CheckRunner {
 public:
  /// `processes` at the same time, at least 1.
  CheckRunner(const std::vector<CheckJob>& jobs, const nic::Image& image, std::size_t processes);

  /// Starts the longest jobs first, so that no process is left alone with one in the end. Tells
  /// `finished` of every job that has ended, by its place, in no order that
  /// matters. A process that dies is a job that failed.
  void run(const std::function<void(std::size_t job, const JobResult&)>& finished);

 private:
  [[nodiscard]] JobResult result_of(const EndedWork& ended) const;

  const std::vector<CheckJob>& jobs_;
  ForkedJobs processes_;
};

}  // namespace annelid::studies
