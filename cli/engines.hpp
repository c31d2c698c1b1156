// --engine: where the runs of a study are simulated, in this process or by the tasks of a Slurm
// array.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "base/progress.hpp"
#include "cli/shards.hpp"

namespace CLI {
class App;
}

namespace annelid::cli {

/// The arguments that divide a study.
struct EngineOptions {
  std::string engine = "local", shard;
  std::string partition, time, memory;  ///< as sbatch takes them; empty: not given
  std::size_t tasks = 0;                ///< 0: not given
};

/// Adds --shard, --engine and the options of --engine slurm.
void add_engine_options(CLI::App& command, EngineOptions& options);

/// Whether Slurm runs the study. Throws InputError for an unknown engine, and for options that do
/// not go together.
[[nodiscard]] bool on_slurm(const EngineOptions& options);

/// What one study does otherwise than the others.
struct StudySteps {
  int jobs = 0;  ///< --jobs: runs at a time; 0: not given
  bool quiet = false;
  std::function<std::size_t()> results = {};  ///< the number of its runs, or 0 if it is not known
  std::function<void()> run = {};             ///< the whole study or its shard, in this process
  std::function<std::string()> done = {};     ///< what the shard has done: "12 points"
  std::function<int()> end_shard = {};        ///< prints more of it; returns the exit status
  std::function<int()> end = {};              ///< prints the results; returns the exit status
};

/// Runs the study of the command line where --engine and --shard say, and returns the exit status.
/// A Slurm array runs its shares: submits what is neither finished nor in the queue, waits for the
/// end, joins the shares, and ends the study in this process, as `annelid merge` does; each task
/// makes one run at a time unless --jobs says more. Throws as the steps and ArrayRun do.
int run_study(const EngineOptions& options, const ShardedStudy& study, const StudySteps& steps,
              Progress& progress);

}  // namespace annelid::cli
