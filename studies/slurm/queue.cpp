#include "studies/slurm/queue.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/child_process.hpp"
#include "base/input_error.hpp"
#include "base/parse_number.hpp"
#include "base/run_failure.hpp"
#include "base/split.hpp"

namespace annelid::studies {
namespace {

/// An error that a program has printed, as one line.
std::string in_one_line(std::string_view text) {
  std::string all;
  for (const std::string_view line : split(text, "\n")) {
    if (trimmed(line).empty()) continue;
    all += all.empty() ? "" : "; ";
    all += trimmed(line);
  }
  return all.empty() ? "it printed nothing" : all;
}

}  // namespace

bool SlurmTask::active() const {
  constexpr std::array<std::string_view, 10> kEnded = {
      "BOOT_FAIL", "CANCELLED",     "COMPLETED", "DEADLINE", "FAILED",
      "NODE_FAIL", "OUT_OF_MEMORY", "PREEMPTED", "REVOKED",  "TIMEOUT"};
  return std::ranges::find(kEnded, state) == kEnded.end();
}

bool SlurmTask::lost() const {
  constexpr std::array<std::string_view, 3> kLost = {"BOOT_FAIL", "NODE_FAIL", "PREEMPTED"};
  return std::ranges::find(kLost, state) != kLost.end() || reason == "JobLaunchFailure";
}

std::map<std::size_t, SlurmTask> parse_tasks(std::string_view text) {
  std::map<std::size_t, SlurmTask> tasks;
  for (const std::string_view line : split(text, "\n")) {
    const std::vector<std::string_view> fields = split(line, "|");
    if (fields.size() != 4) continue;
    const auto job = parse_number<std::size_t>(fields[0]);
    const auto number = parse_number<std::size_t>(fields[1]);
    if (!job || !number) continue;
    SlurmTask& task = tasks[*number];
    if (*job >= task.job) task = {*job, std::string(fields[2]), std::string(fields[3])};
  }
  return tasks;
}

std::optional<std::size_t> parse_job(std::string_view text) {
  std::optional<std::size_t> job;
  for (const std::string_view line : split(text, "\n")) {
    if (const auto number = parse_number<std::size_t>(line.substr(0, line.find(';')))) {
      job = number;
    }
  }
  return job;
}

std::string array_text(const std::set<std::size_t>& tasks) {
  std::string text;
  for (auto task = tasks.begin(); task != tasks.end();) {
    const std::size_t first = *task;
    std::size_t last = first;
    while (++task != tasks.end() && *task == last + 1) ++last;
    text += text.empty() ? "" : ",";
    text += first == last ? std::to_string(first) : fmt::format("{}-{}", first, last);
  }
  return text;
}

void require_slurm() {
  try {
    if (run_child("sbatch", {"--version"}).status == 0) return;
  } catch (const std::runtime_error&) {
    // Said below.
  }
  throw InputError("--engine slurm", "no program sbatch that runs here",
                   "a machine that submits jobs to Slurm (Debian's package slurm-client)");
}

std::size_t submit(const std::filesystem::path& script, const std::string& name,
                   const std::set<std::size_t>& tasks, const SlurmRequest& request) {
  // A log's name goes through Slurm's patterns of %, together with the folder, and so no name suits
  // every folder: the script redirects its output itself.
  std::vector<std::string> words = {"--parsable",
                                    "--requeue",
                                    "--output=/dev/null",
                                    "--nodes=1",
                                    "--ntasks=1",
                                    "--job-name=" + name,
                                    "--array=" + array_text(tasks),
                                    fmt::format("--cpus-per-task={}", request.cores)};
  if (!request.partition.empty()) words.push_back("--partition=" + request.partition);
  if (!request.time.empty()) words.push_back("--time=" + request.time);
  if (!request.memory.empty()) words.push_back("--mem=" + request.memory);
  words.push_back(script.string());
  const EndedProgram sbatch = run_child("sbatch", words);
  const std::optional<std::size_t> job = parse_job(sbatch.text);
  if (sbatch.status == 0 && job) return *job;
  const std::string why = in_one_line(sbatch.text);
  if (why.find("ontact slurm controller") != std::string::npos) {
    throw RunFailure("Slurm does not answer: " + why);
  }
  throw InputError("--engine slurm", "a job that Slurm refuses: " + why);
}

std::optional<std::map<std::size_t, SlurmTask>> tasks_named(const std::string& name) {
  const EndedProgram squeue =
      run_child("squeue", {"--noheader", "--array", "--states=all", "--name=" + name,
                           std::string("--format=") + kTaskFormat});
  if (squeue.status != 0) return std::nullopt;
  return parse_tasks(squeue.text);
}

void cancel(const std::string& job) { run_child("scancel", {job}); }
void cancel_all(const std::string& name) { run_child("scancel", {"--name=" + name}); }

}  // namespace annelid::studies
