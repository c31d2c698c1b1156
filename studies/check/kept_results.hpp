// The results of a check's jobs in a file, so that a check goes on where an earlier one stopped.
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "nic/core.hpp"
#include "studies/check/job.hpp"
#include "studies/common/row_file.hpp"

namespace annelid::studies {

/// A row for each job, which holds all that determines its result: the calls, the firmware, and the
/// build of the program.
class KeptResults {
 public:
  /// Reads the results of these jobs from check.csv in `folder`, if it exists. Keeps nothing if
  /// `folder` is empty. `jobs` must outlive it; `image` is the RV32 firmware. Throws InputError if
  /// the file is no such table.
  KeptResults(const std::vector<CheckJob>& jobs, const nic::Image& image,
              const std::filesystem::path& folder);

  /// The result of a job, or nothing if it has not been run.
  [[nodiscard]] const std::optional<JobResult>& find(std::size_t job) const {
    return results_[job];
  }
  void set(std::size_t job, const JobResult& result) { results_[job] = result; }
  /// Replaces the file. It then has the results of jobs that passed, in the order of the jobs,
  /// followed by those of other checks. A job that failed is run again, as its process may have
  /// died.
  void write() const;

 private:
  const std::vector<CheckJob>& jobs_;
  std::vector<std::optional<JobResult>> results_;
  std::optional<RowFile> file_;
  std::vector<Configuration> configurations_;  // by job, if there is a file
};

}  // namespace annelid::studies
