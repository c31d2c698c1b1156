#include "studies/check/runner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

namespace annelid::studies {

CheckRunner::CheckRunner(const std::vector<CheckJob>& jobs, const nic::Image& image,
                         std::size_t processes)
    : jobs_(jobs),
      processes_([&](std::size_t job) { return to_json(run_job(jobs[job], image)); }, processes,
                 CopyFor::kManyJobs) {}

JobResult CheckRunner::result_of(const EndedWork& ended) const {
  if (ended.status == 0) return job_result_of(ended.text);
  JobResult lost;
  lost.rest = false;
  lost.difference = fmt::format("the process ended with status {}: {}", ended.status, ended.text);
  const CheckJob& job = jobs_[ended.work];
  if (!job.calls.empty()) lost.command = run_command(job, job.calls.front());
  return lost;
}

void CheckRunner::run(std::vector<std::size_t> order,
                      const std::function<void(std::size_t, const JobResult&)>& finished) {
  std::ranges::stable_sort(order, std::greater(), [&](std::size_t j) { return jobs_[j].seconds; });
  processes_.run(order, [&](const EndedWork& ended) { finished(ended.work, result_of(ended)); });
}

}  // namespace annelid::studies
