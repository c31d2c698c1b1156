#include "studies/slurm/array_run.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "base/files.hpp"
#include "base/input_error.hpp"
#include "base/json.hpp"
#include "base/new_file.hpp"
#include "base/run_failure.hpp"

namespace annelid::studies {
namespace {

namespace fs = std::filesystem;

constexpr const char* kScript = "job.sh";
constexpr std::array<std::string_view, 3> kJobKeys = {"name", "jobs", "study"};

/// A name that no other job has: it finds an array whose number nobody has noted.
std::string new_name() {
  const std::string random = random_name();  // ".annelid-0123456789abcdef.tmp"
  return random.substr(1, random.rfind('.') - 1);
}

bool is_name(std::string_view name) {
  constexpr std::string_view kPrefix = "annelid-";
  constexpr std::size_t kDigits = 16;
  return name.starts_with(kPrefix) && name.size() == kPrefix.size() + kDigits &&
         name.find_first_not_of("0123456789abcdef", kPrefix.size()) == std::string_view::npos;
}

/// What the file must say if its array belongs to this study. A text, as JSON can hold any.
std::string identity(const ArrayStudy& study) {
  return json_text(nlohmann::ordered_json{{"command", study.study.words()},
                                          {"started_in", study.started_in.string()},
                                          {"build", study.build},
                                          {"tasks", study.tasks}});
}

/// Looks often at first, and then at longer and longer intervals, as Slurm serves others too.
std::chrono::milliseconds pause_after(std::chrono::steady_clock::duration so_far) {
  using std::chrono::milliseconds;
  constexpr milliseconds kShortest{500}, kLongest{10'000};
  return std::clamp(std::chrono::duration_cast<milliseconds>(so_far) / 10, kShortest, kLongest);
}

}  // namespace

ArrayRun::ArrayRun(ArrayStudy study)
    : study_(std::move(study)), folder_(study_.folder, {kJobFile}) {
  for (std::size_t number = 1; number <= study_.tasks; ++number) shares_[number] = {};
}

/// Takes up the arrays of the job file, or begins a new file.
void ArrayRun::take_up() {
  const fs::path file = study_.folder / kJobFile;
  if (fs::exists(file)) {
    const JsonFile json(file, kJobKeys);
    name_ = json.text("name");
    // It goes to squeue and scancel, which take lists and find the jobs of others by them.
    if (!is_name(name_)) {
      throw InputError(json.where("name"), "\"" + name_ + "\"",
                       "a name that annelid has given, as in \"" + new_name() + "\"");
    }
    jobs_ = json.get<std::set<std::size_t>>("jobs", "a list of numbers");
    const std::string recorded = json.text("study");
    const Tasks tasks = known_tasks();
    if (recorded == identity(study_)) {
      for (const auto& [number, task] : tasks) {
        if (task.active() && shares_.contains(number)) shares_[number].job = task.job;
      }
      return;
    }
    if (std::ranges::any_of(tasks, [](const auto& task) { return task.second.active(); })) {
      throw InputError("--engine slurm",
                       fmt::format("Slurm job {} of another command or build for \"{}\"",
                                   jobs_text(), study_.folder.parent_path().string()),
                       fmt::format("its end, scancel {}, or another folder (--out)", jobs_text()));
    }
  }
  name_ = new_name();
  jobs_.clear();
  write_job_file();
}

void ArrayRun::write_job_file() const {
  const nlohmann::ordered_json json = {
      {"name", name_}, {"jobs", jobs_}, {"study", identity(study_)}};
  write_file(study_.folder / kJobFile, json_text(json, 1) + "\n");
}

/// What Slurm knows of the arrays now, also of one whose submission was interrupted.
ArrayRun::Tasks ArrayRun::known_tasks() {
  const std::optional<Tasks> tasks = tasks_named(name_);
  held_.check();
  if (!tasks) throw RunFailure("Slurm does not answer: squeue failed");
  for (const auto& [number, task] : *tasks) jobs_.insert(task.job);
  return *tasks;
}

void ArrayRun::submit_missing(const std::set<std::size_t>& shares) {
  if (shares.empty()) return;
  write_file(study_.folder / kScript, script_text(study_));
  const std::size_t job = submit(study_.folder / kScript, name_, shares, study_.request);
  jobs_.insert(job);
  write_job_file();
  for (const std::size_t number : shares) {
    shares_[number].job = job;
    shares_[number].ended.reset();
  }
}

std::vector<Part> ArrayRun::follow(std::size_t results, Progress& progress) {
  require_slurm();
  take_up();
  std::set<std::size_t> missing;
  for (auto& [number, share] : shares_) {
    share.part = finished_part(study_, number);
    if (!share.part && share.job == 0) missing.insert(number);
  }
  submit_missing(missing);
  const Clock::time_point start = Clock::now();
  for (;;) {
    const std::optional<Tasks> tasks = tasks_named(name_);
    held_.check();  // it may also have ended squeue
    if (look(tasks)) {
      if (tasks) cancel_repeated(*tasks);
      break;
    }
    show(tasks, results, progress);
    held_.sleep(pause_after(Clock::now() - start));
  }
  progress.clear();
  std::vector<Part> parts;
  for (const auto& [number, share] : shares_) parts.push_back(*share.part);
  return parts;
}

/// Looks at all shares, and submits those again that were lost. Returns whether all are finished.
/// Without `tasks` Slurm does not answer, and they may well go on.
bool ArrayRun::look(const std::optional<Tasks>& tasks) {
  bool all = true;
  std::set<std::size_t> lost;
  for (auto& [number, share] : shares_) {
    if (!share.part) share.part = finished_part(study_, number);
    if (share.part) continue;
    all = false;
    const std::optional<ShareStart> start = latest_start(number);
    const std::optional<int> status = start ? start->status : std::nullopt;
    const SlurmTask* task = nullptr;
    if (tasks && tasks->contains(number)) task = &tasks->at(number);
    switch (state_of(false, status, task)) {
      case ShareState::kFailed:
        fail(number, *status);
      case ShareState::kLost:
        if (constexpr int kMost = 5; ++share.losses > kMost) end_without_results(number, task);
        lost.insert(number);
        break;
      case ShareState::kEnded:
        if (tasks && over(share, task)) end_without_results(number, task);
        break;
      case ShareState::kGoesOn:
      case ShareState::kFinished:
        share.ended.reset();
    }
  }
  submit_missing(lost);
  return all;
}

/// Ends what Slurm starts again, or has, although the start before came to its end elsewhere.
void ArrayRun::cancel_repeated(const Tasks& tasks) const {
  for (const auto& [number, task] : tasks) {
    if (!task.active() || !shares_.contains(number)) continue;
    const bool begun_again =
        starts_of(study_, number).back().folder != shares_.at(number).part->folder;
    if (begun_again || task.state == "PENDING") cancel(fmt::format("{}_{}", task.job, number));
  }
}

/// Whether a task that has ended has had time to show its results. A shared file system may show
/// them to this machine only after a minute.
bool ArrayRun::over(Share& share, const SlurmTask* task) const {
  constexpr std::chrono::seconds kShort{2}, kLong{90};
  const Clock::time_point now = Clock::now();
  if (!share.ended) share.ended = now;
  const bool well = task == nullptr || task->state == "COMPLETED";
  return now - *share.ended >= (well ? kLong : kShort);
}

/// The latest start of a share in the array that it is in now.
std::optional<ShareStart> ArrayRun::latest_start(std::size_t number) const {
  const std::vector<ShareStart> starts = starts_of(study_, number);
  if (starts.empty() || starts.back().job != shares_.at(number).job) return std::nullopt;
  return starts.back();
}

void ArrayRun::show(const std::optional<Tasks>& tasks, std::size_t results,
                    Progress& progress) const {
  std::size_t done = 0, running = 0, rows = 0;
  std::string waits;
  for (const auto& [number, share] : shares_) {
    done += share.part ? 1 : 0;
    if (const auto starts = starts_of(study_, number); !starts.empty()) {
      rows += rows_of(starts.back());
    }
    if (!tasks || !tasks->contains(number)) continue;
    const SlurmTask& task = tasks->at(number);
    running += task.state == "RUNNING" ? 1 : 0;
    if (task.state == "PENDING" && task.reason != "None") waits = " (" + task.reason + ")";
  }
  const auto part = [](std::size_t n, std::size_t all) {
    return static_cast<double>(n) / static_cast<double>(all);
  };
  const std::string slurm =
      tasks ? fmt::format("{} running, {} waiting{}", running,
                          shares_.size() - done - std::min(running, shares_.size() - done), waits)
            : "Slurm does not answer";
  progress.show(fmt::format(
      "Slurm job {} {} {}{} of {} tasks, {}", jobs_text(),
      progress_bar(results > 0 ? part(rows, results) : part(done, shares_.size())),
      results > 0 ? fmt::format("{} of {} results, ", std::min(rows, results), results) : "", done,
      shares_.size(), slurm));
}

void ArrayRun::fail(std::size_t number, int status) {
  constexpr int kBadInput = 2;
  const ShareStart start = latest_start(number).value();
  cancel_all(name_);
  const std::string task = fmt::format("task {} of Slurm job {}", number, start.job);
  const std::string said = last_lines(start);
  if (status == kBadInput && !said.empty()) {
    const std::string_view last = std::string_view(said).substr(said.rfind("\n  ") + 3);
    constexpr std::string_view kProgram = "annelid: ";
    throw InputError(task,
                     std::string(last.starts_with(kProgram) ? last.substr(kProgram.size()) : last));
  }
  throw RunFailure(fmt::format(
      "{} failed with exit status {}, and the others were cancelled; their results are kept. The "
      "end of {}:{}",
      task, status, start.log().string(), said));
}

void ArrayRun::end_without_results(std::size_t number, const SlurmTask* task) const {
  const std::optional<ShareStart> start = latest_start(number);
  std::string why = task == nullptr ? "Slurm does not know it any more" : task->state;
  if (task != nullptr && task->reason != "None") why += ", " + task->reason;
  if (start && start->status) why += fmt::format(", exit status {}", *start->status);
  throw RunFailure(fmt::format(
      "task {} of Slurm job {} ended without results: {}. The others go on; the same command "
      "again submits what is missing. {}",
      number, shares_.at(number).job, why,
      start ? fmt::format("The end of {}:{}", start->log().string(), last_lines(*start))
            : fmt::format("It has written nothing to {}: can its node write there?",
                          study_.folder.string())));
}

std::string ArrayRun::jobs_text() const { return fmt::format("{}", fmt::join(jobs_, " ")); }

}  // namespace annelid::studies
