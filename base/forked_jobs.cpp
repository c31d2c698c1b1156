#include "base/forked_jobs.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "base/message.hpp"

namespace annelid {
namespace {

[[noreturn]] void throw_no_room() {
  throw std::runtime_error(std::string("no room for the result: ") + std::strerror(errno));
}

/// Of what was printed nothing is left.
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

/// What the work prints goes to the file; its result replaces that.
[[noreturn]] void be_child(const ForkedJobs::Work& work, std::size_t job, std::FILE* file) {
  dup2(fileno(file), STDOUT_FILENO);
  dup2(fileno(file), STDERR_FILENO);
  int status = 0;
  try {
    const std::string result = work(job);
    clear(fileno(file));
    keep(fileno(file), result);
  } catch (const std::exception& error) {
    std::fputs(message_of(error).c_str(), stderr);  // which is the file
    std::fputc('\n', stderr);
    status = 1;
  }
  std::fflush(nullptr);
  _exit(status);
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

ForkedJobs::ForkedJobs(Work work, std::size_t processes)
    : work_(std::move(work)), running_(processes) {}

pid_t ForkedJobs::start(std::size_t job) {
  std::FILE* const file = texts_.insert_or_assign(job, open_memory_file()).first->second.get();
  const pid_t pid = fork_process();
  if (pid == 0) be_child(work_, job, file);
  return pid;
}

std::string ForkedJobs::take_text(std::size_t job) {
  const auto file = texts_.extract(job);
  return text_of(file.mapped().get());
}

void ForkedJobs::run(std::span<const std::size_t> order,
                     const std::function<void(const EndedWork&)>& finished,
                     const std::function<bool(std::size_t)>& wanted) {
  running_.run(
      order.size(),
      [&](std::size_t place) -> std::optional<pid_t> {
        if (wanted && !wanted(order[place])) return std::nullopt;
        return start(order[place]);
      },
      [&](std::size_t place, int status) {
        finished({order[place], status, take_text(order[place])});
      });
}

}  // namespace annelid
