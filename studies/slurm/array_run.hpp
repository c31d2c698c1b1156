// Submits the shares of a study as a Slurm array, and follows it to its end.
#pragma once

#include <chrono>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/child_process.hpp"
#include "base/progress.hpp"
#include "base/result_folder.hpp"
#include "studies/slurm/shares.hpp"

namespace annelid::studies {

/// The file in the array's folder that notes what was submitted.
inline constexpr const char* kJobFile = "job.json";

/// One study's array. Slurm keeps it running without this process. Another ArrayRun of the same
/// study follows it further, and submits only what is missing.
class ArrayRun {
 public:
  /// Uses the array's folder. Throws InputError if another process does.
  explicit ArrayRun(ArrayStudy study);

  /// Submits the shares that are neither finished nor in the queue, and waits for all. A share
  /// that lost its node is submitted again, if Slurm has not done so by itself. `results` is the
  /// number of rows that there will be, or 0 if nobody knows. Returns the shares' results. Throws
  /// InputError if this machine has no Slurm, if an array of another study in this folder is still
  /// in the queue, and for what Slurm or a task refuses; RunFailure if a task failed (then the
  /// others are cancelled) or ended without results, or if Slurm does not answer at first; and
  /// Interrupted if a signal asks the program to end.
  [[nodiscard]] std::vector<Part> follow(std::size_t results, Progress& progress);

  /// The numbers of the arrays as one text for a user, such as "12" or "12 14"; empty: none yet.
  [[nodiscard]] std::string jobs_text() const;

 private:
  using Tasks = std::map<std::size_t, SlurmTask>;
  using Clock = std::chrono::steady_clock;
  struct Share {
    std::optional<Part> part;
    std::size_t job = 0;  ///< the array that it is in now; 0: none
    int losses = 0;
    std::optional<Clock::time_point> ended;  ///< when its end without results was first seen
  };

  void take_up();
  void write_job_file() const;
  [[nodiscard]] Tasks known_tasks();
  void submit_missing(const std::set<std::size_t>& shares);
  [[nodiscard]] bool look(const std::optional<Tasks>& tasks);
  void cancel_repeated(const Tasks& tasks) const;
  [[nodiscard]] bool over(Share& share, const SlurmTask* task) const;
  void show(const std::optional<Tasks>& tasks, std::size_t results, Progress& progress) const;
  [[nodiscard]] std::optional<ShareStart> latest_start(std::size_t number) const;
  [[noreturn]] void fail(std::size_t number, int status);
  [[noreturn]] void end_without_results(std::size_t number, const SlurmTask* task) const;

  HeldSignals held_;
  ArrayStudy study_;
  ResultFolder folder_;
  std::string name_;            ///< of all its arrays, in Slurm
  std::set<std::size_t> jobs_;  ///< their numbers
  std::map<std::size_t, Share> shares_;
};

}  // namespace annelid::studies
