#include "base/forked_jobs.hpp"

#include <fmt/format.h>
#include <malloc.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "base/message.hpp"

namespace annelid {
namespace {

[[noreturn]] void throw_no_room() {
  throw std::runtime_error(std::string("no room for the result: ") + std::strerror(errno));
}

/// Removes all that was printed to the file.
void clear(int file) {
  std::fflush(nullptr);
  if (ftruncate(file, 0) != 0 || lseek(file, 0, SEEK_SET) != 0) throw_no_room();
}

/// Writes the whole result, or nothing: half of one would look like what a failed job says.
void keep(int file, std::string_view result) {
  while (!result.empty()) {
    const ssize_t written = write(file, result.data(), result.size());
    if (written < 0) {
      const int why = errno;
      clear(file);
      errno = why;
      throw_no_room();
    }
    result.remove_prefix(static_cast<std::size_t>(written));
  }
}

/// What the work prints goes to the file; its result replaces that. Ends the process if it throws:
/// nobody knows what a job leaves behind that did not come to its end.
void do_job(const ForkedJobs::Work& work, std::size_t job, int file) {
  try {
    clear(file);
    const std::string result = work(job);
    clear(file);
    keep(file, result);
  } catch (const std::exception& error) {
    std::fputs(message_of(error).c_str(), stderr);  // which is the file
    std::fputc('\n', stderr);
    std::fflush(nullptr);
    _exit(1);
  }
}

/// Memory that one job has freed is the next one's. The system need not clear it in between.
void keep_memory() {
  constexpr int kMost = 32 << 20;  // glibc takes no more
  mallopt(M_MMAP_THRESHOLD, kMost);
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
}

/// Both ends of a connection between this process and a copy.
std::array<int, 2> make_connection() {
  std::array<int, 2> ends{};
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0) {
    throw std::runtime_error("cannot connect to another process");
  }
  return ends;
}

/// A copy's answer to a job that has ended well. It also wakes the parent, as a process does that
/// ends. Returns the next job, if there is one.
std::optional<std::size_t> next_job(int parent) {
  constexpr char kDone = 0;
  std::size_t job = 0;
  if (send(parent, &kDone, sizeof kDone, MSG_NOSIGNAL) != sizeof kDone) return {};
  kill(getppid(), SIGCHLD);
  if (recv(parent, &job, sizeof job, 0) != sizeof job) return {};
  return job;
}

}  // namespace

std::string failure_text(const EndedWork& ended) {
  const std::size_t end = ended.text.find_last_not_of('\n');
  if (end == std::string::npos || ended.status != 1) {
    return fmt::format("exit status {}{}{}", ended.status, ended.text.empty() ? "" : "\n",
                       ended.text);
  }
  return ended.text.substr(0, end + 1);
}

/// A process that is running.
struct ForkedJobs::Copy {
  pid_t pid = 0;
  int connection = -1;
  MemoryFile file;                 ///< what it prints, then its result
  std::optional<std::size_t> job;  ///< nothing if it waits for one

  /// Whether it has ended its job and waits for the next one.
  [[nodiscard]] bool is_done() const {
    char done = 0;
    return recv(connection, &done, sizeof done, MSG_DONTWAIT) == sizeof done;
  }
  EndedWork take(int status) { return {*std::exchange(job, {}), status, text_of(file.get())}; }
};

ForkedJobs::ForkedJobs(Work work, std::size_t processes, CopyFor copy_for)
    : work_(std::move(work)), processes_(processes), copy_for_(copy_for) {}

ForkedJobs::~ForkedJobs() {
  for (const Copy& copy : copies_) kill(copy.pid, SIGTERM);
  end_copies();
}

void ForkedJobs::end_copies() {
  for (const Copy& copy : copies_) {
    shutdown(copy.connection, SHUT_RDWR);  // ends one that waits for a job
    wait_process(copy.pid);
    close(copy.connection);
  }
  copies_.clear();
}

void ForkedJobs::fork_copy(std::size_t job) {
  MemoryFile file = open_memory_file();
  const std::array<int, 2> ends = make_connection();
  const pid_t pid = fork_process();
  if (pid == 0) be_copy(job, fileno(file.get()), ends[1]);
  close(ends[1]);
  copies_.push_back({pid, ends[0], std::move(file), job});
}

void ForkedJobs::be_copy(std::optional<std::size_t> job, int file, int parent) const {
  dup2(file, STDOUT_FILENO);
  dup2(file, STDERR_FILENO);
  if (copy_for_ == CopyFor::kManyJobs) keep_memory();
  while (job) {
    do_job(work_, *job, file);
    if (copy_for_ == CopyFor::kOneJob) break;
    job = next_job(parent);
  }
  std::fflush(nullptr);
  _exit(0);
}

void ForkedJobs::start(std::size_t job) {
  const auto idle = std::ranges::find_if(copies_, [](const Copy& copy) { return !copy.job; });
  if (idle == copies_.end()) return fork_copy(job);
  idle->job = job;
  // If the copy has been killed meanwhile, take_ended() finds that out.
  (void)send(idle->connection, &job, sizeof job, MSG_NOSIGNAL);
}

std::optional<EndedWork> ForkedJobs::take_ended() {
  for (auto copy = copies_.begin(); copy != copies_.end(); ++copy) {
    if (!copy->job) continue;
    if (copy->is_done()) return copy->take(0);
    const std::optional<int> status = status_if_ended(copy->pid);
    if (!status) continue;
    EndedWork ended = copy->take(*status);
    close(copy->connection);
    copies_.erase(copy);
    return ended;
  }
  return {};
}

void ForkedJobs::run(std::span<const std::size_t> order,
                     const std::function<void(const EndedWork&)>& finished,
                     const std::function<bool(std::size_t)>& wanted) {
  auto next = order.begin();
  for (;;) {
    held_.check();
    const auto running = static_cast<std::size_t>(
        std::ranges::count_if(copies_, [](const Copy& copy) { return copy.job.has_value(); }));
    if (next != order.end() && running < processes_) {
      if (!wanted || wanted(*next)) start(*next);
      ++next;
    } else if (const auto ended = take_ended()) {
      finished(*ended);
    } else if (running == 0) {
      break;
    } else {
      held_.wait_for_child();
    }
  }
  end_copies();
}

}  // namespace annelid
