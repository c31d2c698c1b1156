#include "cli/forked_jobs.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <stdexcept>
#include <utility>

#include "cli/files.hpp"

namespace annelid::cli {
namespace {

namespace fs = std::filesystem;

fs::path temporary_folder(const std::string& name) {
  std::string path = (fs::temp_directory_path() / ("annelid-" + name + "-XXXXXX")).string();
  if (mkdtemp(path.data()) == nullptr) throw std::runtime_error("cannot make the folder " + path);
  return path;
}

[[noreturn]] void be_child(const ForkedJobs::Work& work, std::size_t job, const fs::path& result,
                           const fs::path& log) {
  prctl(PR_SET_PDEATHSIG, SIGTERM);  // not to outlive a parent that is killed
  const int out = open(log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
  dup2(out, STDOUT_FILENO);
  dup2(out, STDERR_FILENO);
  int status = 0;
  try {
    std::ofstream(result) << work(job);
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    status = 1;
  }
  std::fflush(nullptr);
  _exit(status);
}

}  // namespace

ForkedJobs::ForkedJobs(std::string name, Work work, std::size_t processes)
    : name_(std::move(name)),
      work_(std::move(work)),
      processes_(processes),
      folder_(temporary_folder(name_)) {}

ForkedJobs::~ForkedJobs() {
  running_.end();  // before the folder that they write to goes
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

fs::path ForkedJobs::file(std::size_t job, const char* kind) const {
  return folder_ / fmt::format("{}.{}", job, kind);
}

void ForkedJobs::start(std::size_t job) {
  std::fflush(nullptr);  // else both processes would write what is buffered
  const pid_t pid = fork();
  if (pid < 0) throw std::runtime_error("cannot start another process");
  if (pid == 0) be_child(work_, job, file(job, "result"), file(job, "log"));
  running_.add(pid, job);
}

void ForkedJobs::run(std::span<const std::size_t> order,
                     const std::function<void(const Ended&)>& finished) {
  std::size_t next = 0;
  while (next < order.size() || running_.size() > 0) {
    while (next < order.size() && running_.size() < processes_) start(order[next++]);
    const auto ended = running_.wait();
    if (!ended) throw std::runtime_error(name_ + ": a process was lost");
    const auto [job, status] = *ended;
    finished({job, status, read_text(file(job, status == 0 ? "result" : "log"))});
    for (const char* kind : {"result", "log"}) fs::remove(file(job, kind));
  }
}

}  // namespace annelid::cli
