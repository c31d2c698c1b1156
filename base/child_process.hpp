// Child processes: other programs, and copies of this one. None of them outlives this process.
#pragma once

#include <signal.h>
#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace annelid {

/// Forks this process. The copy gets SIGTERM if this process ends first. Returns 0 in the copy, and
/// the copy's process id in the parent. Throws std::runtime_error if the fork fails.
pid_t fork_process();

/// How a program ended, and everything that it wrote.
struct EndedProgram {
  int status = 0;  ///< as wait_process() returns it
  std::string text;
};

class HeldSignals;

/// Runs a program in the working directory `folder` (if empty, in this process's own). The program
/// is looked up in PATH. Its output goes to no file on disk. Like a copy, it gets SIGTERM if this
/// process ends first. If signals are held, one of them ends the program and its children, and this
/// throws Interrupted. Throws std::runtime_error if the program cannot be started.
EndedProgram run_child(const std::string& program, const std::vector<std::string>& arguments,
                       const std::filesystem::path& folder = {}, const HeldSignals* held = nullptr);

/// Waits for a child process to end. Returns its exit status, or 128 + n if signal n ended it.
int wait_process(pid_t pid);
/// Returns the exit status of a child process as wait_process() does, or nothing while it still
/// runs.
std::optional<int> status_if_ended(pid_t pid);

/// A signal asks this program to end. This is thrown where the program waits, so that the program
/// can clean up what it has begun. Then main() lets the signal end the program. The type does not
/// derive from std::exception, because it is not an error to report.
struct Interrupted {
  int signal = 0;
};

/// Holds back SIGHUP, SIGINT and SIGTERM during its lifetime, except those that are ignored anyway.
class HeldSignals {
 public:
  HeldSignals();
  HeldSignals(const HeldSignals&) = delete;
  HeldSignals& operator=(const HeldSignals&) = delete;
  ~HeldSignals();

  /// Throws Interrupted if one of these signals is pending.
  void check() const;
  /// Returns after this time. Throws Interrupted as check() does, as soon as a signal comes.
  void sleep(std::chrono::milliseconds time) const;
  /// Returns when a child has ended, or has sent SIGCHLD itself. Throws Interrupted as check()
  /// does.
  void wait_for_child() const;

 private:
  sigset_t before_{}, held_{}, and_child_{};
  void (*child_before_)(int) = nullptr;  ///< what SIGCHLD did
};

/// The number of processes that `--jobs N` runs at the same time: one per core if N is 0.
std::size_t process_count(int jobs);

/// A file in memory that several processes can share, so that nothing is left on a disk. Making one
/// throws std::runtime_error on failure.
using MemoryFile = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;
[[nodiscard]] MemoryFile open_memory_file();
/// Everything that has been written to the file.
[[nodiscard]] std::string text_of(std::FILE* file);

/// The path of this program's own file. Where there is no /proc it is the one by which the program
/// was started.
std::filesystem::path own_program();

}  // namespace annelid
