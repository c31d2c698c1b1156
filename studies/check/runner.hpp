// Runs the jobs of `annelid check` in several processes.
#pragma once

#include <functional>
#include <vector>

#include "base/forked_jobs.hpp"
#include "studies/check/job.hpp"

namespace annelid::studies {

class CheckRunner {
 public:
  /// Runs `processes` jobs at the same time, at least 1.
  CheckRunner(const std::vector<CheckJob>& jobs, const nic::Image& image, std::size_t processes);

  /// Runs these jobs, the longest first, so that no long job runs alone at the end. Calls
  /// `finished` with the place of each job that has ended, in any order. If a process dies, its job
  /// has failed.
  void run(std::vector<std::size_t> order,
           const std::function<void(std::size_t job, const JobResult&)>& finished);

 private:
  [[nodiscard]] JobResult result_of(const EndedWork& ended) const;

  const std::vector<CheckJob>& jobs_;
  ForkedJobs processes_;
};

}  // namespace annelid::studies
