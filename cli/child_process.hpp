// Programs that run beside this one.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace annelid::cli {

/// Starts a program, which is looked for in PATH, in the working directory `folder` (empty: this
/// program's). Its output goes to a file, relative to this program's working directory. Throws
/// std::runtime_error if it cannot be started.
pid_t start_process(const std::string& program, const std::vector<std::string>& arguments,
                    const std::filesystem::path& output, const std::filesystem::path& folder = {});

/// Waits for a process that start_process() started. Returns its exit status, 128 + n if signal n
/// ended it.
int wait_process(pid_t pid);

/// Processes that run at the same time, each for a piece of work that has a number. No other
/// process of this program's may end meanwhile.
class ChildPool {
 public:
  ChildPool() = default;
  ChildPool(const ChildPool&) = delete;
  ChildPool& operator=(const ChildPool&) = delete;
  /// Ends what still runs.
  ~ChildPool() { end(); }

  void add(pid_t pid, std::size_t work) { running_[pid] = work; }
  [[nodiscard]] std::size_t size() const { return running_.size(); }

  struct Ended {
    std::size_t work = 0;
    int status = 0;  ///< as that of wait_process()
  };
  /// The next one that ends; nothing if the system does not know of one.
  std::optional<Ended> wait();
  void end();

 private:
  std::map<pid_t, std::size_t> running_;
};

/// How many processes run at the same time with `--jobs N`: one per core if N is 0.
std::size_t process_count(int jobs);

/// This program's own file.
std::filesystem::path own_program();

}  // namespace annelid::cli
