#include "cli/engines.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>
#include <utility>
#include <vector>

#include "base/build.hpp"
#include "base/child_process.hpp"
#include "base/input_error.hpp"
#include "base/nearest.hpp"
#include "base/standard_error.hpp"
#include "cli/program.hpp"
#include "cli/study_words.hpp"
#include "studies/merge/unite_results.hpp"
#include "studies/slurm/array_run.hpp"

namespace annelid::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kGroup = "On a cluster, with --engine slurm";

/// What says that the array goes on without this process.
void say_it_goes_on(const std::string& jobs) {
  if (jobs.empty()) return;
  put_error(fmt::format(
      "annelid: Slurm job {0} goes on. The same command again follows it; scancel {0} ends it.\n",
      jobs));
}

std::vector<studies::Part> parts_of(studies::ArrayStudy study, std::size_t results,
                                    Progress& progress) {
  studies::ArrayRun run(std::move(study));
  try {
    return run.follow(results, progress);
  } catch (const Interrupted&) {
    progress.clear();
    say_it_goes_on(run.jobs_text());
    throw;
  }
}

int run_on_slurm(const EngineOptions& o, const ShardedStudy& study, int jobs, std::size_t results,
                 Progress& progress) {
  constexpr std::size_t kTasks = 16;
  const std::vector<std::string>& words = command_line();
  const fs::path& folder = study.folder();
  const std::vector<studies::Part> parts =
      parts_of({fs::absolute(folder / "slurm").lexically_normal(), study_of(words),
                fs::current_path(), own_program(), build_name(), o.tasks > 0 ? o.tasks : kTasks,
                studies::SlurmRequest{o.partition, o.time, o.memory, std::max(jobs, 1)}},
               results, progress);
  studies::require_whole(parts, build_name());
  studies::unite_results(parts, folder);
  std::vector<std::string> local = words_without_engine(words);
  local.insert(local.end(), {"--out", folder.string()});
  return run_words(local);
}

}  // namespace

void add_engine_options(CLI::App& command, EngineOptions& o) {
  command
      .add_option("--shard", o.shard,
                  "Does only share I of N, from 1 to N. annelid merge joins the shares.")
      ->type_name("I/N");
  command
      .add_option("--engine", o.engine,
                  "local simulates in this process. slurm submits the shares as a job array, "
                  "follows it, and joins the shares. Default: local.")
      ->type_name("NAME");
  command.add_option("--tasks", o.tasks, "Tasks of the array. Default: 16.")
      ->type_name("N")
      ->check(CLI::Range(1, 10'000))
      ->group(kGroup);
  command.add_option("--partition", o.partition, "Partition. Default: that of the cluster.")
      ->type_name("NAME")
      ->group(kGroup);
  command
      .add_option("--time", o.time,
                  "Time limit of each task, as sbatch takes it: 30 (minutes), 2:00:00 or 1-12. "
                  "Default: that of the partition.")
      ->type_name("T")
      ->group(kGroup);
  command
      .add_option("--memory", o.memory,
                  "Memory of each task, as sbatch --mem takes it: 4G. Default: that of the "
                  "partition.")
      ->type_name("M")
      ->group(kGroup);
}

bool on_slurm(const EngineOptions& o) {
  constexpr std::array<std::string_view, 2> kEngines = {"local", "slurm"};
  if (std::ranges::find(kEngines, o.engine) == kEngines.end()) {
    throw InputError("--engine", "\"" + o.engine + "\"",
                     "local or slurm" + did_you_mean(o.engine, kEngines));
  }
  if (o.engine == "slurm") {
    if (o.shard.empty()) return true;
    throw InputError("--shard", "the option beside --engine slurm",
                     "one of the two: each task of the array has a share");
  }
  const std::array<std::pair<const char*, bool>, 4> given = {{{"--tasks", o.tasks > 0},
                                                              {"--partition", !o.partition.empty()},
                                                              {"--time", !o.time.empty()},
                                                              {"--memory", !o.memory.empty()}}};
  for (const auto& [option, is_given] : given) {
    if (is_given) throw InputError(option, "the option without --engine slurm", "--engine slurm");
  }
  return false;
}

int run_study(const EngineOptions& options, const ShardedStudy& study, const StudySteps& steps,
              Progress& progress) {
  if (on_slurm(options)) {
    return run_on_slurm(options, study, steps.jobs, steps.results(), progress);
  }
  study.begin();
  steps.run();
  if (!study.shard()) return steps.end();
  study.end(steps.done(), steps.quiet);
  return steps.end_shard ? steps.end_shard() : 0;
}

}  // namespace annelid::cli
