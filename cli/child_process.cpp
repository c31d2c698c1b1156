#include "cli/child_process.hpp"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <thread>
#include <utility>

namespace annelid::cli {
namespace {

/// The process that ended, `which` or any if that is -1, and its status; both -1 if there is none.
std::pair<pid_t, int> wait_for(pid_t which) {
  int how = 0;
  pid_t pid = -1;
  do {
    pid = waitpid(which, &how, 0);
  } while (pid < 0 && errno == EINTR);
  if (pid < 0) return {-1, -1};
  return {pid, WIFEXITED(how) ? WEXITSTATUS(how) : 128 + WTERMSIG(how)};
}

}  // namespace

pid_t start_process(const std::string& program, const std::vector<std::string>& arguments,
                    const std::filesystem::path& output, const std::filesystem::path& folder) {
  std::vector<std::string> words{program};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  argv.reserve(words.size() + 1);
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output.c_str(),
                                   O_WRONLY | O_CREAT | O_TRUNC, 0666);
  posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
  if (!folder.empty()) posix_spawn_file_actions_addchdir_np(&actions, folder.c_str());
  pid_t pid = 0;
  const int error = posix_spawnp(&pid, program.c_str(), &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) {
    throw std::runtime_error("cannot start " + program + ": " + std::strerror(error));
  }
  return pid;
}

int wait_process(pid_t pid) { return wait_for(pid).second; }

std::optional<ChildPool::Ended> ChildPool::wait() {
  const auto [pid, status] = wait_for(-1);
  const auto process = running_.find(pid);
  if (process == running_.end()) return std::nullopt;
  const std::size_t work = process->second;
  running_.erase(process);
  return Ended{work, status};
}

void ChildPool::end() {
  for (const auto& [pid, work] : running_) kill(pid, SIGTERM);
  while (!running_.empty()) {
    if (!wait()) break;
  }
  running_.clear();
}

std::size_t process_count(int jobs) {
  return jobs > 0 ? static_cast<std::size_t>(jobs)
                  : std::max(1U, std::thread::hardware_concurrency());
}

std::filesystem::path own_program() { return std::filesystem::read_symlink("/proc/self/exe"); }

}  // namespace annelid::cli
