// The folder that the results of a command go into.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <initializer_list>
#include <vector>

namespace annelid {

/// Used by one process at a time: two would mix their results. A lock file is in it meanwhile.
class ResultFolder {
 public:
  /// Makes the folder if it is not there. Throws InputError (--out) if another process uses it, and
  /// unless each of the files can be made in it.
  ResultFolder(std::filesystem::path folder, std::initializer_list<const char*> files);
  ResultFolder(const ResultFolder&) = delete;
  ResultFolder& operator=(const ResultFolder&) = delete;
  /// Removes the folders that it made, if nothing has been put into them.
  ~ResultFolder();

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  /// The path of a file in it. Removes that of an earlier command, which must not pass for this
  /// one's.
  [[nodiscard]] std::filesystem::path fresh(const char* file) const;

 private:
  friend void leave_result_folders() noexcept;
  void make();
  void lock();
  void leave() noexcept;

  std::filesystem::path path_, lock_file_;
  std::vector<std::filesystem::path> made_;  ///< the deepest first
  int lock_ = -1;
  const pid_t owner_;             ///< a copy of the process leaves the folder alone
  ResultFolder* next_ = nullptr;  ///< of those that there are
};

/// Does what the destructors of all folders of this process do, for a program that must end at
/// once. Allocates nothing.
void leave_result_folders() noexcept;

}  // namespace annelid
