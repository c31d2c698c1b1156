// Programs and copies of this one that run beside it. None of them outlives it.
#pragma once

#include <signal.h>
#include <sys/types.h>

#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace annelid {

/// A copy of this process, which gets SIGTERM if this one ends before it. Returns 0 in the copy.
/// Throws std::runtime_error if there can be none.
pid_t fork_process();

/// How a program ended, and all that it wrote.
struct EndedProgram {
  int status = 0;  ///< as that of wait_process()
  std::string text;
};

/// Runs a program, which is looked for in PATH, in the working directory `folder` (empty: this
/// program's). No file is made for its output. It ends as a copy does. Throws std::runtime_error if
/// it cannot be started.
EndedProgram run_program(const std::string& program, const std::vector<std::string>& arguments,
                         const std::filesystem::path& folder = {});

/// Waits for a copy. Returns its exit status, 128 + n if signal n
/// ended it.
int wait_process(pid_t pid);

/// A signal asks this program to end. Thrown where the program waits, so that it cleans up what it
/// has begun. Then main() lets the signal end the program. It is no std::exception, because it is
/// no error to report.
struct Interrupted {
  int signal = 0;
};

/// As long as it lives, SIGHUP, SIGINT and SIGTERM wait, except those that are ignored anyway.
class HeldSignals {
 public:
  HeldSignals();
  HeldSignals(const HeldSignals&) = delete;
  HeldSignals& operator=(const HeldSignals&) = delete;
  ~HeldSignals();

  /// Throws Interrupted if one of them is waiting.
  void check() const;
  /// Returns when a child has ended; throws as check() does.
  void wait_for_child() const;

 private:
  sigset_t before_{}, held_{}, and_child_{};
};

/// How a piece of work ended: with a result if `status` is 0, else `text` is what was printed.
struct EndedWork {
  std::size_t work = 0;
  int status = 0;  ///< as that of wait_process()
  std::string text;
};

/// Processes that run at the same time, each for a piece of work that has a number. Signals that
/// would end this program are held meanwhile.
class ChildPool {
 public:
  /// `most` at the same time, at least 1.
  explicit ChildPool(std::size_t most) : most_(most) {}
  ChildPool(const ChildPool&) = delete;
  ChildPool& operator=(const ChildPool&) = delete;
  /// Ends what still runs.
  ~ChildPool() { end(); }

  /// Begins the pieces of work 0 to `count` - 1 in this order. `start` returns the process, or
  /// nothing if the piece needs none; `finished` is told of each that has ended, and its status as
  /// that of wait_process(). Throws Interrupted, and what they throw: others may still run then.
  void run(std::size_t count, const std::function<std::optional<pid_t>(std::size_t)>& start,
           const std::function<void(std::size_t work, int status)>& finished);
  void end();

 private:
  struct Ended {
    std::size_t work = 0;
    int status = 0;
  };
  std::optional<Ended> take_ended();

  HeldSignals held_;
  const std::size_t most_;
  std::map<pid_t, std::size_t> running_;
};

/// How many processes run at the same time with `--jobs N`: one per core if N is 0.
std::size_t process_count(int jobs);

/// A file in memory, which several processes can share: nothing is left on a disk. Throws
/// std::runtime_error if there can be none.
using MemoryFile = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;
[[nodiscard]] MemoryFile open_memory_file();
/// All that has been written to it.
[[nodiscard]] std::string text_of(std::FILE* file);

/// This program's own file.
std::filesystem::path own_program();

}  // namespace annelid
