// Slurm's own programs: sbatch submits a job array, squeue says where its tasks are, scancel ends
// it.
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace annelid::studies {

/// What the user asks of Slurm, as sbatch takes it. An empty text leaves the cluster's default.
struct SlurmRequest {
  std::string partition, time, memory;
  int cores = 1;  ///< of each task
};

/// A task of a job array, as squeue shows it.
struct SlurmTask {
  std::size_t job = 0;  ///< number of the array
  std::string state;    ///< "PENDING", "RUNNING", "NODE_FAIL"
  std::string reason;   ///< "Resources", "NonZeroExitCode"; "None" if there is none

  /// It waits or runs; Slurm may also be about to start it again.
  [[nodiscard]] bool active() const;
  /// It ended because its node did, or had to serve others, or did not start it. It can be done
  /// again as it is.
  [[nodiscard]] bool lost() const;
};

/// The format of squeue that parse_tasks() reads.
inline constexpr const char* kTaskFormat = "%F|%K|%T|%r";

/// Reads the lines of squeue --noheader --array in kTaskFormat: the tasks by number. Of several
/// arrays with a task of one number, the latest counts. Lines that are no tasks are left out.
[[nodiscard]] std::map<std::size_t, SlurmTask> parse_tasks(std::string_view text);

/// Reads what sbatch --parsable prints: "12" or "12;cluster", perhaps below warnings. Returns the
/// number of the array, or nothing.
[[nodiscard]] std::optional<std::size_t> parse_job(std::string_view text);

/// Returns tasks as sbatch --array takes them: "1-3,7".
[[nodiscard]] std::string array_text(const std::set<std::size_t>& tasks);

/// Throws InputError if this machine has no sbatch.
void require_slurm();

/// Submits the tasks of a script, under a name, and returns the number of the array. Throws
/// InputError with sbatch's words if it refuses, and RunFailure if Slurm does not answer.
[[nodiscard]] std::size_t submit(const std::filesystem::path& script, const std::string& name,
                                 const std::set<std::size_t>& tasks, const SlurmRequest& request);

/// Returns the tasks of all arrays of this name that Slurm still knows, or nothing if Slurm does
/// not answer. It forgets a task some minutes after its end.
[[nodiscard]] std::optional<std::map<std::size_t, SlurmTask>> tasks_named(const std::string& name);

/// Ends an array, "12", or one task of it, "12_3".
void cancel(const std::string& job);
/// Ends all arrays of this name, as submit() gave it.
void cancel_all(const std::string& name);

}  // namespace annelid::studies
