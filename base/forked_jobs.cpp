#include "base/forked_jobs.hpp"

#include <unistd.h>

#include <optional>
#include <stdexcept>
#include <utility>

#include "base/message.hpp"

namespace annelid {
namespace {

/// What the work prints goes to the file; its result replaces that.
[[noreturn]] void be_child(const ForkedJobs::Work& work, std::size_t job, std::FILE* file) {
  dup2(fileno(file), STDOUT_FILENO);
  dup2(fileno(file), STDERR_FILENO);
  int status = 0;
  try {
    const std::string result = work(job);
    std::fflush(nullptr);
    const bool written = ftruncate(fileno(file), 0) == 0 && lseek(fileno(file), 0, SEEK_SET) == 0 &&
                         std::fwrite(result.data(), 1, result.size(), file) == result.size() &&
                         std::fflush(file) == 0;
    if (!written) throw std::runtime_error("no memory for the result");
  } catch (const std::exception& error) {
    std::fputs(message_of(error).c_str(), stderr);  // which is the file
    std::fputc('\n', stderr);
    status = 1;
  }
  std::fflush(nullptr);
  _exit(status);
}

}  // namespace

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
