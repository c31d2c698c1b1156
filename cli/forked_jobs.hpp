// Pieces of work that run at the same time, each in a copy of this process.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <span>
#include <string>

#include "cli/child_process.hpp"

namespace annelid::cli {

/// Simulations: SystemC elaborates once per process. A copy of the parent needs no way to be told
/// its work; its result comes back as a text.
class ForkedJobs {
 public:
  /// What a copy does for a piece of work. If it throws, the work has failed.
  using Work = std::function<std::string(std::size_t job)>;

  /// How one ended: `text` is the result if `status` is 0, else what the process printed, or what
  /// was thrown.
  struct Ended {
    std::size_t job = 0;
    int status = 0;  ///< as that of wait_process()
    std::string text;
  };

  /// `processes` at the same time, at least 1. `name` is the work's, for messages.
  ForkedJobs(std::string name, Work work, std::size_t processes);
  ForkedJobs(const ForkedJobs&) = delete;
  ForkedJobs& operator=(const ForkedJobs&) = delete;
  /// Ends what still runs.
  ~ForkedJobs();

  /// Begins the jobs in this order, and tells `finished` of each that has ended.
  void run(std::span<const std::size_t> order, const std::function<void(const Ended&)>& finished);

 private:
  void start(std::size_t job);
  [[nodiscard]] std::filesystem::path file(std::size_t job, const char* kind) const;

  const std::string name_;
  const Work work_;
  const std::size_t processes_;
  std::filesystem::path folder_;
  ChildPool running_;
};

}  // namespace annelid::cli
