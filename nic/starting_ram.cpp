#include "nic/starting_ram.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <mutex>
#include <new>
#include <stdexcept>
#include <system_error>
#include <vector>

namespace annelid::nic {
namespace {

// Linux gives a process 65,530 mappings at most. Each copy that shares pages is one. Those that do
// not are one together, because they lie side by side.
constexpr int kMostSharing = 32'000;
std::atomic<int> sharing = 0;

constexpr std::size_t kMostKept = 4'096;  // copies of one program that no core has

bool write_all(int file, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t count = write(file, bytes.data(), bytes.size());
    if (count < 0) return false;
    bytes = bytes.subspan(static_cast<std::size_t>(count));
  }
  return ftruncate(file, kRamBytes) == 0;
}

/// Reads from the same place of the file, which is as long as RAM.
bool read_part(int file, std::byte* ram, std::size_t begin, std::size_t end) {
  while (begin < end) {
    const ssize_t count = pread(file, ram + begin, end - begin, static_cast<off_t>(begin));
    if (count <= 0) return false;
    begin += static_cast<std::size_t>(count);
  }
  return true;
}

/// What the kernel says of each page of RAM (Linux, admin-guide/mm/pagemap.rst).
using PageMap = std::array<std::uint64_t, kRamBytes / 4096>;
bool read_page_map(const std::byte* ram, std::size_t page_bytes, PageMap& pages) {
  // Not kept open: a child process would ask about its parent's pages.
  const int file = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  const std::size_t bytes = kRamBytes / page_bytes * sizeof pages[0];
  const std::uintptr_t first = reinterpret_cast<std::uintptr_t>(ram) / page_bytes;
  const ssize_t count =
      pread(file, pages.data(), bytes, static_cast<off_t>(first * sizeof pages[0]));
  close(file);
  return count == static_cast<ssize_t>(bytes);
}

/// Whether a page was written: the process has it, and it is not the file's.
bool is_written(std::uint64_t page) {
  constexpr std::uint64_t kHere = std::uint64_t{3} << 62;  // present or swapped
  constexpr std::uint64_t kOfFile = std::uint64_t{1} << 61;
  return (page & kHere) != 0 && (page & kOfFile) == 0;
}

std::size_t page_size() { return static_cast<std::size_t>(sysconf(_SC_PAGESIZE)); }

/// Gives the pages that were written their first contents. False if it is not known which these
/// are.
bool restore(int file, std::byte* ram) {
  const std::size_t page_bytes = page_size();
  PageMap pages;
  if (!read_page_map(ram, page_bytes, pages)) return false;
  for (std::size_t i = 0; i < kRamBytes / page_bytes; ++i) {
    if (!is_written(pages[i])) continue;
    if (!read_part(file, ram, i * page_bytes, (i + 1) * page_bytes)) return false;
  }
  return true;
}

/// Whether the page map knows written pages from others. A sandbox may have a map that does not.
bool knows_written_pages(int file) {
  const std::size_t page_bytes = page_size();
  void* const mapped = mmap(nullptr, kRamBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE, file, 0);
  if (mapped == MAP_FAILED) return false;
  auto* const ram = static_cast<volatile std::byte*>(mapped);
  (void)ram[0];                   // page 0 is read
  ram[page_bytes] = std::byte{};  // page 1 is written
  PageMap pages;
  const bool knows = kRamBytes / page_bytes <= pages.size() &&
                     read_page_map(static_cast<const std::byte*>(mapped), page_bytes, pages) &&
                     !is_written(pages[0]) && is_written(pages[1]) && !is_written(pages[2]);
  munmap(mapped, kRamBytes);
  return knows;
}

void unmap(std::byte* ram) {
  munmap(ram, kRamBytes);
  --sharing;
}

}  // namespace

/// The program, and the copies that share its pages and that no core has.
class StartingRam::Copies {
 public:
  explicit Copies(std::span<const std::byte> bytes)
      : file_(bytes.size() <= kRamBytes ? memfd_create("annelid RAM", MFD_CLOEXEC) : -1) {
    if (bytes.size() > kRamBytes) throw std::invalid_argument("the program exceeds the RAM");
    if (file_ < 0 || !write_all(file_, bytes)) {
      const std::error_code why(errno, std::generic_category());
      if (file_ >= 0) close(file_);
      throw std::system_error(why, "cannot make a file in memory");
    }
    keeps_ = knows_written_pages(file_);
  }
  ~Copies() {
    for (std::byte* const ram : kept_) unmap(ram);
    close(file_);
  }
  Copies(const Copies&) = delete;
  Copies& operator=(const Copies&) = delete;

  [[nodiscard]] int file() const { return file_; }
  /// Null if there is none.
  std::byte* take() {
    std::byte* ram = nullptr;
    {
      const std::scoped_lock lock(mutex_);
      if (kept_.empty()) return nullptr;
      ram = kept_.back();
      kept_.pop_back();
    }
    if (restore(file_, ram)) return ram;
    unmap(ram);
    return nullptr;
  }
  void give_back(std::byte* ram) {
    const std::scoped_lock lock(mutex_);
    if (!keeps_ || kept_.size() == kMostKept) return unmap(ram);
    kept_.push_back(ram);
  }

 private:
  const int file_;  // in memory
  bool keeps_ = false;
  std::mutex mutex_;
  std::vector<std::byte*> kept_;
};

StartingRam::StartingRam(std::span<const std::byte> bytes)
    : copies_(std::make_shared<Copies>(bytes)) {}

StartingRam::Copy StartingRam::copy() const {
  if (std::byte* const used = copies_->take()) return Copy(used, Free(copies_));
  const int file = copies_->file();
  const bool shares = ++sharing <= kMostSharing;
  if (!shares) --sharing;
  void* const at = mmap(nullptr, kRamBytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | (shares ? 0 : MAP_ANONYMOUS), shares ? file : -1, 0);
  if (at == MAP_FAILED) {
    if (shares) --sharing;
    throw std::bad_alloc();
  }
  Copy copy(static_cast<std::byte*>(at), shares ? Free(copies_) : Free());
  if (!shares && !read_part(file, copy.get(), 0, kRamBytes)) throw std::bad_alloc();
  return copy;
}

void StartingRam::Free::operator()(std::byte* p) const {
  if (home_ != nullptr) return home_->give_back(p);
  munmap(p, kRamBytes);
}

}  // namespace annelid::nic
