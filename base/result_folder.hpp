// The folder for the results of a command.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <initializer_list>
#include <vector>

namespace annelid {

/// One process at a time uses the folder, because two would mix their results. A lock file marks it
/// as used. On a file system without locks the user is warned, and has to see to it.
class ResultFolder {
 public:
  static constexpr const char* kLockFile = ".annelid.lock";

  /// Makes the folder if it does not exist. Throws InputError (--out) if another process uses the
  /// folder, or if one of the files cannot be made in it.
  ResultFolder(std::filesystem::path folder, std::initializer_list<const char*> files);
  ResultFolder(const ResultFolder&) = delete;
  ResultFolder& operator=(const ResultFolder&) = delete;
  /// Removes the folders that the constructor made, if they are still empty.
  ~ResultFolder();

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  /// The path of a file in the folder. Removes the file of an earlier command, which must not be
  /// mistaken for this one's.
  [[nodiscard]] std::filesystem::path fresh(const char* file) const;

 private:
  friend void leave_result_folders() noexcept;
  void make();
  void lock();
  void leave() noexcept;

  std::filesystem::path path_, lock_file_;
  std::vector<std::filesystem::path> made_;  ///< the deepest folder first
  int lock_ = -1;
  const pid_t owner_;             ///< forked copies of the process leave the folder alone
  ResultFolder* next_ = nullptr;  ///< next in the list of all ResultFolder objects
};

/// Does what the destructors of all result folders of this process would do. It is for a program
/// that must end at once, and allocates nothing.
void leave_result_folders() noexcept;

}  // namespace annelid
