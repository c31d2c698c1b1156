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

#include "base/input_error.hpp"

namespace annelid {
namespace fs = std::filesystem;
namespace {

constexpr const char* kTemporary = "TMPDIR";
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
  const int unnamed = open(in.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, kUsual);
  if (unnamed >= 0) return {unnamed, {}};
  // What says that this file system, or an old Linux, has no files without a name.
  if (errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL) return {};
  return open_named_file(in);
}

NewFile open_named_file(const fs::path& folder) {
  const fs::path in = folder.empty() ? fs::path(".") : folder;
  NewFile file;
  do {
    file.name = in / random_name();
    file.descriptor =
        open(file.name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, kUsual);
  } while (file.descriptor < 0 && errno == EEXIST);
  return file;
}

TemporaryFolder::TemporaryFolder() {
  const char* const chosen = std::getenv(kTemporary);
  const fs::path in = chosen == nullptr || *chosen == '\0' ? "/tmp" : chosen;
  std::string name = (in / "annelid-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) {
    throw InputError(
        kTemporary,
        fmt::format("\"{}\", where no folder can be made: {}", in.string(), std::strerror(errno)),
        "a folder for temporary files");
  }
  path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

}  // namespace annelid
