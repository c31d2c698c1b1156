// Files and folders that only this process uses, under names that nobody can predict.
#pragma once

#include <filesystem>
#include <string>

namespace annelid {

/// A name such as ".annelid-0123456789abcdef.tmp", with random digits. Its length is always the
/// same.
[[nodiscard]] std::string random_name();

/// Where a path leads after symbolic links at its end are followed, even to a file that does not
/// exist.
[[nodiscard]] std::filesystem::path followed(std::filesystem::path path);

/// A new file, open for writing. Where the file system supports it, the file has no name, and
/// vanishes with the process.
struct NewFile {
  int descriptor = -1;         ///< -1: the file could not be made, and errno says why
  std::filesystem::path name;  ///< empty if the file has no name
};
[[nodiscard]] NewFile open_new_file(const std::filesystem::path& folder);
/// Opens a new file that has a name, on every file system.
[[nodiscard]] NewFile open_named_file(const std::filesystem::path& folder);

/// A temporary folder, in $TMPDIR or /tmp. It vanishes with this object, together with everything
/// in it. A user of it needs HeldSignals, else a signal that ends the program leaves the folder.
class TemporaryFolder {
 public:
  /// Throws InputError (TMPDIR) if the folder cannot be made.
  TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder();
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace annelid
