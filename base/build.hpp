// Identifies the build of the program, so that results stored by one build are not mistaken for
// those of another.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace annelid {

/// A hash of the running program's file, as 16 hexadecimal digits.
[[nodiscard]] const std::string& build_name();

/// A hash of any file, as build_name() has of the running program. Reads eight bytes at a time: a
/// program with sanitizers has 200 MB. Throws InputError if the file cannot be read.
[[nodiscard]] std::string build_name_of(const std::filesystem::path& program);

/// The commit of the sources from which a program was built.
struct BuildCommit {
  std::string commit;  ///< the first ten digits
  bool clean = false;  ///< no file differed from the commit

  /// "0123456789", or "0123456789 with changes".
  [[nodiscard]] std::string text() const;
};

/// Returns the commit of the running program: what the build has written to ../share/annelid/commit
/// beside it. Nothing if there is no such file, or it says something else.
[[nodiscard]] std::optional<BuildCommit> build_commit();

/// Reads such a file.
[[nodiscard]] std::optional<BuildCommit> read_build_commit(const std::filesystem::path& file);

}  // namespace annelid
