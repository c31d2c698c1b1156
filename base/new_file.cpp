#include "base/new_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <random>

#include "base/run_failure.hpp"

namespace annelid {
namespace fs = std::filesystem;
namespace {

constexpr mode_t kUsual = 0666;  // without what the user's mask takes away

std::uint64_t random_number() {
  std::uint64_t number = 0;
  if (getrandom(&number, sizeof number, 0) == sizeof number) return number;
  std::random_device device;
  return std::uint64_t{device()} << 32 | device();
}

}  // namespace

std::string random_name() { return fmt::format(".annelid-{:016x}.tmp", random_number()); }

fs::path followed(fs::path path) {
  constexpr int kMostLinks = 40;  // as many as Linux follows
  for (int i = 0; i < kMostLinks; ++i) {
    std::error_code error;
    const fs::path target = fs::read_symlink(path, error);
    if (error) break;  // no link
    path = path.parent_path() / target;
  }
  return path;
}

NewFile open_new_file(const fs::path& folder) {
  const fs::path in = folder.empty() ? fs::path(".") : folder;
  const int unnamed = open(in.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, kUsual);
  if (unnamed >= 0) return {unnamed, {}};
  // What says that this file system, or an old Linux, has no files without a name.
  if (errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL) return {};
  NewFile file;
  do {
    file.name = in / random_name();
    file.descriptor =
        open(file.name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, kUsual);
  } while (file.descriptor < 0 && errno == EEXIST);
  return file;
}

TemporaryFolder::TemporaryFolder() {
  std::error_code error;
  std::string name = (fs::temp_directory_path(error) / "annelid-XXXXXX").string();
  if (error || mkdtemp(name.data()) == nullptr) {
    throw RunFailure(fmt::format("cannot make a temporary folder ({}): {}", name,
                                 error ? error.message() : std::strerror(errno)));
  }
  path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

}  // namespace annelid
