#include "studies/cost/tool.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <sstream>
#include <thread>

#include "base/files.hpp"

namespace annelid::cost {
namespace fs = std::filesystem;
namespace {

pid_t start(const Tool& tool, const std::vector<std::string>& arguments, const fs::path& folder,
            const fs::path& log) {
  std::vector<char*> argv{const_cast<char*>(tool.program)};
  for (const std::string& a : arguments) argv.push_back(const_cast<char*>(a.c_str()));
  argv.push_back(nullptr);
  const pid_t parent = getpid(), child = fork();
  if (child > 0) setpgid(child, child);  // whichever of the two is the first
  if (child != 0) return child;
  setpgid(0, 0);  // a group of its own, so that a tool's own children end with it
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(127);  // it had ended before
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  const int out = open(log.c_str(), O_CREAT | O_TRUNC | O_WRONLY, 0644);
  const int in = open("/dev/null", O_RDONLY);
  if (out < 0 || in < 0 || chdir(folder.c_str()) != 0) _exit(127);
  dup2(in, STDIN_FILENO);
  dup2(out, STDOUT_FILENO);
  dup2(out, STDERR_FILENO);
  execvp(tool.program, argv.data());
  _exit(127);
}

/// Ends a tool and its own children, unless it has been waited for.
struct ToolEnd {
  pid_t child = 0;
  ~ToolEnd() {
    if (child == 0) return;
    kill(-child, SIGKILL);
    waitpid(child, nullptr, 0);
  }
};

/// Waits for a child; false if the time is up. Then, and if progress throws, the child is ended.
bool wait_for(pid_t child, const Tool& tool, const CostOptions& options, int& status) {
  using namespace std::chrono;
  const auto began = steady_clock::now();
  auto pause = milliseconds(2);
  ToolEnd end{child};
  while (waitpid(child, &status, WNOHANG) == 0) {
    const auto so_far = duration_cast<seconds>(steady_clock::now() - began);
    if (so_far >= options.time_limit) return false;
    if (options.progress) options.progress(tool.program, so_far);
    std::this_thread::sleep_for(pause);
    pause = std::min(pause * 2, milliseconds(200));
  }
  end.child = 0;
  return true;
}

}  // namespace

void require(const Tool& tool) {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "" : path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    if (access((fs::path(folder) / tool.program).c_str(), X_OK) == 0) return;
  }
  throw MissingTool(
      fmt::format("{} is not in PATH: install Debian's package {} (scripts/setup does)",
                  tool.program, tool.package));
}

std::string tail_of(const std::string& log) {
  std::size_t from = log.size();
  for (int line = 0; line < 6; ++line) {
    if (from == 0) return '\n' + log;
    from = log.rfind('\n', from - 1);
    if (from == std::string::npos) return '\n' + log;
  }
  return log.substr(from);
}

std::string run_tool(const Tool& tool, const std::vector<std::string>& arguments,
                     const fs::path& folder, const CostOptions& options,
                     const std::string& log_name) {
  require(tool);
  const fs::path log = folder / ((log_name.empty() ? tool.program : log_name) + ".log");
  const pid_t child = start(tool, arguments, folder, log);
  if (child < 0) throw CostError(fmt::format("cannot run {}: {}", tool.program, strerror(errno)));
  int status = 0;
  if (!wait_for(child, tool, options, status)) {
    throw CostError(
        fmt::format("{} was not done after {} s: raise --time-limit, or choose a "
                    "smaller router",
                    tool.program, options.time_limit.count()));
  }
  std::string text = read_text(log);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    const std::string how = WIFSIGNALED(status) ? fmt::format("signal {}", WTERMSIG(status))
                                                : fmt::format("status {}", WEXITSTATUS(status));
    throw CostError(fmt::format("{} failed with {}:{}", tool.program, how, tail_of(text)));
  }
  return text;
}

std::string read_text(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) throw CostError("cannot read " + file.string());
  return {std::istreambuf_iterator<char>(in), {}};
}

void write_text(const fs::path& file, const std::string& text) { write_file(file, text); }

WorkFolder::WorkFolder(const fs::path& keep) : path_(keep) {
  if (!keep.empty()) {
    fs::create_directories(keep);
  } else {
    path_ = temporary_.emplace().path();
  }
}

}  // namespace annelid::cost
