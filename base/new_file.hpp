// Files and folders of this process alone, under names that nobody can foresee.
#pragma once

#include <filesystem>
#include <string>

namespace annelid {

/// ".annelid-0123456789abcdef.tmp", with random digits. Its length does not depend on any other
/// name.
[[nodiscard]] std::string random_name();

/// Where a path leads: symbolic links at its end are followed, also to a file that is not there.
[[nodiscard]] std::filesystem::path followed(std::filesystem::path path);

/// A new file, open for writing. Where the file system can do it, the file has no name, and
/// vanishes with the process.
struct NewFile {
  int descriptor = -1;         ///< -1: there is none, and errno says why
  std::filesystem::path name;  ///< empty: none
};
[[nodiscard]] NewFile open_new_file(const std::filesystem::path& folder);

/// A temporary folder. It vanishes with this object, with all that was put into it.
class TemporaryFolder {
 public:
  /// Throws RunFailure if there can be none.
  TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder();
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace annelid
