// What the tasks of a Slurm array leave in the study's folder, and the script that they run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "studies/shard/part.hpp"
#include "studies/slurm/queue.hpp"

namespace annelid::studies {

/// A study whose shares are the tasks of a Slurm array. Task I does share I of `tasks`.
struct ArrayStudy {
  std::filesystem::path folder;      ///< of the array's files: slurm in the study's own; absolute
  StudyCommand study;                ///< the whole one
  std::filesystem::path started_in;  ///< the working directory, absolute
  std::filesystem::path program;     ///< that the tasks run, absolute
  std::string build;                 ///< build_name() of that program
  std::size_t tasks = 1;
  SlurmRequest request;
};

/// A start of a share. A share is started again if its node was lost, and each start has a folder
/// of its own: what runs on a lost node may still write to the one before.
struct ShareStart {
  std::size_t job = 0, restart = 0;  ///< number of the array; how often Slurm had started it before
  std::filesystem::path folder;
  std::optional<int> status;  ///< the exit status; nothing as long as there is none

  [[nodiscard]] std::filesystem::path log() const { return folder / "log.txt"; }
};

/// Returns the script of the array, for sh.
[[nodiscard]] std::string script_text(const ArrayStudy& study);

/// Returns the starts of a share so far, the latest last.
[[nodiscard]] std::vector<ShareStart> starts_of(const ArrayStudy& study, std::size_t share);

/// Returns the complete results of a share of this very study, if there are any.
[[nodiscard]] std::optional<Part> finished_part(const ArrayStudy& study, std::size_t share);

/// Returns how many results a start has noted so far, of those that have a row each.
[[nodiscard]] std::size_t rows_of(const ShareStart& start);

/// Returns the last lines of a start's output, indented; empty if there is none.
[[nodiscard]] std::string last_lines(const ShareStart& start);

/// What there is to say of a share.
enum class ShareState : std::uint8_t {
  kFinished,
  kGoesOn,  ///< waits or runs
  kFailed,  ///< the program ended with an error of its own
  kLost,    ///< with its node: to be submitted again
  kEnded,   ///< not in the queue any more, and without results
};

/// `finished`: whether there are results. `status`: the exit status of its latest start. `task`:
/// what Slurm says of it, or nullptr if Slurm does not know it any more.
[[nodiscard]] ShareState state_of(bool finished, const std::optional<int>& status,
                                  const SlurmTask* task);

}  // namespace annelid::studies
