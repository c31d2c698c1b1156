// The files that a command reads and writes, so that no file has two uses of which one is lost.
#pragma once

#include <filesystem>
#include <initializer_list>
#include <string>
#include <vector>

namespace annelid {

/// Knows the files of one command. Register all of them before anything is written. An input may
/// not be an output, and no two outputs may be one file; a path that leads to the file through
/// links or other folders is the same file. A device, a pipe and the program's own standard output
/// may have several uses. An empty path means that there is no such file.
class CommandFiles {
 public:
  /// `what` is the option, or the place in a file that names the input. Throws InputError if an
  /// output is the same file.
  void reads(const std::string& what, const std::filesystem::path& file);
  /// Throws InputError, which names `what` and the other use, if the file has another use.
  void writes(const std::string& what, const std::filesystem::path& file);
  /// Calls writes() for files in a folder. No folder: no files.
  void writes(const std::string& what, const std::filesystem::path& folder,
              std::initializer_list<const char*> files);

 private:
  struct Use {
    std::string what;
    std::filesystem::path file, place;  ///< as it was given, and where it leads
    bool written = false;
  };
  void add(Use use);

  std::vector<Use> uses_;
};

}  // namespace annelid
