#include "base/build.hpp"

#include <fmt/format.h>

#include <sstream>

#include "base/child_process.hpp"
#include "base/files.hpp"
#include "base/fnv1a.hpp"

namespace annelid {

const std::string& build_name() {
  static const std::string name = fmt::format("{:016x}", fnv1a(read_text(own_program())));
  return name;
}

std::string BuildCommit::text() const { return commit + (clean ? "" : " with changes"); }

std::optional<BuildCommit> read_build_commit(const std::filesystem::path& file) {
  if (!std::filesystem::is_regular_file(file)) return std::nullopt;
  std::istringstream words(read_text(file));
  std::string commit, state;
  words >> commit >> state;
  const bool hexadecimal = commit.find_first_not_of("0123456789abcdef") == std::string::npos;
  if (commit.size() != 10 || !hexadecimal || (state != "clean" && state != "changed")) {
    return std::nullopt;
  }
  return BuildCommit{commit, state == "clean"};
}

std::optional<BuildCommit> build_commit() {
  return read_build_commit(own_program().parent_path().parent_path() / "share/annelid/commit");
}

}  // namespace annelid
