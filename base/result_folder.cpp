#include "base/result_folder.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

#include "base/file_lock.hpp"
#include "base/input_error.hpp"
#include "base/new_file.hpp"
#include "base/output_file.hpp"
#include "base/warning.hpp"

namespace annelid {
namespace fs = std::filesystem;
namespace {

constexpr const char* kOption = "--out";

ResultFolder* first_folder = nullptr;

InputError no_folder(const fs::path& folder, const std::string& why) {
  return {kOption, fmt::format("\"{}\", which cannot be written: {}", folder.string(), why),
          "a folder where files can be made"};
}

/// Whether the open file is the one that the path names now.
bool is_at(int descriptor, const fs::path& path) {
  struct stat open {
  }, named{};
  return fstat(descriptor, &open) == 0 && lstat(path.c_str(), &named) == 0 &&
         open.st_dev == named.st_dev && open.st_ino == named.st_ino;
}

void warn_without_lock(const fs::path& folder, const std::string& why) {
  warn(fmt::format("\"{}\" cannot be locked ({}): let no other annelid use it at the same time",
                   folder.string(), why));
}

}  // namespace

ResultFolder::ResultFolder(fs::path folder, std::initializer_list<const char*> files)
    : path_(std::move(folder)), lock_file_(path_ / kLockFile), owner_(getpid()) {
  next_ = std::exchange(first_folder, this);
  try {
    make();
    lock();
    for (const char* file : files) require_writable(path_ / file, kOption);
  } catch (...) {
    leave();
    throw;
  }
}

ResultFolder::~ResultFolder() { leave(); }

void leave_result_folders() noexcept {
  while (first_folder != nullptr) first_folder->leave();
}

void ResultFolder::make() {
  std::error_code error;
  for (fs::path part = fs::absolute(path_, error); !error && !fs::exists(part, error) && !error;
       part = part.parent_path()) {
    if (part.has_filename()) made_.push_back(part);
  }
  if (!error) fs::create_directories(path_, error);
  if (error) throw no_folder(path_, error.message());
}

// The one before may remove its lock file between our opening and our locking it: then there is
// another file to be locked.
void ResultFolder::lock() {
  while (lock_ < 0 || !is_at(lock_, lock_file_)) {
    if (lock_ >= 0) close(lock_);
    lock_ = open(lock_file_.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (lock_ < 0) throw no_folder(path_, std::strerror(errno));
    const Locked locked = lock_file(lock_);
    if (locked == Locked::kYes) continue;
    if (locked == Locked::kUnknown) return warn_without_lock(path_, std::strerror(errno));
    close(std::exchange(lock_, -1));
    throw InputError(kOption, fmt::format("\"{}\", which another annelid is using", path_.string()),
                     "a folder of its own, or the end of the other one");
  }
}

void ResultFolder::leave() noexcept {
  ResultFolder** place = &first_folder;
  while (*place != this && *place != nullptr) place = &(*place)->next_;
  if (*place == this) *place = next_;
  if (getpid() != owner_) return;
  if (lock_ >= 0) {
    unlink(lock_file_.c_str());
    close(std::exchange(lock_, -1));
  }
  for (const fs::path& folder : made_) {
    if (rmdir(folder.c_str()) != 0 && errno != ENOENT) break;  // something is in it
  }
}

fs::path ResultFolder::fresh(const char* file) const {
  fs::path path = path_ / file;
  const fs::path place = followed(path);
  std::error_code error;
  if (fs::is_regular_file(place, error)) fs::remove(place, error);
  if (error && error != std::errc::no_such_file_or_directory) {
    throw no_folder(path, error.message());
  }
  return path;
}

}  // namespace annelid
