// Runs the jobs of `annelid check`, each in a process of its own.
#pragma once

#include <filesystem>
#include <functional>
#include <vector>

#include "cli/check_job.hpp"
#include "cli/child_process.hpp"

namespace annelid::cli {

class CheckRunner {
 public:
  /// `processes` at the same time, at least 1.
  CheckRunner(const std::vector<CheckJob>& jobs, const Image& image, std::size_t processes);
  CheckRunner(const CheckRunner&) = delete;
  CheckRunner& operator=(const CheckRunner&) = delete;
  /// Ends what still runs.
  ~CheckRunner();

  /// Starts the longest jobs first, so that no process is left alone with one in the end. Tells
  /// `finished` of every job that has ended, by its place, in no order that
  /// matters. A process that dies is a job that failed.
  void run(const std::function<void(std::size_t job, const JobResult&)>& finished);

 private:
  void start(std::size_t job);
  [[nodiscard]] JobResult result_of(std::size_t job, int status) const;
  [[nodiscard]] std::filesystem::path file(std::size_t job, const char* kind) const;

  const std::vector<CheckJob>& jobs_;
  const Image& image_;
  const std::size_t processes_;
  std::filesystem::path folder_;
  ChildPool running_;
};

}  // namespace annelid::cli
