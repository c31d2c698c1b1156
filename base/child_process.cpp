#include "base/child_process.hpp"

#include <fcntl.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <stdexcept>
#include <thread>

namespace annelid {
namespace {

int status_of(int how) { return WIFEXITED(how) ? WEXITSTATUS(how) : 128 + WTERMSIG(how); }

/// Waits for the leader of a group of processes, which a held signal ends.
int wait_or_end(pid_t leader, const HeldSignals& held) {
  try {
    for (;;) {
      if (const std::optional<int> status = status_if_ended(leader)) return *status;
      held.wait_for_child();
    }
  } catch (const Interrupted&) {
    kill(-leader, SIGTERM);
    wait_process(leader);
    throw;
  }
}

/// Becomes another program; returns errno if it cannot.
int become(const std::vector<char*>& argv, int out, const std::filesystem::path& folder) {
  const int in = open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (in < 0) return errno;
  dup2(in, STDIN_FILENO);
  dup2(out, STDOUT_FILENO);
  dup2(out, STDERR_FILENO);
  if (!folder.empty() && chdir(folder.c_str()) != 0) return errno;
  execvp(argv.front(), argv.data());
  return errno;
}

}  // namespace

pid_t fork_process() {
  std::fflush(nullptr);  // else both processes would write what is buffered
  const pid_t parent = getpid(), pid = fork();
  if (pid < 0) throw std::runtime_error("cannot start another process");
  if (pid > 0) return pid;
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (getppid() != parent) _exit(128 + SIGTERM);  // it had ended before
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  return 0;
}

EndedProgram run_child(const std::string& program, const std::vector<std::string>& arguments,
                       const std::filesystem::path& folder, const HeldSignals* held) {
  std::vector<std::string> words{program};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  argv.reserve(words.size() + 1);
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);

  const MemoryFile output = open_memory_file();
  std::array<int, 2> failure{};  // a pipe that a program closes when it begins
  if (pipe2(failure.data(), O_CLOEXEC) != 0) throw std::runtime_error("cannot make a pipe");
  const pid_t pid = fork_process();
  if (held != nullptr) (void)setpgid(pid, pid);  // whichever of the two is the first
  if (pid == 0) {
    const int error = become(argv, fileno(output.get()), folder);
    _exit(write(failure[1], &error, sizeof error) < 0 ? 126 : 127);
  }
  close(failure[1]);
  int error = 0;
  const bool failed = read(failure[0], &error, sizeof error) > 0;
  close(failure[0]);
  const int status = held == nullptr ? wait_process(pid) : wait_or_end(pid, *held);
  if (failed) throw std::runtime_error("cannot start " + program + ": " + std::strerror(error));
  return {status, text_of(output.get())};
}

MemoryFile open_memory_file() {
  const int memory = memfd_create("annelid", MFD_CLOEXEC);
  MemoryFile file(memory < 0 ? nullptr : fdopen(memory, "w+"), std::fclose);
  if (file) return file;
  if (memory >= 0) close(memory);
  throw std::runtime_error("cannot make a file in memory");
}

std::string text_of(std::FILE* file) {
  std::rewind(file);
  std::string text;
  std::array<char, 4096> part{};
  while (const std::size_t n = std::fread(part.data(), 1, part.size(), file)) {
    text.append(part.data(), n);
  }
  return text;
}

int wait_process(pid_t pid) {
  int how = 0;
  while (waitpid(pid, &how, 0) < 0) {
    if (errno != EINTR) return -1;
  }
  return status_of(how);
}

std::optional<int> status_if_ended(pid_t pid) {
  int how = 0;
  const pid_t ended = waitpid(pid, &how, WNOHANG);
  if (ended < 0) throw std::runtime_error("a process was lost");
  if (ended == 0) return {};
  return status_of(how);
}

HeldSignals::HeldSignals() {
  sigemptyset(&held_);
  for (const int ending : {SIGHUP, SIGINT, SIGTERM}) {
    struct sigaction now {};
    sigaction(ending, nullptr, &now);
    if (now.sa_handler != SIG_IGN) sigaddset(&held_, ending);
  }
  child_before_ = signal(SIGCHLD, SIG_DFL);  // where it is ignored, it never comes
  and_child_ = held_;
  sigaddset(&and_child_, SIGCHLD);
  sigprocmask(SIG_BLOCK, &and_child_, &before_);
}

HeldSignals::~HeldSignals() {
  signal(SIGCHLD, child_before_);
  sigprocmask(SIG_SETMASK, &before_, nullptr);
}

void HeldSignals::check() const { sleep(std::chrono::milliseconds{0}); }

void HeldSignals::sleep(std::chrono::milliseconds time) const {
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(time);
  const timespec most{seconds.count(), std::chrono::nanoseconds(time - seconds).count()};
  const int waiting = sigtimedwait(&held_, nullptr, &most);
  if (waiting > 0) throw Interrupted{waiting};
}

void HeldSignals::wait_for_child() const {
  const int waiting = sigwaitinfo(&and_child_, nullptr);
  if (waiting > 0 && waiting != SIGCHLD) throw Interrupted{waiting};
}

std::size_t process_count(int jobs) {
  return jobs > 0 ? static_cast<std::size_t>(jobs)
                  : std::max(1U, std::thread::hardware_concurrency());
}

std::filesystem::path own_program() {
  std::error_code error;
  std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error);
  if (!error) return program;
  const auto* const started_as = std::bit_cast<const char*>(getauxval(AT_EXECFN));
  return std::filesystem::canonical(started_as == nullptr ? "" : started_as);
}

}  // namespace annelid
