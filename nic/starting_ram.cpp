#include "nic/starting_ram.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <new>
#include <stdexcept>
#include <system_error>

namespace annelid::nic {
namespace {

// Linux gives a process 65,530 mappings at most. Each copy that shares pages is one. Those that do
// not are one together, because they lie side by side.
constexpr int kMostSharing = 32'000;
std::atomic<int> sharing = 0;

bool write_all(int file, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t count = write(file, bytes.data(), bytes.size());
    if (count < 0) return false;
    bytes = bytes.subspan(static_cast<std::size_t>(count));
  }
  return ftruncate(file, kRamBytes) == 0;
}

/// Up to the end of the file, which is as long as RAM.
bool read_all(int file, std::byte* to) {
  for (off_t at = 0; at < off_t{kRamBytes};) {
    const ssize_t count = pread(file, to + at, static_cast<std::size_t>(kRamBytes - at), at);
    if (count <= 0) return false;
    at += count;
  }
  return true;
}

}  // namespace

StartingRam::StartingRam(std::span<const std::byte> bytes)
    : file_(bytes.size() <= kRamBytes ? memfd_create("annelid RAM", MFD_CLOEXEC) : -1) {
  if (bytes.size() > kRamBytes) throw std::invalid_argument("the program exceeds the RAM");
  if (file_ >= 0 && write_all(file_, bytes)) return;
  const std::error_code why(errno, std::generic_category());
  if (file_ >= 0) close(file_);
  throw std::system_error(why, "cannot make a file in memory");
}

StartingRam::~StartingRam() { close(file_); }

StartingRam::Copy StartingRam::copy() const {
  const bool shares = ++sharing <= kMostSharing;
  if (!shares) --sharing;
  void* const at = mmap(nullptr, kRamBytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | (shares ? 0 : MAP_ANONYMOUS), shares ? file_ : -1, 0);
  if (at == MAP_FAILED) {
    if (shares) --sharing;
    throw std::bad_alloc();
  }
  Copy copy(static_cast<std::byte*>(at), Free{shares});
  if (!shares && !read_all(file_, copy.get())) throw std::bad_alloc();
  return copy;
}

void StartingRam::Free::operator()(std::byte* p) const {
  munmap(p, kRamBytes);
  if (shares) --sharing;
}

}  // namespace annelid::nic
