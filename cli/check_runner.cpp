#include "cli/check_runner.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <functional>
#include <numeric>
#include <stdexcept>

#include "cli/files.hpp"

namespace annelid::cli {
namespace {

namespace fs = std::filesystem;

fs::path temporary_folder() {
  std::string name = (fs::temp_directory_path() / "annelid-check-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("cannot make the folder " + name);
  return name;
}

/// What the child process does. A copy of the parent, it needs no way to be told its job.
[[noreturn]] void be_child(const CheckJob& job, const Image& image, const fs::path& result,
                           const fs::path& log) {
  prctl(PR_SET_PDEATHSIG, SIGTERM);  // not to outlive a parent that is killed
  const int out = open(log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
  dup2(out, STDOUT_FILENO);
  dup2(out, STDERR_FILENO);
  int status = 0;
  try {
    std::ofstream(result) << to_json(run_job(job, image));
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    status = 1;
  }
  std::fflush(nullptr);
  _exit(status);
}

}  // namespace

CheckRunner::CheckRunner(const std::vector<CheckJob>& jobs, const Image& image,
                         std::size_t processes)
    : jobs_(jobs), image_(image), processes_(processes), folder_(temporary_folder()) {}

CheckRunner::~CheckRunner() {
  running_.end();  // before the folder that they write to goes
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

fs::path CheckRunner::file(std::size_t job, const char* kind) const {
  return folder_ / fmt::format("{}.{}", job, kind);
}

void CheckRunner::start(std::size_t job) {
  std::fflush(nullptr);  // else both processes would write what is buffered
  const pid_t pid = fork();
  if (pid < 0) throw std::runtime_error("cannot start another process");
  if (pid == 0) be_child(jobs_[job], image_, file(job, "json"), file(job, "log"));
  running_.add(pid, job);
}

JobResult CheckRunner::result_of(std::size_t job, int status) const {
  if (status == 0) return job_result_of(read_text(file(job, "json")));
  JobResult lost;
  lost.rest = false;
  lost.difference =
      fmt::format("the process ended with status {}: {}", status, read_text(file(job, "log")));
  if (!jobs_[job].calls.empty()) lost.command = run_command(jobs_[job], jobs_[job].calls.front());
  return lost;
}

void CheckRunner::run(const std::function<void(std::size_t, const JobResult&)>& finished) {
  std::vector<std::size_t> order(jobs_.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, std::greater(), [&](std::size_t j) { return jobs_[j].seconds; });
  std::size_t next = 0;
  while (next < jobs_.size() || running_.size() > 0) {
    while (next < jobs_.size() && running_.size() < processes_) start(order[next++]);
    const auto ended = running_.wait();
    if (!ended) throw std::runtime_error("check: a process was lost");
    finished(ended->work, result_of(ended->work, ended->status));
  }
}

}  // namespace annelid::cli
