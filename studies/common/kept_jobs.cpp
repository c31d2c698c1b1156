#include "studies/common/kept_jobs.hpp"

namespace annelid::studies {

void KeptJobs::begin(std::vector<std::size_t> jobs) {
  jobs_ = std::move(jobs);
  count_ = {.jobs = jobs_.size()};
  for (const std::size_t job : jobs_) count_.seconds += seconds(job);
}

std::vector<std::size_t> KeptJobs::missing() {
  std::vector<std::size_t> without;
  for (const std::size_t job : jobs_) {
    if (!study_.has_result(job)) {
      without.push_back(job);
      continue;
    }
    count_.ended_seconds += seconds(job);
    ++count_.ended;
  }
  return without;
}

void KeptJobs::run(ForkedJobs& copies, std::vector<std::size_t> jobs,
                   const std::function<bool(std::size_t job)>& wanted) {
  using Clock = std::chrono::steady_clock;
  std::ranges::stable_sort(jobs, std::greater(), [&](std::size_t job) { return seconds(job); });
  const auto ended = [&](const EndedWork& work) {
    study_.take(work);
    ++count_.ended;
    count_.ended_seconds += seconds(work.work);
    study_.show(work.work);
    if (Clock::now() - written_ < study_.interval) return;
    study_.write();
    written_ = Clock::now();
  };
  copies.run(jobs, ended, wanted);
}

}  // namespace annelid::studies
