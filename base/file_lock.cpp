#include "base/file_lock.hpp"

#include <sys/file.h>

#include <cerrno>

namespace annelid {

Locked lock_file(int descriptor) noexcept {
  while (flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
    if (errno == EWOULDBLOCK) return Locked::kByAnother;
    if (errno != EINTR) return Locked::kUnknown;
  }
  return Locked::kYes;
}

}  // namespace annelid
