#include "nic/page_pool.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <new>
#include <utility>

namespace annelid::nic {
namespace {

constexpr std::size_t kCacheLine = 64, kStride = PagePool::kPageBytes + kCacheLine;
constexpr std::size_t kFirstRegion = std::size_t{64} << 10, kHuge = std::size_t{2} << 20;

/// Zeros. Regions of kHuge bytes begin at a multiple of it.
std::byte* map_region(std::size_t bytes) {
  const std::size_t spare = bytes < kHuge ? 0 : kHuge;
  void* const mapped =
      mmap(nullptr, bytes + spare, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapped == MAP_FAILED) throw std::bad_alloc();
  auto* const begin = static_cast<std::byte*>(mapped);
  if (spare == 0) return begin;
  const std::size_t before = (kHuge - reinterpret_cast<std::uintptr_t>(begin) % kHuge) % kHuge;
  if (before > 0) munmap(begin, before);
  munmap(begin + before + bytes, spare - before);
  (void)madvise(begin + before, bytes, MADV_HUGEPAGE);
  return begin + before;
}

struct Pool {
  std::mutex mutex;
  std::byte* given_back = nullptr;  // the latest; its first bytes are the address of the one before
  std::byte *next = nullptr, *end = nullptr;  // pages of the youngest region that nobody has had
  std::size_t region_bytes = kFirstRegion;

  std::byte* take_new() {
    if (static_cast<std::size_t>(end - next) < kStride) {
      next = map_region(region_bytes);
      end = next + region_bytes;
      (void)madvise(next, region_bytes, MADV_POPULATE_WRITE);
      region_bytes = std::min(2 * region_bytes, kHuge);
    }
    return std::exchange(next, next + kStride);
  }
};

// Never destroyed: a node memory may live longer than any other object of the program.
Pool& pool() {
  static Pool& pool = *new Pool;
  return pool;
}

}  // namespace

PagePool::Page PagePool::take() {
  Pool& all = pool();
  const std::scoped_lock lock(all.mutex);
  if (all.given_back == nullptr) return Page(all.take_new());
  std::byte* const page = all.given_back;
  std::memcpy(&all.given_back, page, sizeof all.given_back);
  std::memset(page, 0, kPageBytes);
  return Page(page);
}

void PagePool::GiveBack::operator()(std::byte* page) const {
  Pool& all = pool();
  const std::scoped_lock lock(all.mutex);
  std::memcpy(page, &all.given_back, sizeof all.given_back);
  all.given_back = page;
}

}  // namespace annelid::nic
