// --engine: where the runs of a study are simulated, in this process or by the tasks of a Slurm
// array.
#pragma once

#include <cstddef>
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

/// Runs the study of the command line as a Slurm array of shares: submits what is neither finished
/// nor in the queue, waits for the end, joins the shares, and ends the study in this process, as
/// `annelid merge` does. `jobs` is --jobs: runs at a time in each task, one if it is 0. `results`
/// is the number of the study's runs, or 0 if it is not known. Returns the exit status. Throws as
/// ArrayRun does.
int run_on_slurm(const EngineOptions& options, const ShardedStudy& study, int jobs,
                 std::size_t results, Progress& progress);

}  // namespace annelid::cli
