#include "base/output_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <optional>
#include <utility>
#include <vector>

#include "base/input_error.hpp"
#include "base/new_file.hpp"
#include "base/run_failure.hpp"
#include "base/text.hpp"

namespace annelid {
namespace fs = std::filesystem;
namespace {

std::optional<struct stat> status_of(const fs::path& path) {
  struct stat status {};
  if (stat(path.c_str(), &status) != 0) return std::nullopt;
  return status;
}

/// Where this program's own output goes, if that is this file: `/dev/stdout` must not be replaced
/// while it is written to, nor be written to from its beginning.
int own_output(const struct stat& status) {
  for (const int descriptor : {STDOUT_FILENO, STDERR_FILENO}) {
    struct stat own {};
    if (fstat(descriptor, &own) == 0 && own.st_dev == status.st_dev &&
        own.st_ino == status.st_ino) {
      return descriptor;
    }
  }
  return -1;
}

/// Copies a file from its beginning to the other one. False if that fails, and errno says why.
bool copy_bytes(int from, int to) {
  std::vector<char> bytes(std::size_t{1} << 16);
  for (off_t at = 0;;) {
    const ssize_t count = pread(from, bytes.data(), bytes.size(), at);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return count == 0;
    at += count;
    for (ssize_t done = 0; done < count;) {
      const ssize_t written =
          write(to, bytes.data() + done, static_cast<std::size_t>(count - done));
      if (written < 0 && errno != EINTR) return false;
      done += std::max<ssize_t>(written, 0);
    }
  }
}

InputError cannot_write(const std::string& what, const fs::path& path, const std::string& why) {
  return {what, fmt::format("\"{}\", which cannot be written: {}", path.string(), why),
          "a path where a file can be made"};
}

}  // namespace

DescriptorBuffer::DescriptorBuffer(int descriptor) : descriptor_(descriptor) {
  setp(buffer_.data(), buffer_.data() + buffer_.size());
}

bool DescriptorBuffer::write_out(const char* text, std::size_t count) {
  while (count > 0 && error_ == 0) {
    const ssize_t written = write(descriptor_, text, count);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) {
      error_ = errno;
    } else {
      text += written;
      count -= static_cast<std::size_t>(written);
    }
  }
  return error_ == 0;
}

int DescriptorBuffer::sync() {
  const bool good = write_out(pbase(), static_cast<std::size_t>(pptr() - pbase()));
  setp(buffer_.data(), buffer_.data() + buffer_.size());
  return good ? 0 : -1;
}

DescriptorBuffer::int_type DescriptorBuffer::overflow(int_type c) {
  if (sync() != 0) return traits_type::eof();
  if (!traits_type::eq_int_type(c, traits_type::eof())) sputc(traits_type::to_char_type(c));
  return traits_type::not_eof(c);
}

std::streamsize DescriptorBuffer::xsputn(const char* text, std::streamsize count) {
  if (count <= epptr() - pptr()) {
    std::memcpy(pptr(), text, static_cast<std::size_t>(count));
    pbump(static_cast<int>(count));
    return count;
  }
  if (sync() != 0) return 0;
  if (static_cast<std::size_t>(count) < buffer_.size()) return xsputn(text, count);
  return write_out(text, static_cast<std::size_t>(count)) ? count : 0;
}

DescriptorBuffer::pos_type DescriptorBuffer::seekpos(pos_type place, std::ios_base::openmode) {
  if (sync() != 0) return pos_type(off_type(-1));
  const off_t now = lseek(descriptor_, static_cast<off_t>(place), SEEK_SET);
  if (now < 0) error_ = errno;
  return pos_type(off_type(now));
}

OutputFile::OutputFile(fs::path path, std::string what)
    : what_(std::move(what)),
      place_(std::move(path)),
      part_(open_part(place_, what_)),
      buffer_(part_.descriptor),
      stream_(&buffer_) {
  if (!part_.direct) place_ = followed(place_);
}

OutputFile::Part OutputFile::open_part(const fs::path& place, const std::string& what) {
  Part part;
  const auto status = status_of(place);
  if (status && S_ISDIR(status->st_mode)) {
    throw cannot_write(what, place, std::strerror(EISDIR));
  }
  const int own = status ? own_output(*status) : -1;
  part.direct = status && (own >= 0 || !S_ISREG(status->st_mode));
  if (own >= 0) {
    std::fflush(nullptr);
    part.descriptor = fcntl(own, F_DUPFD_CLOEXEC, 0);
  } else if (part.direct) {
    part.descriptor = open(place.c_str(), O_WRONLY | O_NOCTTY | O_CLOEXEC);
  } else {
    const NewFile file = open_new_file(followed(place).parent_path());
    part.descriptor = file.descriptor;
    part.name = file.name;
    // A file that is replaced keeps its permissions.
    if (part.descriptor >= 0 && status) (void)fchmod(part.descriptor, status->st_mode & 0777);
  }
  if (part.descriptor < 0) throw cannot_write(what, place, std::strerror(errno));
  return part;
}

OutputFile::~OutputFile() {
  if (part_.descriptor >= 0) close(part_.descriptor);
  if (!part_.name.empty()) unlink(part_.name.c_str());
}

std::string OutputFile::failure() const {
  return one_line(fmt::format("{}: \"{}\" cannot be written: {}", what_, place_.string(),
                              std::strerror(buffer_.error() != 0 ? buffer_.error() : errno)));
}

void OutputFile::put_in_place() {
  if (part_.name.empty()) {
    fs::path name = place_.parent_path() / random_name();
    const std::string unnamed = fmt::format("/proc/self/fd/{}", part_.descriptor);
    if (linkat(AT_FDCWD, unnamed.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0) {
      part_.name = std::move(name);  // allocates nothing: the destructor must know it now
    } else {
      copy_to_named();
    }
  }
  if (rename(part_.name.c_str(), place_.c_str()) != 0) throw RunFailure(failure());
  part_.name.clear();
}

// Some file systems have files without a name, but cannot give them one later; and without /proc
// there is no way to say which one is meant.
void OutputFile::copy_to_named() {
  NewFile named = open_named_file(place_.parent_path());
  if (named.descriptor < 0) throw RunFailure(failure());
  const int unnamed = std::exchange(part_.descriptor, named.descriptor);
  part_.name = std::move(named.name);
  struct stat status {};
  if (fstat(unnamed, &status) == 0) (void)fchmod(named.descriptor, status.st_mode & 0777);
  const bool copied = copy_bytes(unnamed, named.descriptor);
  const int error = errno;
  close(unnamed);
  errno = error;
  if (!copied) throw RunFailure(failure());
}

void OutputFile::commit() {
  stream_.flush();
  if (!stream_) throw RunFailure(failure());
  if (!part_.direct) put_in_place();
  // Some file systems say only now that there is no room.
  if (close(std::exchange(part_.descriptor, -1)) != 0) throw RunFailure(failure());
}

bool is_stream(const fs::path& file) {
  const auto status = status_of(file);
  if (!status || S_ISDIR(status->st_mode)) return false;
  return !S_ISREG(status->st_mode) || own_output(*status) >= 0;
}

void require_writable(const fs::path& file, const std::string& where) {
  const auto status = status_of(file);
  if (status && S_ISDIR(status->st_mode)) throw cannot_write(where, file, std::strerror(EISDIR));
  if (status && !S_ISREG(status->st_mode)) {  // opening a pipe would tell its reader
    if (access(file.c_str(), W_OK) != 0) throw cannot_write(where, file, std::strerror(errno));
    return;
  }
  const fs::path place = followed(file);
  if (!status && access(place.c_str(), F_OK) != 0 && errno != ENOENT) {  // as a name too long
    throw cannot_write(where, file, std::strerror(errno));
  }
  const NewFile probe = open_new_file(place.parent_path());
  if (probe.descriptor < 0) throw cannot_write(where, file, std::strerror(errno));
  close(probe.descriptor);
  if (!probe.name.empty()) unlink(probe.name.c_str());
}

}  // namespace annelid
